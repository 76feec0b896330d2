package io.lazuli.storage.memory;

import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Partition;
import java.util.List;

/**
 * One chunk on the heap; immutable.
 *
 * @param pieces arrays of {@link #PIECE_BYTES} each, except for the last; never modified
 */
record HeapChunk(
    ChunkRef ref, Partition owner, boolean complete, long ticks, long length, List<byte[]> pieces) {
  static final int PIECE_BYTES = 64 << 10;

  /** The estimated cost of a chunk in addition to its bytes: map entry, key, owner, list. */
  private static final int OVERHEAD_BYTES = 500;

  static long weightBytes(long length) {
    return length + OVERHEAD_BYTES;
  }

  long weightBytes() {
    return weightBytes(length);
  }

  HeapChunk writtenAt(long now) {
    return new HeapChunk(ref, owner, complete, now, length, pieces);
  }

  HeapChunk completed(List<byte[]> newPieces, long newLength, long now) {
    return new HeapChunk(ref, owner, true, now, newLength, newPieces);
  }
}
