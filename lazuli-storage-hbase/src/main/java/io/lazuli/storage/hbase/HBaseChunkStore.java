package io.lazuli.storage.hbase;

import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StoredChunk;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chunks as cells of 1 MiB. */
final class HBaseChunkStore implements ChunkStore {
  HBaseChunkStore(
      StorageEngine engine, RegionCalls calls, Rows rows, RegionScan scan, HBaseSettings settings) {}

  @Override
  public ChunkWriter append(Partition owner) {
    throw new IllegalStateException();
  }

  @Override
  public @Nullable ChunkReader open(ChunkRef ref) {
    throw new IllegalStateException();
  }

  @Override
  public @Nullable ChunkRef copy(ChunkRef ref, Partition owner) {
    throw new IllegalStateException();
  }

  @Override
  public void delete(List<ChunkRef> refs) {
    throw new IllegalStateException();
  }

  @Override
  public List<StoredChunk> list(@Nullable ChunkRef after, int max) {
    throw new IllegalStateException();
  }
}
