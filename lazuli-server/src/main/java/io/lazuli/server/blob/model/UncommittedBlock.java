package io.lazuli.server.blob.model;

/**
 * A block that waits for its block list.
 *
 * @param putTicks when it came; what waits for a week is dropped
 */
public record UncommittedBlock(BlockPlace place, long length, long putTicks) {}
