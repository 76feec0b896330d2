package io.lazuli.storage.hbase.chunk;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads the pieces of a chunk. Thread-safe. */
interface PieceReader {
  /** Reads a piece; empty if it does not exist. */
  CompletableFuture<Optional<ByteBuffer>> read(long index);

  void close();
}
