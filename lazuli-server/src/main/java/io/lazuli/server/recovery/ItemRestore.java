package io.lazuli.server.recovery;

import io.lazuli.server.backup.BackupException;
import io.lazuli.server.backup.BackupRecord;
import io.lazuli.server.backup.BackupTarget;
import io.lazuli.server.backup.Meter;
import io.lazuli.server.backup.Restore;
import io.lazuli.server.backup.RestorePoint;
import io.lazuli.server.blob.encoding.ContainerPropertiesCodec;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.ContainerProperties;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.Catalog.NameChange;
import io.lazuli.server.catalog.CatalogRow;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.config.StoreConfig;
import io.lazuli.server.engine.Engines;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.queue.model.QueueName;
import io.lazuli.server.table.model.TableName;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import io.lazuli.storage.segment.SegmentEngine;
import io.lazuli.storage.segment.SegmentSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Restores one table, queue or container of a backup into the running store, under a new name. The
 * records of the backup are restored into a folder next to the data and opened there; those of a
 * cluster are read from the target. Then the records of the item, and its chunks, are copied.
 * Timestamps, ETags, metadata and access policies stay as they were. The new name exists from the
 * start of the copy; if the copy fails, it is removed.
 */
public final class ItemRestore {
  private static final long MEMORY_BYTES = 32L << 20;

  /**
   * What to restore.
   *
   * @param kind {@code table}, {@code queue} or {@code container}
   * @param newName must not exist
   */
  public record Item(String kind, String account, String name, String newName) {
    /**
     * Checks the kind and the new name.
     *
     * @throws BackupException if one of them is not valid
     */
    public Item {
      if (!Set.of("table", "queue", "container").contains(kind)) {
        throw new BackupException("there is no kind " + kind);
      }
      try {
        String valid =
            switch (kind) {
              case "table" -> TableName.require(newName).text();
              case "queue" -> QueueName.require(newName).text();
              default -> ContainerName.requireNew(newName).text();
            };
        if (!valid.equals(newName)) {
          throw new BackupException(newName + " is not a valid name of a " + kind);
        }
      } catch (ServiceException e) {
        throw new BackupException(newName + " is not a valid name of a " + kind, e);
      }
    }

    ServiceHome home() {
      return switch (kind) {
        case "table" -> ServiceHome.ofTables(account);
        case "queue" -> ServiceHome.ofQueues(account);
        default -> ServiceHome.ofContainers(account);
      };
    }

    /** Returns the key of a name: tables ignore case. */
    String key(String text) {
      return kind.equals("table") ? new TableName(text).key() : text;
    }
  }

  private final StorageEngine engine;
  private final Catalog catalog;
  private final Path folder;

  /**
   * @param store the configuration of the running store
   */
  public ItemRestore(StorageEngine engine, Catalog catalog, StoreConfig store) {
    this.engine = engine;
    this.catalog = catalog;
    this.folder = store.folder().resolve("restored");
  }

  /**
   * Restores an item. Blocks until it is complete.
   *
   * @param target locked
   * @param id the backup; null for the newest one
   * @param at the moment, from the archive; null for the moment of the backup
   */
  public BackupRecord run(
      BackupTarget target, @Nullable String id, @Nullable Instant at, Item item, Meter meter)
      throws IOException {
    RestorePoint point = at == null ? null : RestorePoint.find(target, at, id);
    BackupRecord backup = point == null ? Restore.find(target, id) : point.backup();
    removeAll();
    Restore restore = new Restore(target, meter);
    if (isInSegments(backup)) {
      if (point != null) {
        throw new BackupException("a backup of a cluster cannot restore a point in time");
      }
      SegmentSource segments = new BackedUpSegments(restore, backup, folder);
      try (StorageEngine from = new SegmentEngine(segments)) {
        copy(from, item, restore, backup, meter);
      } finally {
        removeAll();
      }
      return backup;
    }
    StoreConfig config =
        new StoreConfig("rocksdb", null, null, folder, Durability.RELAXED, MEMORY_BYTES, 0);
    if (point == null) {
      restore.recordsInto(folder, backup);
    } else {
      restore.recordsInto(folder, point, each -> Engines.openToReplay(config));
    }
    try (StorageEngine from = Engines.open(config)) {
      copy(from, item, restore, backup, meter);
    } catch (EngineOpenException e) {
      throw new BackupException("the backup cannot be opened: " + e.getMessage(), e);
    } finally {
      removeAll();
    }
    return backup;
  }

