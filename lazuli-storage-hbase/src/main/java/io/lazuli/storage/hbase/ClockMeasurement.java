package io.lazuli.storage.hbase;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.hbase.client.Put;

/**
 * Measures how far the cluster's clock is from ours: a cell written without a time gets that of its
 * region server. Blocks.
 */
final class ClockMeasurement {
  private static final Duration CELL_LIFE = Duration.ofMinutes(1);

  private final RegionCalls calls;
  private final Rows rows;

  ClockMeasurement(RegionCalls calls, Rows rows) {
    this.calls = calls;
    this.rows = rows;
  }

  /**
   * How many milliseconds the cluster's clock is ahead. What lies within the time that the call
   * took counts as no difference.
   */
  long offsetMillis(Deadline deadline) {
    while (true) {
      deadline.check();
      Bytes row = freshRow();
      long before = System.currentTimeMillis();
      if (write(row)) {
        long after = System.currentTimeMillis();
        long there = rows.read(OwnRows.STORE, row, deadline).millis();
        return there > after ? there - after : Math.min(0, there - before);
      }
    }
  }

  private boolean write(Bytes row) {
    byte[] key = KeyCodec.encode(OwnRows.STORE.row(row));
    Put put =
        new Put(key)
            .addColumn(
                StoreTable.FAMILY, StoreTable.QUALIFIER, StoredCell.encode(0, 0, new byte[0]));
    put.setTTL(CELL_LIFE.toMillis());
    try {
      calls.write(StoreTable.CATALOG, key, (remote, region) -> remote.put(put));
      return true;
    } catch (CallFailure e) {
      calls.requireHope(e);
      calls.recover(StoreTable.CATALOG, key);
      return false;
    }
  }

  /** Never the same twice: an older cell from a faster clock would hide the new one. */
  private static Bytes freshRow() {
    return Bytes.of(
        ByteBuffer.allocate(2 + Long.BYTES)
            .put((byte) 0)
            .put((byte) 'c')
            .putLong(ThreadLocalRandom.current().nextLong())
            .array());
  }
}
