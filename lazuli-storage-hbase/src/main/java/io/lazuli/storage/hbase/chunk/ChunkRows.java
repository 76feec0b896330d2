package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.keys.KeyInterval;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;

/**
 * Reads and writes many rows of the table of chunks, in bounded calls. All calls are idempotent and
 * are repeated until the cluster answers or the deadline passes. Never blocks. Thread-safe.
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

  CompletableFuture<Boolean> putAll(List<Put> puts, Deadline deadline) {
    return grouped(
        puts,
        deadline,
        group -> repeat(group, deadline, (remote, region) -> done(remote.putAll(group))));
  }

  CompletableFuture<Boolean> deleteAll(List<Delete> deletes, Deadline deadline) {
    return grouped(
        deletes,
        deadline,
        // The library removes what it has deleted from the list.
        group ->
            repeat(
                group,
                deadline,
                (remote, region) -> done(remote.deleteAll(new ArrayList<>(group)))));
  }

  /** Returns the rows that exist, in no particular order. */
  CompletableFuture<List<Found>> find(List<byte[]> keys, Deadline deadline) {
    List<Found> found = new ArrayList<>();
    CompletableFuture<Boolean> all =
        grouped(
            keys.stream().map(ChunkRows::get).toList(),
            deadline,
            group ->
                Steps.map(
                    calls.read(
                        StoreTable.CHUNKS,
                        group.get(0).getRow(),
                        deadline,
                        (remote, region) -> remote.getAll(group)),
                    results -> found.addAll(found(results))));
    return Steps.map(all, done -> found);
  }

  private static List<Found> found(List<Result> results) {
    return results.stream()
        .filter(result -> !result.isEmpty())
        .map(result -> new Found(result.getRow(), StoredCell.of(result)))
        .toList();
  }

  /** Takes a step for all rows of a region, one region after another. */
  private <R extends Row> CompletableFuture<Boolean> grouped(
      List<R> rows, Deadline deadline, Function<List<R>, CompletableFuture<Boolean>> step) {
    return Steps.each(
        pieces(rows),
        some ->
            Steps.then(
                calls.byRegion(StoreTable.CHUNKS, some, deadline),
                groups -> Steps.each(groups, step)));
  }

  private CompletableFuture<Boolean> repeat(
      List<? extends Row> group, Deadline deadline, RegionCalls.Call<Boolean> call) {
    return calls.repeat(StoreTable.CHUNKS, group.get(0).getRow(), deadline, call);
  }

  /**
   * Returns the first rows of an interval, in order.
   *
   * @param max the number of rows to return; fewer are returned only if the interval has no more
   */
  CompletableFuture<List<Found>> first(KeyInterval interval, int max, Deadline deadline) {
    return Steps.map(
        scan.first(StoreTable.CHUNKS, interval, max, RegionScan.PAGE_RECORDS_MAX, deadline),
        cells ->
            cells.stream()
                .map(cell -> new Found(CellUtil.cloneRow(cell), StoredCell.of(cell)))
                .toList());
  }

  /** Returns the key of the last row of an interval; empty if the interval has no rows. */
  CompletableFuture<Optional<byte[]>> lastKey(KeyInterval interval, Deadline deadline) {
    if (interval.isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return Steps.then(
        scan.page(StoreTable.CHUNKS, List.of(interval), false, 1, false, deadline),
        page -> {
          Bytes resume = page.resume();
          return !page.cells().isEmpty() || page.isLast() || resume == null
              ? CompletableFuture.completedFuture(
                  page.cells().stream().findFirst().map(CellUtil::cloneRow))
              : lastKey(interval.before(resume), deadline);
        });
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
