package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.keys.KeyInterval;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes many rows of the table of chunks, in bounded calls. All calls are idempotent and
 * are repeated until the cluster answers or the deadline passes. Thread-safe. Blocks.
 */
final class ChunkRows {
  /**
   * The time limit of a call. It is longer than the cluster needs to move the regions of a dead
   * server.
   */
  static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final int ROWS_PER_CALL_MAX = 1_000;

  private final RegionCalls calls;
  private final RegionScan scan;
  private final Durability durability;

  ChunkRows(RegionCalls calls, RegionScan scan, Durability durability) {
    this.calls = calls;
    this.scan = scan;
    this.durability = durability;
  }

  /** A row with its key. */
  record Found(byte[] key, StoredCell cell) {}

  Put put(byte[] key, long millis, byte[] value) {
    Put put = new Put(key);
    put.addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER, millis, value);
    put.setDurability(durability);
    return put;
  }

  /**
   * Returns the mutation that removes the cell of a row, unless the cell has a later timestamp than
   * the given one.
   */
  Delete delete(byte[] key, long millis) {
    Delete delete = new Delete(key);
    delete.addColumns(StoreTable.FAMILY, StoreTable.QUALIFIER, millis);
    delete.setDurability(durability);
    return delete;
  }

  static Get get(byte[] key) {
    return new Get(key).addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER);
  }

  void putAll(List<Put> puts, Deadline deadline) {
    for (List<Put> some : pieces(puts)) {
      for (List<Put> group : calls.byRegion(StoreTable.CHUNKS, some, deadline)) {
        byte[] row = group.get(0).getRow();
        calls.repeat(
            StoreTable.CHUNKS, row, deadline, (remote, region) -> done(remote.putAll(group)));
      }
    }
  }

  void deleteAll(List<Delete> deletes, Deadline deadline) {
    for (List<Delete> some : pieces(deletes)) {
      for (List<Delete> group : calls.byRegion(StoreTable.CHUNKS, some, deadline)) {
        byte[] row = group.get(0).getRow();
        calls.repeat(
            StoreTable.CHUNKS, row, deadline, (remote, region) -> done(remote.deleteAll(group)));
      }
    }
  }

  /** Returns the rows that exist, in no particular order. */
  List<Found> find(List<byte[]> keys, Deadline deadline) {
    List<Found> found = new ArrayList<>();
    for (List<Get> some : pieces(keys.stream().map(ChunkRows::get).toList())) {
      for (List<Get> group : calls.byRegion(StoreTable.CHUNKS, some, deadline)) {
        byte[] row = group.get(0).getRow();
        List<Result> results =
            calls.read(StoreTable.CHUNKS, row, deadline, (remote, region) -> remote.getAll(group));
        for (Result result : results) {
          if (!result.isEmpty()) {
            found.add(new Found(result.getRow(), StoredCell.of(result)));
          }
        }
      }
    }
    return found;
  }

  /**
   * Returns the first rows of an interval, in order.
   *
   * @param max the number of rows to return; fewer are returned only if the interval has no more
   */
  List<Found> first(KeyInterval interval, int max, Deadline deadline) {
    return scan
        .first(StoreTable.CHUNKS, interval, max, RegionScan.PAGE_RECORDS_MAX, deadline)
        .stream()
        .map(cell -> new Found(CellUtil.cloneRow(cell), StoredCell.of(cell)))
        .toList();
  }

  /** Returns the key of the last row of an interval; null if the interval has no rows. */
  byte @Nullable [] lastKey(KeyInterval interval, Deadline deadline) {
    KeyInterval rest = interval;
    while (!rest.isEmpty()) {
      RegionScan.Page page = scan.page(StoreTable.CHUNKS, List.of(rest), false, 1, false, deadline);
      if (!page.cells().isEmpty()) {
        return CellUtil.cloneRow(page.cells().get(0));
      }
      if (page.isLast() || page.resume() == null) {
        return null;
      }
      rest = rest.before(page.resume());
    }
    return null;
  }

  private static CompletableFuture<Boolean> done(CompletableFuture<Void> future) {
    return future.thenApply(nothing -> true);
  }

  private static <T> List<List<T>> pieces(List<T> all) {
    List<List<T>> pieces = new ArrayList<>();
    for (int from = 0; from < all.size(); from += ROWS_PER_CALL_MAX) {
      pieces.add(all.subList(from, Math.min(all.size(), from + ROWS_PER_CALL_MAX)));
    }
    return pieces;
  }
}
