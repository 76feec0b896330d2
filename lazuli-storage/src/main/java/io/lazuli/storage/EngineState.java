package io.lazuli.storage;

/**
 * Whether an engine takes writes.
 *
 * @param writable false once a log write failed: the store is then read-only until a restart
 * @param detail one line for an operator
 */
public record EngineState(boolean writable, String detail) {}
