package io.lazuli.storage;

/** Shows the first records to another visitor and then stops the scan. Mutable, for one scan. */
final class FirstRecords implements RecordVisitor {
  private final int recordsMax;
  private final RecordVisitor visitor;
  private int seen;

  FirstRecords(int recordsMax, RecordVisitor visitor) {
    if (recordsMax < 1) {
      throw new IllegalArgumentException("recordsMax must be positive");
    }
    this.recordsMax = recordsMax;
    this.visitor = visitor;
  }

  @Override
  public Visit visit(LentRecord record) {
    seen++;
    Visit visit = visitor.visit(record);
    if (visit.target() != null) {
      throw new IllegalStateException("a visitor of the first records must not skip");
    }
    return seen < recordsMax ? visit : Visit.STOP;
  }

  @Override
  public int recordsMax() {
    return Math.max(1, recordsMax - seen);
  }
}
