package io.lazuli.storage;

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
   * need not fetch more. Asked before the first record.
   */
  default int recordsMax() {
    return Integer.MAX_VALUE;
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
