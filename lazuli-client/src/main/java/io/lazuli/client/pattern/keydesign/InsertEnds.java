package io.lazuli.client.pattern.keydesign;

import org.jspecify.annotations.Nullable;

/**
 * Counts inserts at the ends of a table: in or after the last partition, and in or before the
 * first. The ends are those at the start of the current period. Mutable; the owner synchronises.
 */
final class InsertEnds {
  private @Nullable String first;
  private @Nullable String last;
  private @Nullable String firstAtStart;
  private @Nullable String lastAtStart;
  private Counts counts = Counts.NONE;

  /**
   * The inserts that were judged, because the ends were known.
   *
   * @param inserts all of them
   * @param atLast those in or after the last partition
   * @param atFirst those in or before the first partition
   * @param lastMoved how often a partition after the last one appeared
   * @param firstMoved how often a partition before the first one appeared
   */
  record Counts(long inserts, long atLast, long atFirst, int lastMoved, int firstMoved) {
    static final Counts NONE = new Counts(0, 0, 0, 0, 0);
  }

  /** Starts a period: from now on inserts are compared with the ends as they are now. */
  void startPeriod() {
    firstAtStart = first;
    lastAtStart = last;
  }

  /** Returns the counts and starts again with none. */
  Counts take() {
    Counts taken = counts;
    counts = Counts.NONE;
    return taken;
  }

  void add(String partition, long inserts) {
    boolean isLast = last == null || partition.compareTo(last) > 0;
    boolean isFirst = first == null || partition.compareTo(first) < 0;
    if (lastAtStart != null && firstAtStart != null) {
      counts =
          new Counts(
              counts.inserts + inserts,
              counts.atLast + (partition.compareTo(lastAtStart) >= 0 ? inserts : 0),
              counts.atFirst + (partition.compareTo(firstAtStart) <= 0 ? inserts : 0),
              counts.lastMoved + (isLast ? 1 : 0),
              counts.firstMoved + (isFirst ? 1 : 0));
    }
    last = isLast ? partition : last;
    first = isFirst ? partition : first;
  }

  /** Returns the last partition; empty text if there is none. */
  String last() {
    return last == null ? "" : last;
  }

  /** Returns the first partition; empty text if there is none. */
  String first() {
    return first == null ? "" : first;
  }
}
