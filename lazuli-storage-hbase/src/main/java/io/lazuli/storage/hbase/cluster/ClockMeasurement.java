package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.hbase.call.StoredCell;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Measures how far the cluster's clock is from ours. A cell that is written without a timestamp
 * gets the time of its region server. Blocks.
 */
public final class ClockMeasurement {
  /** Writes cells without a timestamp, and reads them. */
  interface Cells {
    /** Writes a cell. Returns false if the caller has to try again with another row. */
    boolean write(Bytes row, Deadline deadline);

    StoredCell read(Bytes row, Deadline deadline);
  }

  private final Cells cells;
  private final LongSupplier millis;

  /**
   * @param millis the clock of this server
   */
  public ClockMeasurement(Cells cells, LongSupplier millis) {
    this.cells = cells;
    this.millis = millis;
  }

  /**
   * Returns how many milliseconds the cluster's clock is ahead. A difference that the duration of
   * the call can explain counts as zero.
   */
  public long offsetMillis(Deadline deadline) {
    while (true) {
      deadline.check();
      Bytes row = freshRow();
      long before = millis.getAsLong();
      if (cells.write(row, deadline)) {
        long after = millis.getAsLong();
        StoredCell cell = cells.read(row, deadline);
        // Cells expire after a minute. The cell is missing if this server was paused, or if the
        // region moved to a server whose clock is ahead. A missing cell says nothing about the
        // time.
        if (cell.stored() != null) {
          long there = cell.millis();
          return there > after ? there - after : Math.min(0, there - before);
        }
      }
    }
  }

  /**
   * Returns a row that was never used. An older cell in the same row, from a faster clock, would
   * hide the new cell.
   */
  private static Bytes freshRow() {
    return Bytes.of(
        ByteBuffer.allocate(2 + Long.BYTES)
            .put((byte) 0)
            .put((byte) 'c')
            .putLong(ThreadLocalRandom.current().nextLong())
            .array());
  }
}
