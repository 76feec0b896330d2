package io.lazuli.storage.history;

import java.util.List;

/**
 * One operation as its client saw it.
 *
 * @param target the partition of the operation; for a scan also {@link History#EVERYTHING}
 * @param start the time before the request, in nanoseconds of a clock that all clients share
 * @param end the time after the answer
 * @param seen the rows that the answer shows; for a write, its number if it is known
 */
public record Operation(
    Kind kind, String target, long start, long end, Outcome outcome, List<Seen> seen) {
  /** The kind of the request. */
  public enum Kind {
    /** Raises the number of a partition by one, in all of its rows, in one transaction. */
    WRITE,
    /** Reads one row by its key. */
    READ,
    SCAN
  }

  /** The outcome as far as the client knows. */
  public enum Outcome {
    ACKNOWLEDGED,
    /** Nothing was written. */
    FAILED,
    UNKNOWN
  }

  /** A row and the number in it. */
  public record Seen(String row, long number) {
    /** Returns the partition of the row. */
    public String target() {
      return row.substring(0, row.indexOf('/'));
    }
  }

  public Operation {
    seen = List.copyOf(seen);
  }

  public boolean isAcknowledged() {
    return outcome == Outcome.ACKNOWLEDGED;
  }

  public boolean isWrite() {
    return kind == Kind.WRITE;
  }
}
