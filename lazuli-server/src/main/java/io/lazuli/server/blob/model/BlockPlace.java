package io.lazuli.server.blob.model;

/**
 * Where the bytes of a block are; they never move.
 *
 * @param inChunk true for a chunk, false for a record beside the blob's properties
 * @param number of the chunk or of the record
 */
public record BlockPlace(boolean inChunk, long number) {}
