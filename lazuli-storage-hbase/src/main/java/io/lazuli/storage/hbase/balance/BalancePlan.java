package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides which regions of a cluster to move, split or merge, as a pure function of their observed
 * load.
 *
 * <p>A node that is too hot gives a region to the coolest node ({@link NodePlan}), or splits its
 * hottest region if that is too hot to be moved. A region that has been hot for some rounds, while
 * other regions of its table are not or some node has none, is split as well. The split point is
 * the partition boundary nearest to the median of the load. If one partition takes nearly all of
 * the load, a split would not help, and the partition is reported. Neighbours that have been cold
 * for a long time are merged, as long as every server can keep a region of the table.
 *
 * <p>A round has several operations, but at most one on each node. Regions that were opened or
 * moved recently are left alone: servers remember for a while where a region went, and clients
 * could be sent back and forth.
 */
public final class BalancePlan {
  /** A partition with more than this part of a region's load counts as the cause of the load. */
  private static final double ONE_PARTITION = 0.8;

  /**
   * The number of samples that a split needs. Fewer samples do not locate the median well enough.
   */
  private static final int SAMPLES_MIN = 20;

  /** The maximum number of operations in a round. */
  static final int OPERATIONS_MAX = 8;

  private final BalanceSettings settings;
  private final Map<String, Heat> heat;
  private final int servers;
  private final Map<String, List<RegionLoad>> tables;
  private final Set<Bytes> keptBoundaries;
  private final List<BalanceStep> steps = new ArrayList<>();
  private final Set<String> busy = new HashSet<>();
  private int operations;
  private int left;

  private BalancePlan(Observed observed, int left, BalanceSettings settings) {
    this.settings = settings;
    this.heat = observed.meanHeat();
    this.servers = observed.nodes.size();
    this.keptBoundaries = observed.keptBoundaries;
    this.left = left;
    this.tables =
        observed.loads.stream()
            .collect(
                Collectors.groupingBy(
                    load -> load.region().table(), TreeMap::new, Collectors.toList()));
  }

  /**
   * What a leader knows about the cluster.
   *
   * @param loads all regions that answering nodes serve, those of a table in the order of their
   *     keys
   * @param heat the heat of each table in the last rounds, the oldest first
   * @param nodes all nodes of the cluster
   * @param keptBoundaries keys at which no regions are merged
   */
  public record Observed(
      List<RegionLoad> loads,
      List<Map<String, Heat>> heat,
      List<Node> nodes,
      Set<Bytes> keptBoundaries) {
    public Observed {
      loads = List.copyOf(loads);
      heat = List.copyOf(heat);
      nodes = List.copyOf(nodes);
      keptBoundaries = Set.copyOf(keptBoundaries);
    }

    private Map<String, Heat> meanHeat() {
      Set<String> names = new TreeSet<>();
      heat.forEach(round -> names.addAll(round.keySet()));
      return names.stream()
          .collect(
              Collectors.toMap(
                  name -> name,
                  name ->
                      Heat.mean(
                          heat.stream()
                              .map(round -> round.getOrDefault(name, Heat.NONE))
                              .toList())));
    }
  }

  /**
   * Returns the steps to take now: reports, and operations of which each node takes part in one at
   * most.
   *
   * @param operationsLastHour operations that count against the limit
   */
  public static List<BalanceStep> of(
      Observed observed, int operationsLastHour, BalanceSettings settings) {
    if (settings.mode() == BalanceSettings.Mode.OFF) {
      return List.of();
    }
    BalancePlan plan =
        new BalancePlan(observed, settings.operationsPerHour() - operationsLastHour, settings);
    plan.relieveNodes(new NodePlan(observed.loads, observed.heat, observed.nodes, settings));
    plan.tables.values().forEach(plan::splitHot);
    plan.tables.values().forEach(plan::mergeCold);
    return plan.steps;
  }

  private void relieveNodes(NodePlan nodes) {
    for (String hot : nodes.tooHot()) {
      Optional<BalanceStep> move = nodes.move(hot, busy);
      RegionLoad large = nodes.tooHotToMove(hot);
      if (move.isPresent()) {
        add(move.get());
      } else if (large != null) {
        BalanceStep step =
            relief(
                large,
                "its node is too hot, and %.0f requests/s of it go to this range"
                    .formatted(large.rate()));
        if (step != null) {
          add(step);
        }
      }
    }
  }

  private void splitHot(List<RegionLoad> table) {
    table.stream()
        .filter(load -> load.hotRounds() >= settings.hotRounds() && load.isSettled(settings))
        .sorted(Comparator.comparingDouble(RegionLoad::rate).reversed())
        .map(
            load ->
                relief(
                    load,
                    "%.0f requests/s for %d rounds, other ranges %.0f on average"
                        .formatted(load.rate(), load.hotRounds(), load.othersRate())))
        .filter(Objects::nonNull)
        .forEach(this::add);
  }

  private void mergeCold(List<RegionLoad> table) {
    BalanceStep merge = merge(table);
    if (merge != null) {
      add(merge);
    }
  }

  /**
   * Adds a step unless it is planned already, or an operation of this round is on one of its nodes.
   */
  private void add(BalanceStep step) {
    if (!step.isOperation()) {
      if (!steps.contains(step)) {
        steps.add(step);
      }
      return;
    }
    Set<String> nodes = nodes(step);
    if (operations == OPERATIONS_MAX || nodes.stream().anyMatch(busy::contains)) {
      return;
    }
    busy.addAll(nodes);
    operations++;
    steps.add(left-- > 0 ? step : heldBack(step));
  }

  private static Set<String> nodes(BalanceStep step) {
    Set<String> nodes = new HashSet<>();
    step.regions().forEach(region -> nodes.add(region.server()));
    if (step instanceof BalanceStep.Move move) {
      nodes.add(move.server());
    }
    return nodes;
  }

  /**
   * Returns a split of a hot region, or a report if no split would help; null if there are too few
   * samples.
   */
  private @Nullable BalanceStep relief(RegionLoad load, String cause) {
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
              .formatted(100 * part, load.rate(), advice(region.table())));
    }
    return new BalanceStep.Split(
        region,
        median,
        "%s; %.0f %% before the split".formatted(cause, 100 * inside.partBefore(median)));
  }

  /**
   * Returns advice about a hot partition. A partition of the catalogue belongs to one account and
   * service, so users cannot spread its keys.
   */
  private static String advice(String table) {
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
        && !keptBoundaries.contains(right.region().from())
        && left.isSettled(settings)
        && right.isSettled(settings)
        && left.cold().compareTo(settings.coldTime()) >= 0
        && right.cold().compareTo(settings.coldTime()) >= 0
        && left.region().bytes() + right.region().bytes() <= settings.mergeBytesMax();
  }

  private static long cold(RegionLoad left, RegionLoad right) {
    return Math.min(left.cold().toSeconds(), right.cold().toSeconds());
  }
}
