package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.Durability;
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
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoredFiles;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.engine.EngineClock;
import io.lazuli.storage.engine.LocalCall;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.rocksdb.chunk.ChunkFiles;
import io.lazuli.storage.rocksdb.chunk.ChunkFolder;
import io.lazuli.storage.rocksdb.disk.DataFolder;
import java.nio.channels.FileChannel;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Shows a data folder to a check. It changes no file, has no threads, and opens even if tables are
 * damaged. Every write is refused. It holds the lock of the folder. Thread-safe.
 */
final class ReadOnlyEngine implements StorageEngine {
  private final DataFolder folder;
  private final NativeStore store;
  private final NativeGate gate = new NativeGate();
  private final EngineClock clock;
  private final Set<Long> dropped = new HashSet<>();
  private final ChunkFiles chunks;

  private ReadOnlyEngine(EngineConfig config, DataFolder folder, NativeStore store) {
    this.folder = folder;
    this.store = store;
    this.clock = TimestampMark.load(store, config.ticks()).clock();
    SpaceNumbers.check(store);
    Drop.findAll(store).forEach(drop -> dropped.add(drop.space()));
    this.chunks =
        new ChunkFiles(
            this, new ChunkFolder(folder.chunks(), Durability.RELAXED), FileChannel::write);
  }

  /**
   * Opens a data folder.
   *
   * @throws EngineOpenException if it is in use, or cannot be read at all
   */
  static ReadOnlyEngine open(EngineConfig config) {
    DataFolder folder = DataFolder.openExisting(config.folder());
    NativeStore store = null;
    try {
      store = NativeStore.openReadOnly(folder.database(), config.memoryBytes());
      return new ReadOnlyEngine(config, folder, store);
    } catch (EngineOpenException | StorageException e) {
      if (store != null) {
        store.close();
      }
      folder.close();
      throw e instanceof EngineOpenException
          ? e
          : new EngineOpenException(
              "the store in " + config.folder() + " is damaged: " + e.getMessage(), e);
    }
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    return CompletableFuture.failedFuture(refused());
  }

  @Override
  public CompletableFuture<byte @Nullable []> read(RecordKey key, Deadline deadline) {
    return LocalCall.<byte @Nullable []>run(
        () -> {
          check(key.partition().space());
          gate.enter();
          try {
            return new PointReader(store)
                .read(Family.of(key.partition().space()), KeyCodec.encode(key));
          } finally {
            gate.leave();
          }
        });
  }

  @Override
  public CompletableFuture<@Nullable Void> scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    return LocalCall.<@Nullable Void>run(
        () -> {
          check(space);
          gate.enter();
          try {
            if (!ranges.isEmpty()) {
              new RangeScan(store, space, deadline, gate::checkOpen, visitor)
                  .run(ranges, direction);
            }
            return null;
          } finally {
            gate.leave();
          }
        });
  }

  @Override
  public CompletableFuture<Boolean> exists(Space space, Deadline deadline) {
    return CompletableFuture.completedFuture(!dropped.contains(space.number()));
  }

  @Override
  public CompletableFuture<Long> spaceAfter(long number, Deadline deadline) {
    return LocalCall.run(
        () -> {
          gate.enter();
          try {
            return StoredSpaces.after(store, number);
          } finally {
            gate.leave();
          }
        });
  }

  @Override
  public CompletableFuture<Long> newSpace(SpaceKind kind, Deadline deadline) {
    return CompletableFuture.failedFuture(refused());
  }

  @Override
  public long now() {
    return clock.now();
  }

  @Override
  public ChunkStore chunks() {
    return chunks;
  }

  @Override
  public StoredFiles files() {
    return new DatabaseFiles(folder, store, gate, chunks, false);
  }

  @Override
  public EngineState state() {
    return new EngineState(false, "opened to read only");
  }

  @Override
  public synchronized void close() {
    if (!gate.isClosed()) {
      gate.close();
      store.close();
      folder.close();
    }
  }

  private void check(Space space) {
    if (dropped.contains(space.number())) {
      throw new StorageException(StorageException.Kind.SPACE_GONE, "the space was dropped");
    }
  }

  private static StorageException refused() {
    return new StorageException(StorageException.Kind.UNAVAILABLE, "opened to read only");
  }
}
