package io.lazuli.server.load.count;

/**
 * The places of counts. Each range of keys has {@link #RANGE_SIZE} counts, each space has {@link
 * #SPACE_SIZE}.
 */
public final class Tally {
  /** Requests that read. */
  public static final int READS = 0;

  /** Requests that write. */
  public static final int WRITES = 1;

  public static final int ENTITIES_READ = 2;

  /** Entities that were written, or messages that were put or taken. */
  public static final int ENTITIES_WRITTEN = 3;

  public static final int BYTES_OUT = 4;
  public static final int BYTES_IN = 5;

  /** Queries that read whole partitions or more. */
  public static final int SCANS = 6;

  /** Requests that were answered 503 or 412. */
  public static final int REFUSED = 7;

  /** The counts of a range. */
  public static final int RANGE_SIZE = 8;

  /** The first places of a space count requests by {@link OperationClass}. */
  public static final int BATCH_OPERATIONS = 7;

  /** Entities that were written and need not have existed before. */
  public static final int INSERTS = 8;

  /** Requests that were answered 503. */
  public static final int BUSY = 9;

  /** Requests that were answered 412. */
  public static final int CONFLICTS = 10;

  /** The time of the server for all requests. */
  public static final int MICROS = 11;

  /** Scans, and what they cost. */
  public static final int SCAN_RUNS = 12;

  public static final int SCAN_MICROS = 13;
  public static final int SCAN_READ = 14;
  public static final int SCAN_RETURNED = 15;

  /** Messages that were handed out, and those of them that were handed out too often. */
  public static final int TAKEN = 16;

  public static final int WORN = 17;

  /** The counts of a space. */
  public static final int SPACE_SIZE = 18;

  private Tally() {}

  /** Returns the place of a class of operations among the counts of a space. */
  public static int of(OperationClass operations) {
    return operations.place();
  }
}
