package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.hbase.call.CallFailure;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.commit.OwnRows;
import io.lazuli.storage.keys.KeyCodec;
import java.time.Duration;
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
  public boolean write(Bytes row) {
    byte[] key = KeyCodec.encode(OwnRows.STORE.row(row));
    Put put =
        new Put(key)
            .addColumn(
                StoreTable.FAMILY, StoreTable.QUALIFIER, StoredCell.encode(0, 0, new byte[0]));
    put.setTTL(CELL_LIFETIME.toMillis());
    try {
      calls.write(StoreTable.CATALOG, key, (remote, region) -> remote.put(put));
      return true;
    } catch (CallFailure e) {
      calls.requireRepeatable(e);
      calls.recover(StoreTable.CATALOG, key);
      return false;
    }
  }

  @Override
  public StoredCell read(Bytes row, Deadline deadline) {
    return rows.read(OwnRows.STORE, row, deadline);
  }
}
