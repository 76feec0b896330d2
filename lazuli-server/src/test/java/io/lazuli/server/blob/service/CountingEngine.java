package io.lazuli.server.blob.service;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An engine that counts the records that scans show. Mutable; for one thread. */
final class CountingEngine implements StorageEngine {
  private final StorageEngine engine;
  private int shown;

  CountingEngine(StorageEngine engine) {
    this.engine = engine;
  }

  int recordsShown() {
    return shown;
  }

  @Override
  public void scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    engine.scan(
        space,
        ranges,
        direction,
        deadline,
        record -> {
          shown++;
          return visitor.visit(record);
        });
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    return engine.transact(partition, touch, deadline, body);
  }

  @Override
  public byte @Nullable [] read(RecordKey key, Deadline deadline) {
    return engine.read(key, deadline);
  }

  @Override
  public long newSpace(SpaceKind kind) {
    return engine.newSpace(kind);
  }

  @Override
  public long now() {
    return engine.now();
  }

  @Override
  public ChunkStore chunks() {
    return engine.chunks();
  }

  @Override
  public EngineState state() {
    return engine.state();
  }

  @Override
  public void close() {
    engine.close();
  }
}
