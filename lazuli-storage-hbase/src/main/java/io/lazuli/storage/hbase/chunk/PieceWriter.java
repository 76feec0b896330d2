package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.Bytes;
import java.util.concurrent.CompletableFuture;

/** Stores the pieces of a chunk that is being written. One call at a time uses it. */
interface PieceWriter {
  /**
   * Stores the next piece. The caller must not change the bytes any more, and may write the next
   * piece before the future completes.
   */
  CompletableFuture<Boolean> write(byte[] piece);

  /** Makes all pieces durable. They have been written. */
  CompletableFuture<Boolean> end();

  /** Returns the checksums of the pieces; empty if the store of the pieces has its own. */
  Bytes checksums();

  /** Removes all pieces, those too that are being written. */
  CompletableFuture<Boolean> discard();
}
