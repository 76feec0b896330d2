package io.lazuli.storage.faults;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionMap;
import io.lazuli.storage.RangeSplit;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.SpaceNames;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.TransactionBody;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Forwards every call to another engine, which is closed with this one. */
public abstract class ForwardingEngine implements StorageEngine {
  private final StorageEngine engine;

  protected ForwardingEngine(StorageEngine engine) {
    this.engine = engine;
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    return engine.transact(partition, touch, deadline, body);
  }

  @Override
  public CompletableFuture<byte @Nullable []> read(RecordKey key, Deadline deadline) {
    return engine.read(key, deadline);
  }

  @Override
  public CompletableFuture<@Nullable Void> scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    return engine.scan(space, ranges, direction, deadline, visitor);
  }

  @Override
  public CompletableFuture<Boolean> exists(Space space, Deadline deadline) {
    return engine.exists(space, deadline);
  }

  @Override
  public CompletableFuture<Long> newSpace(SpaceKind kind, Deadline deadline) {
    return engine.newSpace(kind, deadline);
  }

  @Override
  public long now() {
    return engine.now();
  }

  @Override
  public long clock() {
    return engine.clock();
  }

  @Override
  public ChunkStore chunks() {
    return engine.chunks();
  }

  @Override
  public int format() {
    return engine.format();
  }

  @Override
  public boolean isShared() {
    return engine.isShared();
  }

  @Override
  public EngineState state() {
    return engine.state();
  }

  @Override
  public void nameSpaces(SpaceNames names) {
    engine.nameSpaces(names);
  }

  @Override
  public CompletableFuture<Optional<PartitionMap>> partitionMap() {
    return engine.partitionMap();
  }

  @Override
  public CompletableFuture<Optional<RangeSplit>> splitRanges(List<Partition> at) {
    return engine.splitRanges(at);
  }

  @Override
  public @Nullable StoreCut cut() throws IOException {
    return engine.cut();
  }

  @Override
  public void close() {
    engine.close();
  }
}
