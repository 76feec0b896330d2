package io.lazuli.storage.memory;

import static io.lazuli.storage.memory.HeapChunk.PIECE_BYTES;

import io.lazuli.storage.ChunkReader;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads a chunk on the heap, and keeps its bytes alive if the chunk is deleted. */
final class HeapChunkReader implements ChunkReader {
  private final HeapChunk chunk;

  HeapChunkReader(HeapChunk chunk) {
    this.chunk = chunk;
  }

  @Override
  public long length() {
    return chunk.length();
  }

  @Override
  public CompletableFuture<Integer> read(long offset, ByteBuffer target) {
    return CompletableFuture.completedFuture(copy(offset, target));
  }

  private int copy(long offset, ByteBuffer target) {
    if (offset >= chunk.length()) {
      return -1;
    }
    byte[] piece = chunk.pieces().get((int) (offset / PIECE_BYTES));
    int from = (int) (offset % PIECE_BYTES);
    int length = Math.min(piece.length - from, target.remaining());
    target.put(piece, from, length);
    return length;
  }

  @Override
  public CompletableFuture<@Nullable Void> verify(long offset) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void close() {}
}