  /** Returns whether the files of a backup are independent of the files of an engine. */
  private static boolean isInSegments(BackupRecord backup) {
    return backup.engine().equals("hbase");
  }

  private void copy(
      StorageEngine from, Item item, Restore restore, BackupRecord backup, Meter meter)
      throws IOException {
    ServiceHome home = item.home();
    CatalogRow row =
        Futures.await(new Catalog(from).read(home, item.key(item.name()), Deadline.NEVER));
    if (row == null) {
      throw new BackupException(
          "backup %s has no %s %s of %s"
              .formatted(backup.id(), item.kind(), item.name(), item.account()));
    }
    Space source = new Space(row.space(), home.partition());
    if (source.kind() == SpaceKind.CONTAINER) {
      Set<Long> chunks = chunks(from, source);
      restore.chunksInto(
          folder,
          backup,
          isInSegments(backup)
              ? chunks.stream().map(Space::counter).collect(Collectors.toSet())
              : chunks);
    }
    String key = item.key(item.newName());
    Catalog.Creation made =
        Futures.await(catalog.create(home, key, item.newName(), row.metadata(), Deadline.NEVER));
    if (!made.created()) {
      throw new BackupException("the " + item.kind() + " " + item.newName() + " exists");
    }
    boolean complete = false;
    try {
      Space target = new Space(made.row().space(), home.partition());
      new ItemCopy(from, source, engine, target, meter::count).run();
      if (source.kind() == SpaceKind.CONTAINER) {
        raiseGuard(home, key, target);
      }
      if (row.policies().length > 0) {
        Futures.await(catalog.replacePolicies(home, key, row.policies(), Deadline.NEVER));
      }
      complete = true;
    } finally {
      if (!complete) {
        Futures.await(catalog.delete(home, key, Deadline.NEVER));
      }
    }
  }

  /**
   * Makes a deletion of the container that began during the copy fail: it may have searched for
   * protected blobs before they were copied (decision 0036).
   */
  private void raiseGuard(ServiceHome home, String key, Space target) {
    boolean same =
        Futures.await(
            catalog.<Boolean>decide(
                home,
                key,
                Deadline.NEVER,
                BlobErrors.CONTAINER_NOT_FOUND,
                (row, ticks) -> {
                  ContainerProperties old = ContainerPropertiesCodec.decode(row.metadata());
                  boolean raised = old.guard() == 0 || old.guard() % 2 == 1;
                  return raised || row.space() != target.number()
                      ? new NameChange.Kept<>(row.space() == target.number())
                      : new NameChange.Replaced<>(
                          true,
                          row.withMetadata(
                              ContainerPropertiesCodec.encode(old.withGuard(old.guard() + 1))));
                }));
    if (!same) {
      throw new BackupException("the container was deleted while it was restored");
    }
  }

  /** Returns the numbers of the chunks that a container refers to. */
  private static Set<Long> chunks(StorageEngine from, Space container) {
    Set<Long> numbers = new HashSet<>();
    Futures.await(
        from.scan(
            container,
            List.of(KeyRange.ALL),
            Direction.FORWARD,
            Deadline.NEVER,
            record -> {
              if (!ItemCopy.isIndex(Bytes.of(record.partition().copy()))) {
                ChunkCopies.forEachChunk(
                    Bytes.of(record.row().copy()), record.value().copy(), numbers::add);
              }
              return Visit.CONTINUE;
            }));
    return numbers;
  }

  /** Removes the folder, also one that a killed process left. */
  private void removeAll() throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
