package io.lazuli.storage;

/**
 * One record as a scan shows it. All three parts are lent: they are valid until the visitor
 * returns. One object serves a whole scan.
 */
public final class LentRecord {
  private final LentBytes partition = new LentBytes();
  private final LentBytes row = new LentBytes();
  private final LentBytes value = new LentBytes();

  public LentBytes partition() {
    return partition;
  }

  public LentBytes row() {
    return row;
  }

  public LentBytes value() {
    return value;
  }
}
