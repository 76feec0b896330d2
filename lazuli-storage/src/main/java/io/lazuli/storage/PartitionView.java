package io.lazuli.storage;

import org.jspecify.annotations.Nullable;

/**
 * What the body of a transaction sees and changes: the rows of its one partition, with its own
 * changes already in them. Valid on the calling thread until the body returns.
 *
 * <p>Every row read by key, absent ones included, is still so when the body commits. A scan
 * promises nothing at commit: what must still hold is read by key.
 */
public interface PartitionView {
  /** The most rows that one scan of a view shows. */
  int SCAN_ROWS_MAX = 10_000;

  /**
   * How often the engine has run this body, counting this run: 1 for the first. An engine runs a
   * body again after another transaction changed a row that the body had read by key.
   */
  int attempt();

  /**
   * Reads one row by its key.
   *
   * @return the value, not to be written to; null if the row is not there
   */
  byte @Nullable [] read(Bytes row);

  /**
   * Shows the rows from {@code from} up to but without {@code to}, in ascending order.
   *
   * @param to null for the end of the partition
   * @param rowsMax at most {@link #SCAN_ROWS_MAX}
   */
  void scan(Bytes from, @Nullable Bytes to, int rowsMax, RowVisitor visitor);

  /** Writes a row. The array belongs to the engine from now on. */
  void put(Bytes row, byte[] value);

  /** Removes a row, if it is there. */
  void delete(Bytes row);

  /**
   * A time in ticks (100 ns since 1601-01-01 UTC) above every timestamp that this row ever had,
   * also when it was deleted and the clock went back.
   */
  long timestamp(Bytes row);

  /**
   * Drops a space whose home is this partition, in this transaction: from its commit on the space
   * is gone, whatever its size.
   */
  void drop(Space space);
}
