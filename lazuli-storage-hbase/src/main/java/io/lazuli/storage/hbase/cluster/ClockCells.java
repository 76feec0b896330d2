package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.hbase.call.CallFailure;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.commit.OwnRows;
import io.lazuli.storage.keys.KeyCodec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Put;

/**
 * Writes and reads the cells with which the cluster's clock is measured. They expire by themselves.
 */
public final class ClockCells implements ClockMeasurement.Cells {
  private static final Duration CELL_LIFETIME = Duration.ofMinutes(1);

  private final RegionCalls calls;
  private final Rows rows;

  public ClockCells(RegionCalls calls, Rows rows) {
    this.calls = calls;
    this.rows = rows;
  }

  @Override
  public boolean write(Bytes row, Deadline deadline) {
    byte[] key = KeyCodec.encode(OwnRows.STORE.row(row));
    Put put =
        new Put(key)
            .addColumn(
                StoreTable.FAMILY, StoreTable.QUALIFIER, StoredCell.encode(0, 0, new byte[0]));
    put.setTTL(CELL_LIFETIME.toMillis());
    return Steps.await(
        Steps.rescue(
            calls.write(
                StoreTable.CATALOG,
                key,
                deadline,
                (remote, region) -> remote.put(put).thenApply(nothing -> true)),
            failure -> recovered(key, failure, deadline)));
  }

  private CompletableFuture<Boolean> recovered(byte[] key, Throwable failure, Deadline deadline) {
    Throwable refusal = failure instanceof CallFailure failed ? calls.refusal(failed) : failure;
    return refusal instanceof CallFailure call
        ? Steps.map(calls.recover(StoreTable.CATALOG, key, deadline, call, 1), done -> false)
        : CompletableFuture.failedFuture(refusal);
  }

  @Override
  public StoredCell read(Bytes row, Deadline deadline) {
    return Steps.await(rows.read(OwnRows.STORE, row, deadline));
  }
}
