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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine that says that other servers use it too, as several services do in a test. What comes
 * before a transaction can be chosen. Mutable; for one thread.
 */
final class SharedEngine implements StorageEngine {
  private final StorageEngine engine;
  private Consumer<TransactionBody<?>> before = body -> {};

  SharedEngine(StorageEngine engine) {
    this.engine = engine;
  }

  /** Has something done before each transaction that comes. */
  void before(Consumer<TransactionBody<?>> newBefore) {
    before = newBefore;
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public void scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    engine.scan(space, ranges, direction, deadline, visitor);
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    before.accept(body);
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
