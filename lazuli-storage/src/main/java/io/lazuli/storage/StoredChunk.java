package io.lazuli.storage;

/**
 * A chunk as a listing shows it.
 *
 * @param owner the partition for which it was appended or copied
 * @param complete false while it is being written or deleted, and for ever if that was cut off
 * @param ticks when it was completed; when its last byte came, as far as known, if it is not
 * @param length in bytes; 0 if it is not complete
 */
public record StoredChunk(
    ChunkRef ref, Partition owner, boolean complete, long ticks, long length) {}
