package io.lazuli.storage;

/** Sees the rows of a scan inside a transaction. */
@FunctionalInterface
public interface RowVisitor {
  /**
   * Shows one row.
   *
   * @param value not to be written to
   * @return false to stop
   */
  boolean visit(Bytes row, byte[] value);
}
