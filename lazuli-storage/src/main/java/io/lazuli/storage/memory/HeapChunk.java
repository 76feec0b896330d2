package io.lazuli.storage.memory;

import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Partition;
import java.util.List;

/**
 * One chunk on the heap; immutable.
 *
 * @param pieces of {@link #PIECE_BYTES} each but the last; nobody writes to them
 */
record HeapChunk(
    ChunkRef ref, Partition owner, boolean complete, long ticks, long length, List<byte[]> pieces) {
  static final int PIECE_BYTES = 64 << 10;

  /** About what a chunk costs beside its bytes: map entry, key, owner, list. */
  private static final int OVERHEAD_BYTES = 500;

  static long weightBytes(long length) {
    return length + OVERHEAD_BYTES;
  }

  long weightBytes() {
    return weightBytes(length);
  }

  HeapChunk touched(long now) {
    return new HeapChunk(ref, owner, complete, now, length, pieces);
  }

  HeapChunk completed(List<byte[]> newPieces, long newLength, long now) {
    return new HeapChunk(ref, owner, true, now, newLength, newPieces);
  }
}
