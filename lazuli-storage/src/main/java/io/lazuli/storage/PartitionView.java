package io.lazuli.storage;

import org.jspecify.annotations.Nullable;

/**
 * The partition as a transaction body sees and changes it, with the body's own changes already in
 * it. Valid on the calling thread until the body returns.
 *
 * <p>Every row that the body has read by key, even if it was absent, is guaranteed to be unchanged
 * when the body commits. A scan makes no such promise: a body must read by key everything that has
 * to hold at the commit.
 */
public interface PartitionView {
  /** The maximum number of rows that one scan of a view shows. */
  int SCAN_ROWS_MAX = 10_000;

  /**
   * Returns the number of this attempt: 1 for the first, and one more each time another transaction
   * changed a row that the body had read by key. In one attempt an engine may run the body several
   * times, because it fetches rows only when the body asks for them; it then stops the body with an
   * exception, which the body must not keep.
   */
  int attempt();

  /**
   * Reads one row by its key.
   *
   * @return the value, which must not be modified; null if there is no such row
   */
  byte @Nullable [] read(Bytes row);

  /**
   * Shows the rows from {@code from}, inclusive, to {@code to}, exclusive, in ascending order.
   *
   * @param to null for the end of the partition
   * @param rowsMax at most {@link #SCAN_ROWS_MAX}
   */
  void scan(Bytes from, @Nullable Bytes to, int rowsMax, RowVisitor visitor);

  /** Writes a row. The array belongs to the engine from now on. */
  void put(Bytes row, byte[] value);

  /** Removes a row if it exists. */
  void delete(Bytes row);

  /**
   * Returns a time in ticks (100 ns since 1601-01-01 UTC) above every timestamp that this row ever
   * had, even if the row was deleted or the clock was set back.
   */
  long timestamp(Bytes row);

  /**
   * Drops a space whose home is this partition. The space is gone as soon as this transaction
   * commits, whatever its size. Its gate is another space, which stays.
   */
  void drop(Space space);
}
