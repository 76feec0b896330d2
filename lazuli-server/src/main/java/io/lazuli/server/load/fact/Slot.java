package io.lazuli.server.load.fact;

import io.lazuli.server.load.count.SpaceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The load of one server in a period.
 *
 * @param server the server's mark, which a restart changes
 * @param start in seconds since 1970
 * @param partial true if the server did not count during the whole period
 */
public record Slot(
    String server, long start, int seconds, boolean partial, List<SpaceLoad> spaces) {
  public Slot {
    spaces = List.copyOf(spaces);
  }

  /**
   * Adds the counts of several slots. What samples say is left out.
   *
   * @param rangesMax the number of ranges of one space
   */
  public static List<SpaceLoad> sum(List<SpaceLoad> one, List<SpaceLoad> other, int rangesMax) {
    Map<SpaceName, SpaceLoad> sums = new TreeMap<>();
    one.forEach(space -> sums.put(space.name(), space.withoutFacts()));
    for (SpaceLoad space : other) {
      sums.merge(space.name(), space.withoutFacts(), (a, b) -> plus(a, b, rangesMax));
    }
    return new ArrayList<>(sums.values());
  }

  /** Joins the same minute of several servers, with what samples say. Ranges are left out. */
  public static Map<SpaceName, SpaceLoad> joined(List<Slot> slots) {
    Map<SpaceName, SpaceLoad> joined = new TreeMap<>();
    for (Slot slot : slots) {
      for (SpaceLoad space : slot.spaces()) {
        joined.merge(
            space.name(),
            space,
            (a, b) -> {
              SpaceLoad sum = plus(a, b, 1);
              return new SpaceLoad(
                  sum.name(), sum.counts(), sum.bounds(), sum.byRange(), a.facts().plus(b.facts()));
            });
      }
    }
    return joined;
  }

  private static SpaceLoad plus(SpaceLoad a, SpaceLoad b, int rangesMax) {
    long[] counts = a.counts().clone();
    for (int i = 0; i < counts.length; i++) {
      counts[i] += b.counts()[i];
    }
    Ranges ranges = Ranges.of(a).plus(Ranges.of(b)).atMost(rangesMax);
    return new SpaceLoad(a.name(), counts, ranges.bounds(), ranges.counts(), Facts.NONE);
  }
}
