package io.lazuli.storage;

/** Receives the rows of a scan inside a transaction. */
@FunctionalInterface
public interface RowVisitor {
  /**
   * Receives one row.
   *
   * @param value must not be modified
   * @return false to stop
   */
  boolean visit(Bytes row, byte[] value);
}
