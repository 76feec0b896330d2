package io.lazuli.server.blob.model;

/**
 * The place of a block's bytes; it never changes.
 *
 * @param inChunk true for a chunk, false for a record in the blob's partition
 * @param number the number of the chunk or of the record
 */
public record BlockPlace(boolean inChunk, long number) {}
