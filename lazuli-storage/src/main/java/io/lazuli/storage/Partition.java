package io.lazuli.storage;

/** The unit of atomicity: a space and the bytes that name one of its partitions. */
public record Partition(Space space, Bytes name) {
  /** Returns the same rows, reached without the gate of their space. */
  public Partition withoutGate() {
    return space.gate() == 0 ? this : new Partition(space.withoutGate(), name);
  }

  /** Returns the key of a row of this partition. */
  public RecordKey row(Bytes row) {
    return new RecordKey(this, row);
  }
}
