package io.lazuli.server.blob.model;

/**
 * A block that no block list has committed yet.
 *
 * @param putTicks the time when it was put
 */
public record UncommittedBlock(BlockPlace place, long length, long putTicks) {}
