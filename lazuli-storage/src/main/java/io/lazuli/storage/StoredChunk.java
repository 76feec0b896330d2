package io.lazuli.storage;

/**
 * A chunk as a listing shows it.
 *
 * @param owner the partition for which the chunk was written or copied, without a gate: the chunk
 *     belongs to the records and not to one of their names
 * @param complete false while the chunk is being written or deleted, and forever if a crash
 *     interrupted that
 * @param ticks the time when the chunk was completed; for an incomplete chunk, when its last bytes
 *     arrived, as far as known
 * @param length the length in bytes; 0 if the chunk is not complete
 */
public record StoredChunk(
    ChunkRef ref, Partition owner, boolean complete, long ticks, long length) {
  public StoredChunk {
    owner = owner.withoutGate();
  }
}
