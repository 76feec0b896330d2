package io.lazuli.server.blob.model;

/**
 * A committed block.
 *
 * @param id {@link BlockId#NONE} for content that was put as a whole or appended
 */
public record Block(BlockId id, long length, BlockPlace place) {}
