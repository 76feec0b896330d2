package io.lazuli.storage.hbase.balance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which regions to move between nodes, as a pure function of the load.
 *
 * <p>A node is too hot if it was more than a quarter above the mean of all nodes in each of the
 * last rounds. One of its regions moves to the coolest node, if the coolest then stays clearly
 * below what the hot one had. So every move makes the sum of the squares of the nodes' loads
 * smaller by a minimum, and under a constant load the moves end. If HBase's own balancer would undo
 * a move because the target then had too many regions, the target gives its coldest region in
 * exchange. If every region is too hot to move, the hottest must be split first.
 *
 * <p>The regions of the catalogue count as load but stay where they are: {@link HomeSpread} spreads
 * them by the number of homes. Nodes that do not answer take no part.
 */
final class NodePlan {
  /** A node above this multiple of the mean is too hot. */
  private static final double TOO_HOT = 1.25;

  /** A move must leave the target this part of the mean below the load that the source had. */
  private static final double GAIN = 0.1;

  /** A region with less than this part of the mean is not worth a move. */
  private static final double WORTH_A_MOVE = 0.02;

  /** The excess over the mean, as a part of the hot rate, below which no node is too hot. */
  private static final double EXCESS = 1.0 / 4;

  private final BalanceSettings settings;
  private final List<Node> nodes;
  private final Map<String, List<Region>> regions = new HashMap<>();
  private final Map<String, double[]> rates = new HashMap<>();
  private final Map<String, int[]> samples = new HashMap<>();
  private final int rounds;

  /** A region with its mean rate. */
  private record Region(RegionLoad load, double rate) {
    RegionSample sample() {
      return load.region();
    }
  }

  /**
   * @param heat the heat of each table in the last rounds
   */
  NodePlan(
      List<RegionLoad> loads,
      List<Map<String, Heat>> heat,
      List<Node> nodes,
      BalanceSettings settings) {
    this.settings = settings;
    this.nodes = nodes.stream().filter(Node::answers).toList();
    this.rounds = heat.size();
    for (Node node : this.nodes) {
      rates.put(node.name(), new double[rounds]);
      samples.put(node.name(), new int[rounds]);
    }
    loads.stream()
        .filter(load -> rates.containsKey(load.region().server()))
        .forEach(load -> add(load, heat));
  }

  private void add(RegionLoad load, List<Map<String, Heat>> heat) {
    double sum = 0;
    for (int round = 0; round < rounds; round++) {
      Heat inside = RegionHistory.heat(load.region(), heat.get(round));
      double rate = inside.rate();
      ratesOf(load.region().server())[round] += rate;
      samplesOf(load.region().server())[round] += inside.samples();
      sum += rate;
    }
    regions
        .computeIfAbsent(load.region().server(), server -> new ArrayList<>())
        .add(new Region(load, sum / Math.max(1, rounds)));
  }

  /** Returns the nodes that are too hot, the hottest first. */
  List<String> tooHot() {
    if (rounds < settings.hotRounds() || nodes.size() < 2) {
      return List.of();
    }
    return nodes.stream()
        .map(Node::name)
        .filter(this::isTooHot)
        .sorted(Comparator.comparingDouble(this::rate).reversed())
        .toList();
  }

  private boolean isTooHot(String node) {
    double[] own = ratesOf(node);
    for (int round = 0; round < rounds; round++) {
      int same = round;
      double mean = nodes.stream().mapToDouble(n -> ratesOf(n.name())[same]).average().orElse(0);
      double error = own[round] / Math.sqrt(Math.max(1, samplesOf(node)[round]));
      if (own[round] - error <= TOO_HOT * mean
          || own[round] - mean <= EXCESS * settings.hotRate()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the best move away from a node; empty if none would help.
   *
   * @param busy the nodes that have an operation in this round
   */
  Optional<BalanceStep> move(String hot, Set<String> busy) {
    Node source = node(hot);
    Set<String> excluded = new HashSet<>(busy);
    excluded.add(hot);
    return nodes.stream()
        .filter(node -> !excluded.contains(node.name()))
        .min(Comparator.comparingDouble(node -> rate(node.name())))
        .flatMap(coolest -> move(source, coolest));
  }

  private Optional<BalanceStep> move(Node source, Node target) {
    // HBase's own balancer wants the same number of regions on all nodes.
    boolean wouldBeUndone = source.regions() <= target.regions();
    Optional<BalanceStep> exchange =
        wouldBeUndone ? move(source, target, coldest(target)) : Optional.empty();
    return exchange.isPresent() ? exchange : move(source, target, null);
  }

  /**
   * Returns the best move between two nodes.
   *
   * @param back the region that the source gets in exchange; null for none
   */
  private Optional<BalanceStep> move(Node source, Node target, @Nullable Region back) {
    double returned = back == null ? 0 : back.rate;
    Region best = null;
    double lowest = Double.MAX_VALUE;
    for (Region region : movable(source)) {
      double moved = region.rate - returned;
      double hotter = Math.max(rate(source.name()) - moved, rate(target.name()) + moved);
      if (moved > WORTH_A_MOVE * mean() && helps(source, target, moved) && hotter < lowest) {
        lowest = hotter;
        best = region;
      }
    }
    if (best == null) {
      return Optional.empty();
    }
    String why =
        "its node has %.0f requests/s, that one %.0f, and %.0f go to this range"
            .formatted(rate(source.name()), rate(target.name()), best.rate);
    return Optional.of(
        back == null
            ? new BalanceStep.Move(best.sample(), target.name(), why)
            : new BalanceStep.Exchange(best.sample(), back.sample(), why));
  }

  private boolean helps(Node source, Node target, double moved) {
    return rate(target.name()) + moved < rate(source.name()) - GAIN * mean();
  }

  /**
   * Returns the hottest region of a node that is too hot to be moved; null if there is none, or if
   * none of its regions may be changed now.
   */
  @Nullable RegionLoad tooHotToMove(String hot) {
    double coolest = nodes.stream().mapToDouble(node -> rate(node.name())).min().orElse(0);
    return movable(node(hot)).stream()
        .filter(region -> coolest + region.rate >= rate(hot) - GAIN * mean())
        .max(Comparator.comparingDouble(Region::rate))
        .map(Region::load)
        .orElse(null);
  }

  private @Nullable Region coldest(Node node) {
    return movable(node).stream().min(Comparator.comparingDouble(Region::rate)).orElse(null);
  }

  private List<Region> movable(Node node) {
    return regions.getOrDefault(node.name(), List.of()).stream()
        .filter(region -> !region.sample().isOfCatalog() && region.load.isSettled(settings))
        .toList();
  }

  private Node node(String name) {
    return nodes.stream().filter(node -> node.name().equals(name)).findAny().orElseThrow();
  }

  private double[] ratesOf(String node) {
    return rates.getOrDefault(node, new double[rounds]);
  }

  private int[] samplesOf(String node) {
    return samples.getOrDefault(node, new int[rounds]);
  }

  /** Returns the mean of a node's rates over the rounds. */
  private double rate(String node) {
    double sum = 0;
    for (double rate : ratesOf(node)) {
      sum += rate;
    }
    return sum / Math.max(1, rounds);
  }

  private double mean() {
    return nodes.stream().mapToDouble(node -> rate(node.name())).average().orElse(0);
  }
}
