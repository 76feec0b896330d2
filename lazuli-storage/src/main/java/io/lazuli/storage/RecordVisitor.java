package io.lazuli.storage;

import org.jspecify.annotations.Nullable;

/**
 * Receives the records of a scan one after another, on one thread at a time. The thread may belong
 * to the engine, so a visitor may use the CPU but must not wait.
 */
@FunctionalInterface
public interface RecordVisitor {
  /**
   * Receives one record, which is lent: it is valid until this method returns. Says how the scan
   * goes on.
   */
  Visit visit(LentRecord record);

  /**
   * Returns the number of records after which the visitor stops at the latest, so that an engine
   * need not fetch more. Asked before each fetch.
   */
  default int recordsMax() {
    return Integer.MAX_VALUE;
  }

  /**
   * Returns a test that all records pass which the visitor still needs; null if it needs to see
   * every record. Asked before each fetch. An engine may leave out records that fail the test, and
   * may as well ignore it.
   */
  default @Nullable RecordTest test() {
    return null;
  }

  /** Learns how many records a fetch has left out because of the test. */
  default void leftOut(long records) {}

  /**
   * Returns whether the scan continues at a position, for a visitor with a time limit. Asked after
   * a fetch to which the test was applied, because such a fetch may take long and find nothing. All
   * records before the position were shown or left out. The scan ends if the result is false.
   */
  default boolean continuesAt(Position next) {
    return true;
  }

  /**
   * Returns a visitor that stops after the first records, for a scan that needs few.
   *
   * @param recordsMax the number of records that the other visitor sees; positive
   * @param visitor must not skip
   */
  static RecordVisitor ofFirst(int recordsMax, RecordVisitor visitor) {
    return new FirstRecords(recordsMax, visitor);
  }
}
