package io.lazuli.storage.hbase.cut;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.StoreTable;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of the engine's tables that do not change: HBase makes a snapshot of each table and clones
 * it. A clone shares the files of its table, so it costs little until the table is compacted. The
 * snapshots are needed only until the clones exist. Blocks. Used by one thread.
 */
final class TableCopies {
  private static final Logger log = LoggerFactory.getLogger(TableCopies.class);

  /** A table with many regions takes a while. */
  private static final Duration OPERATION_MAX = Duration.ofMinutes(10);

  private static final int TRIES = 3;
  private static final String PREFIX = "backup-";

  /** The order of decision 0054; the tables of one list at the same time. */
  private static final List<List<StoreTable>> ORDER =
      List.of(
          List.of(StoreTable.CATALOG),
          List.of(StoreTable.TABLES, StoreTable.QUEUES, StoreTable.BLOBS),
          List.of(StoreTable.CHUNKS));

  private final AsyncAdmin admin;
  private final String namespace;
  private final String id;

  /**
   * @param id names the copies; no two cuts have the same
   */
  TableCopies(AsyncAdmin admin, String namespace, String id) {
    this.admin = admin;
    this.namespace = namespace;
    this.id = id;
  }

  /**
   * Makes snapshots of all tables, in order. Begins again if one fails: a region may just have been
   * split or moved.
   */
  void takeSnapshots() {
    for (int left = TRIES; ; left--) {
      try {
        for (List<StoreTable> some : ORDER) {
          all(some.stream().map(table -> admin.snapshot(snapshot(table), of(table))).toList());
        }
        return;
      } catch (StorageException e) {
        removeSnapshots(snapshotPrefix() + id);
        if (left == 1) {
          throw e;
        }
        log.info("the snapshots of a backup are made again: {}", e.getMessage());
      }
    }
  }

  /** Makes a table of each snapshot, then removes the snapshots. */
  void cloneSnapshots() {
    all(tables().map(table -> admin.cloneSnapshot(snapshot(table), copy(table))).toList());
    // A compaction would write everything again.
    all(tables().map(this::leaveAlone).toList());
    removeSnapshots(snapshotPrefix() + id);
  }

  private CompletableFuture<Void> leaveAlone(StoreTable table) {
    return admin
        .getDescriptor(copy(table))
        .thenCompose(
            found ->
                admin.modifyTable(
                    TableDescriptorBuilder.newBuilder(found)
                        .setCompactionEnabled(false)
                        .setSplitEnabled(false)
                        .setMergeEnabled(false)
                        .build()));
  }

  /** Returns the keys at which the regions of a copy begin, in order, without the first region. */
  List<byte[]> boundaries(StoreTable table) {
    return Waiting.await(admin.getRegions(copy(table)), OPERATION_MAX).stream()
        .map(RegionInfo::getStartKey)
        .filter(key -> key.length > 0)
        .sorted(Arrays::compareUnsigned)
        .toList();
  }

  /** Returns the name of the copy of a table. */
  TableName copy(StoreTable table) {
    return TableName.valueOf(namespace, PREFIX + id + "-" + of(table).getQualifierAsString());
  }

  /** Removes what this cut has made. */
  void remove() {
    removeSnapshots(snapshotPrefix() + id);
    removeTables(PREFIX + id);
  }

  /** Removes what any cut has made, because killed servers have left it. */
  void removeAll() {
    removeSnapshots(snapshotPrefix());
    removeTables(PREFIX);
  }

  private void removeTables(String prefix) {
    Pattern names = pattern(namespace + ":" + prefix);
    all(
        Waiting.await(admin.listTableNames(names, false), OPERATION_MAX).stream()
            .map(this::removed)
            .toList());
  }

  private CompletableFuture<Void> removed(TableName table) {
    return admin
        .isTableEnabled(table)
        .thenCompose(
            enabled ->
                enabled ? admin.disableTable(table) : CompletableFuture.<Void>completedFuture(null))
        .thenCompose(disabled -> admin.deleteTable(table));
  }

  private void removeSnapshots(String prefix) {
    all(
        Waiting.await(admin.listSnapshots(pattern(prefix)), OPERATION_MAX).stream()
            .map(SnapshotDescription::getName)
            .map(admin::deleteSnapshot)
            .toList());
  }

  private static Pattern pattern(String prefix) {
    return Pattern.compile(Pattern.quote(prefix) + ".*");
  }

  private String snapshotPrefix() {
    return "lazuli-backup-" + namespace + "-";
  }

  private String snapshot(StoreTable table) {
    return snapshotPrefix() + id + "-" + of(table).getQualifierAsString();
  }

  private TableName of(StoreTable table) {
    return table.name(namespace);
  }

  private static Stream<StoreTable> tables() {
    return Arrays.stream(StoreTable.values());
  }

  private static void all(List<CompletableFuture<Void>> operations) {
    CompletableFuture<Void> together =
        CompletableFuture.allOf(operations.toArray(new CompletableFuture<?>[0]));
    Waiting.await(together, OPERATION_MAX);
  }
}
