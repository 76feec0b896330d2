package io.lazuli.client.pattern.sequence;

import java.time.Duration;

/**
 * How a sequence reserves numbers. Immutable.
 *
 * @param first the first number of a sequence that does not exist yet
 * @param rangeSize how many numbers a process reserves at a time; a process that ends abandons the
 *     rest of its range
 * @param rangeMax how long a process uses a range; after that it abandons the rest, so that its
 *     numbers are not much smaller than those of other processes
 */
public record SequenceOptions(long first, int rangeSize, Duration rangeMax) {
  private static final int RANGE_SIZE_MAX = 1_000_000;
  private static final Duration RANGE_TIME_MAX = Duration.ofDays(365);

  /** Starts at 1, reserves 100 numbers at a time, and uses them for a minute. */
  public static final SequenceOptions DEFAULT = new SequenceOptions(1, 100, Duration.ofMinutes(1));

  /** Rejects a range without numbers and a time that is not positive. */
  public SequenceOptions {
    if (rangeSize < 1 || rangeSize > RANGE_SIZE_MAX) {
      throw new IllegalArgumentException("a range has 1 to 1,000,000 numbers, not " + rangeSize);
    }
    if (rangeMax.isNegative() || rangeMax.isZero() || rangeMax.compareTo(RANGE_TIME_MAX) > 0) {
      throw new IllegalArgumentException("a range is used for up to a year, not " + rangeMax);
    }
  }

  /** Returns these options with another first number. */
  public SequenceOptions withFirst(long number) {
    return new SequenceOptions(number, rangeSize, rangeMax);
  }

  /** Returns these options with another number of numbers in a range. */
  public SequenceOptions withRangeSize(int size) {
    return new SequenceOptions(first, size, rangeMax);
  }

  /** Returns these options with another time for which a range is used. */
  public SequenceOptions withRangeMax(Duration time) {
    return new SequenceOptions(first, rangeSize, time);
  }
}
