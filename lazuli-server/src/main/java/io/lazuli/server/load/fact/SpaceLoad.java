package io.lazuli.server.load.fact;

import io.lazuli.server.load.count.SpaceName;
import io.lazuli.server.load.count.Tally;
import java.util.List;

/**
 * The load of one space in a period. Nobody may write to the arrays.
 *
 * @param counts by {@link Tally}
 * @param bounds the first keys of the ranges; the first one is empty
 * @param byRange the counts of each range, by {@link Tally}
 */
public record SpaceLoad(
    SpaceName name, long[] counts, List<String> bounds, long[][] byRange, Facts facts) {
  public SpaceLoad {
    bounds = List.copyOf(bounds);
  }

  public long count(int place) {
    return counts[place];
  }

  /** Returns the number of requests. */
  public long requests() {
    long sum = 0;
    for (long[] range : byRange) {
      sum += range[Tally.READS] + range[Tally.WRITES];
    }
    return sum;
  }

  /** Returns the same load without what samples say. */
  SpaceLoad withoutFacts() {
    return new SpaceLoad(name, counts, bounds, byRange, Facts.NONE);
  }

  /** Returns the same load with other ranges. */
  SpaceLoad withRanges(Ranges ranges) {
    return new SpaceLoad(name, counts, ranges.bounds(), ranges.counts(), facts);
  }
}
