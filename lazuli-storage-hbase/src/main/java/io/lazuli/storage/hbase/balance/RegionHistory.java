package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Computes the current load of regions from the samples of all servers, and remembers how long each
 * region has been hot, cold or on the same server. Mutable, used by one thread.
 */
public final class RegionHistory {
  private static final double HOTTER_THAN_OTHERS = 2;

  private final BalanceSettings settings;
  private Map<Bytes, Seen> seen = new HashMap<>();

  public RegionHistory(BalanceSettings settings) {
    this.settings = settings;
  }

  /**
   * A region at the time of a round.
   *
   * @param movedFrom the server from which the balancer moved the region; empty if it did not
   */
  private record Seen(
      RegionSample region,
      long atMillis,
      double rate,
      double readsPerSecond,
      double writesPerSecond,
      long sinceMillis,
      String movedFrom,
      int undone,
      int hotRounds,
      long coldSinceMillis) {
    static Seen opened(
        RegionSample region, long nowMillis, double rate, String movedFrom, int undone) {
      return new Seen(region, nowMillis, rate, 0, 0, nowMillis, movedFrom, undone, 0, nowMillis);
    }

    Seen judged(boolean hot, boolean cold) {
      return new Seen(
          region,
          atMillis,
          rate,
          readsPerSecond,
          writesPerSecond,
          sinceMillis,
          movedFrom,
          undone,
          hot ? hotRounds + 1 : 0,
          cold ? coldSinceMillis : atMillis);
    }
  }

  /**
   * Adds the current state of all regions.
   *
   * @param nowMillis the time on a clock that never goes back
   * @param servers the number of servers that share the load
   * @param heat the requests of all servers in the last round, by table
   * @return the load of the regions, in the order of the samples
   */
  public List<RegionLoad> add(
      long nowMillis, int servers, List<RegionSample> samples, Map<String, Heat> heat) {
    List<Seen> now =
        samples.stream()
            .map(sample -> follow(nowMillis, sample, heat(sample, heat).rate()))
            .toList();
    Map<String, List<Seen>> tables =
        now.stream().collect(Collectors.groupingBy(one -> one.region.table()));
    Map<Bytes, Seen> next = new HashMap<>();
    List<RegionLoad> loads = new ArrayList<>();
    for (Seen one : now) {
      List<Seen> all = tables.getOrDefault(one.region.table(), List.of());
      double others = rateOfOthers(one, all);
      Seen judged = one.judged(isHot(one, others, all, servers), one.rate < settings.coldRate());
      next.put(one.region.name(), judged);
      loads.add(load(judged, others));
    }
    seen = next;
    return loads;
  }

  /** Returns the requests to a region. */
  static Heat heat(RegionSample region, Map<String, Heat> heat) {
    return heat.getOrDefault(region.table(), Heat.NONE).within(region.from(), region.to());
  }

  /**
   * Treats a region as if it had just been opened, so that the balancer leaves it alone for a
   * while.
   */
  public void pause(long nowMillis, Bytes name) {
    seen.computeIfPresent(
        name,
        (same, one) -> Seen.opened(one.region, nowMillis, one.rate, one.movedFrom, one.undone));
  }

  /** Notes that the balancer moves a region away from its server. */
  public void moves(long nowMillis, Bytes name) {
    seen.computeIfPresent(
        name,
        (same, one) ->
            Seen.opened(one.region, nowMillis, one.rate, one.region.server(), one.undone));
  }

  /** Discards the history, because another server leads now. */
  public void forget() {
    seen = new HashMap<>();
  }

  private Seen follow(long nowMillis, RegionSample sample, double rate) {
    Seen before = seen.get(sample.name());
    if (before == null) {
      return Seen.opened(sample, nowMillis, rate, "", 0);
    }
    if (hasReopened(before.region, sample)) {
      boolean isBack =
          !before.region.server().equals(sample.server())
              && sample.server().equals(before.movedFrom);
      return Seen.opened(
          sample, nowMillis, rate, before.movedFrom, before.undone + (isBack ? 1 : 0));
    }
    double seconds = Math.max(1, nowMillis - before.atMillis) / 1_000.0;
    return new Seen(
        sample,
        nowMillis,
        rate,
        (sample.reads() - before.region.reads()) / seconds,
        (sample.writes() - before.region.writes()) / seconds,
        before.sinceMillis,
        before.movedFrom,
        before.undone,
        before.hotRounds,
        before.coldSinceMillis);
  }

  /**
   * Returns true if the region was opened again: on another server, or with counters that began
   * again at zero.
   */
  private static boolean hasReopened(RegionSample before, RegionSample now) {
    return !before.server().equals(now.server())
        || now.reads() < before.reads()
        || now.writes() < before.writes();
  }

  /**
   * Returns true if a region's rate is high and is more than twice the mean of the table's other
   * regions. The mean excludes the region itself: with only two regions, neither could exceed twice
   * the mean of both. While some server has no region of the table, the rate alone decides.
   */
  private boolean isHot(Seen one, double others, List<Seen> all, int servers) {
    return one.rate > settings.hotRate()
        && (all.size() < Math.max(2, servers) || one.rate > HOTTER_THAN_OTHERS * others);
  }

  private static double rateOfOthers(Seen one, List<Seen> all) {
    double sum = all.stream().mapToDouble(Seen::rate).sum();
    return all.size() < 2 ? 0 : (sum - one.rate) / (all.size() - 1);
  }

  private static RegionLoad load(Seen one, double others) {
    return new RegionLoad(
        one.region,
        one.rate,
        one.readsPerSecond,
        one.writesPerSecond,
        Duration.ofMillis(one.atMillis - one.sinceMillis),
        one.undone,
        one.hotRounds,
        others,
        Duration.ofMillis(one.atMillis - one.coldSinceMillis));
  }
}
