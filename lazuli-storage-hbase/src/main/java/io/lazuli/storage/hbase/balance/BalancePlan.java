package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides which regions of a cluster to split or merge, as a pure function of their observed load.
 *
 * <p>A region that has been hot for some rounds is split at the partition boundary nearest to the
 * median of its load. If one partition takes nearly all of the load, a split would not help, and
 * the partition is reported. Neighbours that have been cold for a long time are merged, as long as
 * every server can keep a region of the table. A table has at most one split or merge at a time.
 * Regions that were opened or moved recently are left alone: servers remember for a while where a
 * region went, and clients could be sent back and forth.
 */
public final class BalancePlan {
  /** A partition with more than this part of a region's load counts as the cause of the load. */
  private static final double ONE_PARTITION = 0.8;

  /**
   * The number of samples that a split needs. Fewer samples do not locate the median well enough.
   */
  private static final int SAMPLES_MIN = 20;

  private final BalanceSettings settings;
  private final Map<String, Heat> heat;
  private final int servers;

  private BalancePlan(BalanceSettings settings, Map<String, Heat> heat, int servers) {
    this.settings = settings;
    this.heat = heat;
    this.servers = servers;
  }

  /**
   * Returns the steps to take now.
   *
   * @param loads all regions of all tables, those of a table in the order of their keys
   * @param heat the heat of each table
   * @param servers the number of servers in the cluster
   * @param operationsLastHour splits and merges that count against the limit
   */
  public static List<BalanceStep> of(
      List<RegionLoad> loads,
      Map<String, Heat> heat,
      int servers,
      int operationsLastHour,
      BalanceSettings settings) {
    if (settings.mode() == BalanceSettings.Mode.OFF) {
      return List.of();
    }
    BalancePlan plan = new BalancePlan(settings, heat, servers);
    Map<String, List<RegionLoad>> tables =
        loads.stream()
            .collect(
                Collectors.groupingBy(
                    load -> load.region().table(), TreeMap::new, Collectors.toList()));
    List<BalanceStep> steps = new ArrayList<>();
    int left = settings.operationsPerHour() - operationsLastHour;
    for (List<RegionLoad> table : tables.values()) {
      for (BalanceStep step : plan.steps(table)) {
        boolean operation = !(step instanceof BalanceStep.TooHot);
        steps.add(operation && left-- <= 0 ? plan.heldBack(step) : step);
      }
    }
    return steps;
  }

  /** Returns reports, followed by at most one split or merge. */
  private List<BalanceStep> steps(List<RegionLoad> table) {
    List<BalanceStep> steps = new ArrayList<>();
    List<RegionLoad> hot =
        table.stream()
            .filter(load -> load.hotRounds() >= settings.hotRounds() && isSettled(load))
            .sorted(Comparator.comparingDouble(RegionLoad::rate).reversed())
            .toList();
    for (RegionLoad load : hot) {
      BalanceStep step = relief(load);
      if (step != null) {
        steps.add(step);
      }
      if (step instanceof BalanceStep.Split) {
        return steps;
      }
    }
    BalanceStep merge = merge(table);
    if (merge != null) {
      steps.add(merge);
    }
    return steps;
  }

  private @Nullable BalanceStep relief(RegionLoad load) {
    RegionSample region = load.region();
    Heat inside = heat.getOrDefault(region.table(), Heat.NONE).within(region.from(), region.to());
    if (inside.samples() < SAMPLES_MIN) {
      return null;
    }
    Map.Entry<Bytes, Heat.Share> hottest = inside.hottest(1).get(0);
    double part = hottest.getValue().rate() / inside.rate();
    Bytes median = inside.median();
    if (part > ONE_PARTITION || median == null) {
      return new BalanceStep.TooHot(
          region,
          hottest.getKey(),
          "it takes %.0f %% of the %.0f requests/s of its range; %s"
              .formatted(100 * part, load.rate(), cause(region.table())));
    }
    return new BalanceStep.Split(
        region,
        median,
        "%.0f requests/s for %d rounds, other ranges %.0f on average; %.0f %% before the split"
            .formatted(
                load.rate(), load.hotRounds(), load.othersRate(), 100 * inside.partBefore(median)));
  }

  /**
   * Returns advice about a hot partition. A partition of the catalogue belongs to one account and
   * service, so users cannot spread its keys.
   */
  private static String cause(String table) {
    return table.equals("catalog")
        ? "the cause is one account's use of one service"
        : "spread its keys over more partitions";
  }

  private @Nullable BalanceStep merge(List<RegionLoad> table) {
    if (table.size() <= Math.max(servers, settings.rangesMin())) {
      return null;
    }
    BalanceStep coldest = null;
    double lowest = Double.MAX_VALUE;
    for (int i = 1; i < table.size(); i++) {
      RegionLoad left = table.get(i - 1);
      RegionLoad right = table.get(i);
      double rate = left.rate() + right.rate();
      if (isMergeable(left, right) && rate < lowest) {
        lowest = rate;
        coldest =
            new BalanceStep.Merge(
                left.region(),
                right.region(),
                "both below %.0f requests/s for %d s"
                    .formatted(settings.coldRate(), cold(left, right)));
      }
    }
    return coldest;
  }

  private BalanceStep heldBack(BalanceStep step) {
    return new BalanceStep.HeldBack(
        step, "the limit of " + settings.operationsPerHour() + " operations per hour is reached");
  }

  private boolean isMergeable(RegionLoad left, RegionLoad right) {
    return left.region().isBefore(right.region())
        && isSettled(left)
        && isSettled(right)
        && left.cold().compareTo(settings.coldTime()) >= 0
        && right.cold().compareTo(settings.coldTime()) >= 0
        && left.region().bytes() + right.region().bytes() <= settings.mergeBytesMax();
  }

  private boolean isSettled(RegionLoad load) {
    return load.here().compareTo(settings.pause()) >= 0;
  }

  private static long cold(RegionLoad left, RegionLoad right) {
    return Math.min(left.cold().toSeconds(), right.cold().toSeconds());
  }
}
