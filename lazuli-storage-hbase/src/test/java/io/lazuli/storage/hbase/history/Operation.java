package io.lazuli.storage.hbase.history;

import java.util.List;

/**
 * One operation as its client saw it.
 *
 * @param target the partition that it was about; of a scan {@link Store#EVERYTHING} also
 * @param start before the request was made, in nanoseconds of the clock of all clients
 * @param end after the answer was there
 * @param seen what was shown; of a write the number that it wrote, if it is known
 */
record Operation(Kind kind, String target, long start, long end, Outcome outcome, List<Seen> seen) {
  /** What was asked for. */
  enum Kind {
    /** Raises the number of a partition by one: in all of its rows, in one transaction. */
    WRITE,
    /** Reads one row by its key. */
    READ,
    SCAN
  }

  /** What the client knows. */
  enum Outcome {
    ACKNOWLEDGED,
    /** Nothing was written. */
    FAILED,
    UNKNOWN
  }

  /** A row and the number in it. */
  record Seen(String row, long number) {
    /** The partition of the row. */
    String target() {
      return row.substring(0, row.indexOf('/'));
    }
  }

  Operation {
    seen = List.copyOf(seen);
  }

  boolean isAcknowledged() {
    return outcome == Outcome.ACKNOWLEDGED;
  }

  boolean isWrite() {
    return kind == Kind.WRITE;
  }
}
