package io.lazuli.server.blob.service;

import io.lazuli.server.blob.encoding.IndexPartitions;
import io.lazuli.server.blob.encoding.PendingCopy;
import io.lazuli.server.blob.encoding.PendingCopyCodec;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.NameWalk;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Visit;
import io.lazuli.storage.work.SharedWalk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The rows in {@link IndexPartitions#COPIES}, which lead to the pending copies. Thread-safe. */
final class PendingCopyIndex {
  private static final int CONTAINERS_PER_STEP = 100;
  private static final Duration STEP_TIME_MAX = Duration.ofMinutes(10);

  private final StorageEngine engine;
  private final Catalog catalog;
  private final int copiesMax;
  private final NameWalk names;

  /**
   * @param copiesMax the most copies of a container that are found at a time
   */
  PendingCopyIndex(StorageEngine engine, Catalog catalog, int copiesMax) {
    this.engine = engine;
    this.catalog = catalog;
    this.copiesMax = copiesMax;
    this.names = new NameWalk(catalog, SpaceKind.CONTAINER, SharedWalk.PIECE);
  }

  private static Partition index(Space container) {
    return new Partition(container, IndexPartitions.COPIES);
  }

  CompletableFuture<Boolean> write(Space container, PendingCopy copy, Deadline deadline) {
    byte[] value = PendingCopyCodec.encode(copy);
    Bytes row = PendingCopyCodec.row(copy.id());
    return engine.transact(
        index(container),
        List.of(row),
        deadline,
        view -> {
          view.put(row, value);
          return true;
        });
  }

  CompletableFuture<Boolean> remove(Space container, UUID id, Deadline deadline) {
    Bytes row = PendingCopyCodec.row(id);
    return engine.transact(
        index(container),
        List.of(row),
        deadline,
        view -> {
          view.delete(row);
          return true;
        });
  }

  /**
   * Finds the copies of some containers of a shard. Blocks.
   *
   * @return where the next call continues; null after the last container
   */
  @Nullable Bytes visit(
      SharedWalk walk, int shard, Bytes from, BiConsumer<Space, PendingCopy> visitor) {
    Deadline deadline = Deadline.after(STEP_TIME_MAX);
    return names.piece(
        from,
        CONTAINERS_PER_STEP,
        deadline,
        (home, name, within, until) -> {
          if (walk.shardOf(home.account() + "/" + name) == shard) {
            visit(home, name, deadline, visitor);
          }
          return null;
        });
  }

  private void visit(
      ServiceHome home, String name, Deadline deadline, BiConsumer<Space, PendingCopy> visitor) {
    CatalogEntry entry = Futures.await(catalog.find(home, name, deadline));
    if (entry == null) {
      return;
    }
    try {
      List<PendingCopy> found = new ArrayList<>();
      Futures.await(
          engine.scan(
              entry.space(),
              List.of(
                  new KeyRange(
                      Position.startOf(IndexPartitions.COPIES),
                      Position.endOf(IndexPartitions.COPIES))),
              Direction.FORWARD,
              deadline,
              record -> {
                found.add(PendingCopyCodec.decode(record.value().copy()));
                return found.size() < copiesMax ? Visit.CONTINUE : Visit.STOP;
              }));
      found.forEach(copy -> visitor.accept(entry.space(), copy));
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.SPACE_GONE) {
        throw e;
      }
    }
  }
}
