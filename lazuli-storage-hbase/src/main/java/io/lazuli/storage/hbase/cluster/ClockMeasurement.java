package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.hbase.call.StoredCell;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Measures how far the cluster's clock is from ours: a cell written without a time gets that of its
 * region server. Blocks.
 */
public final class ClockMeasurement {
  /** Writes cells without a time and reads them. */
  interface Cells {
    /** False if it has to be tried again, with another row. */
    boolean write(Bytes row);

    StoredCell read(Bytes row, Deadline deadline);
  }

  private final Cells cells;
  private final LongSupplier millis;

  /**
   * @param millis this server's own clock
   */
  public ClockMeasurement(Cells cells, LongSupplier millis) {
    this.cells = cells;
    this.millis = millis;
  }

  /**
   * How many milliseconds the cluster's clock is ahead. What lies within the time that the call
   * took counts as no difference.
   */
  public long offsetMillis(Deadline deadline) {
    while (true) {
      deadline.check();
      Bytes row = freshRow();
      long before = millis.getAsLong();
      if (cells.write(row)) {
        long after = millis.getAsLong();
        StoredCell cell = cells.read(row, deadline);
        // Cells live for a minute: this server may have stood still, or the region may have moved
        // to a server whose clock is ahead. No cell says nothing about the time.
        if (cell.stored() != null) {
          long there = cell.millis();
          return there > after ? there - after : Math.min(0, there - before);
        }
      }
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
