package io.lazuli.server.load.usage;

import io.lazuli.server.load.count.SpaceName;
import io.lazuli.server.load.fact.Slot;
import io.lazuli.server.load.fact.SpaceLoad;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Adds slots of load up. Mutable; used by one thread. */
public final class UsageSum {
  /** The names that are added up apart; the bound of the sum's memory. */
  public static final int NAMES_MAX = 512;

  /** Clients write names of tables in different cases. */
  private static final Comparator<SpaceName> SAME_SPACE =
      Comparator.comparing(SpaceName::service)
          .thenComparing(SpaceName::name, String.CASE_INSENSITIVE_ORDER);

  private final UsageQuery query;
  private final Map<SpaceName, Map<OperationKind, long[]>> sums = new TreeMap<>(SAME_SPACE);
  private long since;
  private long until;

  public UsageSum(UsageQuery query) {
    this.query = query;
  }

  /** Adds the counts of a slot, which must not be longer than a period of the query. */
  public void add(Slot slot) {
    long place = Math.floorDiv(slot.start() - query.from(), (long) query.columnSeconds());
    if (place < 0 || place >= query.columns()) {
      return;
    }
    since = since == 0 ? slot.start() : Math.min(since, slot.start());
    until = Math.max(until, slot.start() + slot.seconds());
    for (SpaceLoad load : slot.spaces()) {
      if (load.name().account().equals(query.account())) {
        add(load, (int) place);
      }
    }
  }

  private void add(SpaceLoad load, int place) {
    SpaceName name = load.name();
    if (!sums.containsKey(name) && sums.size() >= NAMES_MAX) {
      name = rest(name);
    }
    Map<OperationKind, long[]> byKind =
        sums.computeIfAbsent(name, missing -> new EnumMap<>(OperationKind.class));
    for (OperationKind kind : OperationKind.values()) {
      long operations = kind.of(load);
      if (operations > 0) {
        byKind.computeIfAbsent(kind, missing -> new long[query.columns()])[place] += operations;
      }
    }
  }

  private static SpaceName rest(SpaceName name) {
    return new SpaceName(name.account(), name.service(), "");
  }

  /**
   * Returns the sums of the busiest names, and those of the others together.
   *
   * @param complete false if slots are missing
   */
  public Usage usage(boolean complete) {
    Set<SpaceName> busiest =
        sums.keySet().stream()
            .filter(name -> !name.isRest())
            .sorted(Comparator.comparingLong(this::total).reversed().thenComparing(SAME_SPACE))
            .limit(Usage.SPACES_MAX)
            .collect(Collectors.toCollection(HashSet::new));
    Map<SpaceName, Map<OperationKind, long[]>> shown = new TreeMap<>(SAME_SPACE);
    sums.forEach(
        (name, byKind) -> {
          Map<OperationKind, long[]> to =
              shown.computeIfAbsent(
                  busiest.contains(name) ? name : rest(name),
                  missing -> new EnumMap<>(OperationKind.class));
          byKind.forEach((kind, operations) -> to.merge(kind, operations, UsageSum::plus));
        });
    List<Usage.Row> rows =
        shown.entrySet().stream().flatMap(one -> rows(one.getKey(), one.getValue())).toList();
    return new Usage(rows, since, until, complete);
  }

  private static Stream<Usage.Row> rows(SpaceName name, Map<OperationKind, long[]> byKind) {
    return byKind.entrySet().stream().map(one -> new Usage.Row(name, one.getKey(), one.getValue()));
  }

  private long total(SpaceName name) {
    return sums.getOrDefault(name, Map.of()).values().stream().flatMapToLong(Arrays::stream).sum();
  }

  private static long[] plus(long[] one, long[] other) {
    long[] sum = one.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += other[i];
    }
    return sum;
  }
}
