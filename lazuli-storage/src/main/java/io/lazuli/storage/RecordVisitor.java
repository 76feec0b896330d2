package io.lazuli.storage;

/** Sees the records of a scan, one after another, on the thread that scans. */
@FunctionalInterface
public interface RecordVisitor {
  /** The record is lent: it is valid until this method returns. */
  Visit visit(LentRecord record);

  /** With how many records it stops at the latest; an engine need not look for more. */
  default int recordsMax() {
    return Integer.MAX_VALUE;
  }

  /**
   * A visitor of the first records only, for a scan that looks for few.
   *
   * @param recordsMax how many the other visitor is shown, positive
   * @param visitor must not skip
   */
  static RecordVisitor ofFirst(int recordsMax, RecordVisitor visitor) {
    return new FirstRecords(recordsMax, visitor);
  }
}
