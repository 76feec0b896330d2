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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An engine that opens, tells its state and closes, and stores nothing. A folder named {@code
 * in-use} cannot be opened, one named {@code broken} is read-only, one named {@code degraded} has a
 * fault.
 */
public final class FixtureEngineProvider implements StorageEngineProvider {
  /** Engines that were opened and not closed. */
  static final AtomicInteger OPEN = new AtomicInteger();

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
    return new Fixture(!config.folder().endsWith("broken"), fault);
  }

  private record Fixture(boolean writable, String fault) implements StorageEngine {
    @Override
    public <R> CompletableFuture<R> transact(
        Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
      throw new UnsupportedOperationException();
    }

    @Override
    public byte[] read(RecordKey key, Deadline deadline) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void scan(
        Space space,
        List<KeyRange> ranges,
        Direction direction,
        Deadline deadline,
        RecordVisitor visitor) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long newSpace(SpaceKind kind) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long now() {
      throw new UnsupportedOperationException();
    }

    @Override
    public ChunkStore chunks() {
      throw new UnsupportedOperationException();
    }

    @Override
    public EngineState state() {
      return new EngineState(writable, writable ? "" : "the log \"a\" cannot be written", fault);
    }

    @Override
    public void close() {
      OPEN.decrementAndGet();
    }
  }
}
