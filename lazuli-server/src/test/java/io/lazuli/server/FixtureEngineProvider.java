package io.lazuli.server;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageEngineProvider;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.memory.InMemoryEngine;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An engine in memory that tells the state it was asked to have, and is counted. A folder named
 * {@code in-use} cannot be opened, one named {@code broken} is read-only, one named {@code
 * degraded} has a fault, one named {@code clocked} has a time that stands still until it is moved.
 */
public final class FixtureEngineProvider implements StorageEngineProvider {
  /** Engines that were opened and not closed. */
  static final AtomicInteger OPEN = new AtomicInteger();

  /** The time of engines whose folder is named {@code clocked}, in ticks. */
  public static final AtomicLong CLOCK = new AtomicLong();

  @Override
  public String name() {
    return "fixture";
  }

  @Override
  public StorageEngine open(EngineConfig config) {
    if (config.folder().endsWith("in-use")) {
      throw new EngineOpenException("the data folder is used by another process", null);
    }
    OPEN.incrementAndGet();
    String fault = config.folder().endsWith("degraded") ? "nothing is freed" : "";
    EngineConfig used = config.folder().endsWith("clocked") ? config.withTicks(CLOCK::get) : config;
    return new Fixture(new InMemoryEngine(used), !config.folder().endsWith("broken"), fault);
  }

  private record Fixture(StorageEngine store, boolean writable, String fault)
      implements StorageEngine {
    @Override
    public <R> CompletableFuture<R> transact(
        Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
      return store.transact(partition, touch, deadline, body);
    }

    @Override
    public byte @Nullable [] read(RecordKey key, Deadline deadline) {
      return store.read(key, deadline);
    }

    @Override
    public void scan(
        Space space,
        List<KeyRange> ranges,
        Direction direction,
        Deadline deadline,
        RecordVisitor visitor) {
      store.scan(space, ranges, direction, deadline, visitor);
    }

    @Override
    public long newSpace(SpaceKind kind) {
      return store.newSpace(kind);
    }

    @Override
    public long now() {
      return store.now();
    }

    @Override
    public ChunkStore chunks() {
      return store.chunks();
    }

    @Override
    public EngineState state() {
      return new EngineState(writable, writable ? "" : "the log \"a\" cannot be written", fault);
    }

    @Override
    public void close() {
      store.close();
      OPEN.decrementAndGet();
    }
  }
}
