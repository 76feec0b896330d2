package io.lazuli.storage.hbase;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.ChunkWriter;
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
import io.lazuli.storage.StoredChunk;
import io.lazuli.storage.TransactionBody;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Two servers on one cluster, used in turns. The contract of one engine must hold for both. */
record TwoServers(HBaseEngine first, HBaseEngine second, AtomicInteger turn)
    implements StorageEngine, ChunkStore {
  private HBaseEngine next() {
    return turn.getAndIncrement() % 2 == 0 ? first : second;
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    return next().transact(partition, touch, deadline, body);
  }

  @Override
  public CompletableFuture<byte @Nullable []> read(RecordKey key, Deadline deadline) {
    return next().read(key, deadline);
  }

  @Override
  public CompletableFuture<@Nullable Void> scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    return next().scan(space, ranges, direction, deadline, visitor);
  }

  @Override
  public CompletableFuture<Boolean> exists(Space space, Deadline deadline) {
    return next().exists(space, deadline);
  }

  @Override
  public CompletableFuture<Long> newSpace(SpaceKind kind, Deadline deadline) {
    return next().newSpace(kind, deadline);
  }

  /** The time comes from one server, because two clocks agree only within the measured offset. */
  @Override
  public long now() {
    return first.now();
  }

  @Override
  public ChunkStore chunks() {
    return this;
  }

  /**
   * Uses one server, because lists are ordered by numbers, which each server reserves in blocks.
   */
  @Override
  public CompletableFuture<ChunkWriter> append(Partition owner) {
    return first.chunks().append(owner);
  }

  @Override
  public CompletableFuture<@Nullable ChunkReader> open(ChunkRef ref) {
    return next().chunks().open(ref);
  }

  @Override
  public CompletableFuture<@Nullable ChunkRef> copy(ChunkRef ref, Partition owner) {
    return first.chunks().copy(ref, owner);
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(List<ChunkRef> refs) {
    return next().chunks().delete(refs);
  }

  @Override
  public CompletableFuture<List<StoredChunk>> list(@Nullable ChunkRef after, int max) {
    return next().chunks().list(after, max);
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public EngineState state() {
    return next().state();
  }

  @Override
  public void close() {
    first.close();
    second.close();
  }
}
