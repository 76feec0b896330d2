package io.lazuli.server.analytics;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.model.TableName;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The metrics tables of accounts. They are tables like others, except that the server writes them.
 * Its methods block, unless they return a future, and throw what the engine reports.
 */
final class MetricsTables {
  private static final Duration TIME_MAX = Duration.ofSeconds(30);

  /** The number of rows that one transaction deletes. */
  private static final int DELETED_ROWS_MAX = 100;

  private final StorageEngine engine;
  private final Catalog catalog;

  MetricsTables(StorageEngine engine, Catalog catalog) {
    this.engine = engine;
    this.catalog = catalog;
  }

  /** Makes the new content of a row. Pure: it may be called several times. */
  @FunctionalInterface
  interface RowChange {
    /**
     * Returns the new record.
     *
     * @param old the stored record; null if there is none
     */
    byte[] apply(byte @Nullable [] old);
  }

  /** Creates a table; false if it exists. */
  CompletableFuture<Boolean> create(String account, TableName table) {
    return catalog.create(ServiceHome.ofTables(account), table.key(), table.text(), deadline());
  }

  /** Changes rows of a partition in one transaction. Creates the table if it does not exist. */
  void change(String account, TableName table, String partition, Map<String, RowChange> rows) {
    try {
      changeExisting(account, table, partition, rows);
    } catch (ServiceException e) {
      if (!e.error().equals(TableErrors.TABLE_NOT_FOUND)) {
        throw e;
      }
      Futures.await(create(account, table));
      changeExisting(account, table, partition, rows);
    }
  }

  private void changeExisting(
      String account, TableName table, String partition, Map<String, RowChange> rows) {
    List<Bytes> touch = rows.keySet().stream().map(MetricsTables::key).toList();
    boolean unused =
        onTable(
            account,
            table,
            entry ->
                engine.transact(
                    new Partition(entry.space(), key(partition)),
                    touch,
                    deadline(),
                    view -> changed(view, rows)));
  }

  private static boolean changed(PartitionView view, Map<String, RowChange> rows) {
    rows.forEach(
        (name, change) -> {
          Bytes row = key(name);
          byte[] record = change.apply(view.read(row));
          EntityCodec.setTicks(record, view.timestamp(row));
          view.put(row, record);
        });
    return true;
  }

  /** Returns whether a partition has rows; false if there is no such table. */
  boolean hasRows(String account, TableName table, String partition) {
    return !firstRows(account, table, KeyRange.ofPartition(key(partition)), 1).isEmpty();
  }

  /**
   * Deletes some of the rows whose partition comes before another one.
   *
   * @return false if there were none
   */
  boolean deleteBefore(String account, TableName table, String partition) {
    KeyRange old = new KeyRange(Position.START, Position.startOf(key(partition)));
    List<Position> found = firstRows(account, table, old, DELETED_ROWS_MAX);
    if (found.isEmpty()) {
      return false;
    }
    Bytes first = found.get(0).partition();
    List<Bytes> rows =
        found.stream().filter(at -> at.partition().equals(first)).map(Position::row).toList();
    return onTable(
        account,
        table,
        entry ->
            engine.transact(
                new Partition(entry.space(), first),
                rows,
                deadline(),
                view -> {
                  rows.forEach(view::delete);
                  return true;
                }));
  }

  private List<Position> firstRows(String account, TableName table, KeyRange range, int max) {
    List<Position> found = new ArrayList<>();
    RecordVisitor visitor =
        RecordVisitor.ofFirst(
            max,
            record -> {
              found.add(
                  new Position(Bytes.of(record.partition().copy()), Bytes.of(record.row().copy())));
              return Visit.CONTINUE;
            });
    try {
      boolean unused =
          onTable(
              account,
              table,
              entry ->
                  engine
                      .scan(entry.space(), List.of(range), Direction.FORWARD, deadline(), visitor)
                      .thenApply(scanned -> true));
    } catch (ServiceException e) {
      if (!e.error().equals(TableErrors.TABLE_NOT_FOUND)) {
        throw e;
      }
    }
    return found;
  }

  @FunctionalInterface
  private interface Work {
    CompletableFuture<Boolean> on(CatalogEntry table);
  }

  private boolean onTable(String account, TableName table, Work work) {
    return Futures.await(
        catalog.onSpace(
            ServiceHome.ofTables(account),
            table.key(),
            deadline(),
            TableErrors.TABLE_NOT_FOUND,
            work::on));
  }

  private static Bytes key(String text) {
    return Bytes.of(Utf8.encodeKey(text));
  }

  private static Deadline deadline() {
    return Deadline.after(TIME_MAX);
  }
}
