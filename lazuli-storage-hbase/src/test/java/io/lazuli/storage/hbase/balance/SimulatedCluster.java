package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * A cluster whose regions and nodes are numbers: partitions of one table with a rate each, and
 * samples of the requests as a server takes them, with their chance. Carries out every operation of
 * the plan at once.
 */
final class SimulatedCluster {
  private static final int SAMPLES_PER_ROUND = 500;

  private static final BalanceSettings SETTINGS = BalanceSettings.DEFAULT;

  private final Random random = new Random(7);
  private final List<String> nodes = new ArrayList<>();
  private final Set<String> silent = new HashSet<>();
  private final NavigableMap<Bytes, Double> rates = new TreeMap<>();
  private final List<RegionSample> regions = new ArrayList<>();
  private final RegionHistory history = new RegionHistory(SETTINGS);
  private final Deque<Map<String, Heat>> heat = new ArrayDeque<>();
  private final List<BalanceStep> done = new ArrayList<>();
  private final Map<Bytes, Integer> lastMove = new HashMap<>();
  private Map<String, Heat> exact = Map.of();
  private int shortestRest = Integer.MAX_VALUE;
  private long millis = 1_000_000;
  private int round;
  private int numbers;

  SimulatedCluster(int nodeCount) {
    for (int i = 0; i < nodeCount; i++) {
      nodes.add("node" + i);
    }
  }

  /** Adds a partition with a rate, in requests per second. */
  void partition(String name, double rate) {
    rates.put(BalancePlanTest.key(name), rate);
  }

  /** Adds a region that begins where the last one ended. */
  void region(String to, int node) {
    Bytes from = regions.isEmpty() ? Bytes.EMPTY : regions.get(regions.size() - 1).to();
    regions.add(region(from, BalancePlanTest.key(to), nodes.get(node)));
  }

  void silence(int node) {
    silent.add(nodes.get(node));
  }

  void answer(int node) {
    silent.remove(nodes.get(node));
  }

  /** Every request is a sample from now on, so that chance has no part in what follows. */
  void sampleEverything() {
    NavigableMap<Bytes, Heat.Share> shares = new TreeMap<>();
    rates.forEach((key, rate) -> shares.put(key, new Heat.Share((int) (rate * 10), rate)));
    exact = Map.of("tables", new Heat(shares));
  }

  /** HBase moves a region by itself. */
  void moveByHBase(Bytes name, String node) {
    regions.replaceAll(each -> each.name().equals(name) ? on(each, node) : each);
  }

  /** Runs rounds until a condition holds, or a number of rounds has passed. Returns how many. */
  int run(int roundsMax, BooleanSupplier end) {
    int began = round;
    while (round - began < roundsMax && !end.getAsBoolean()) {
      next();
    }
    return round - began;
  }

  List<BalanceStep> run(int rounds) {
    int before = done.size();
    run(rounds, () -> false);
    return done.subList(before, done.size());
  }

  private void next() {
    round++;
    millis += SETTINGS.round().toMillis();
    heat.addLast(exact.isEmpty() ? sample() : exact);
    if (heat.size() > SETTINGS.hotRounds()) {
      heat.removeFirst();
    }
    List<RegionSample> served =
        regions.stream().filter(region -> !silent.contains(region.server())).toList();
    List<RegionLoad> loads = history.add(millis, nodes.size(), served, heat.getLast());
    List<BalanceStep> steps =
        BalancePlan.of(
            new BalancePlan.Observed(loads, List.copyOf(heat), nodes(), Set.of()), 0, SETTINGS);
    Set<String> busy = new HashSet<>();
    for (BalanceStep step : steps) {
      if (step.isOperation()) {
        carryOut(step, busy);
      }
    }
  }

  private List<Node> nodes() {
    return nodes.stream()
        .map(
            name ->
                new Node(
                    name,
                    (int) regions.stream().filter(each -> each.server().equals(name)).count(),
                    !silent.contains(name)))
        .toList();
  }

  private void carryOut(BalanceStep step, Set<String> busy) {
    Set<String> own = new HashSet<>();
    step.regions().forEach(region -> own.add(region.server()));
    if (step instanceof BalanceStep.Move move) {
      own.add(move.server());
      move(move.region(), move.server());
    } else if (step instanceof BalanceStep.Exchange exchange) {
      move(exchange.region(), exchange.other().server());
      move(exchange.other(), exchange.region().server());
    } else if (step instanceof BalanceStep.Split split) {
      int at = regions.indexOf(find(split.region()));
      RegionSample old = regions.remove(at);
      regions.add(at, region(split.at(), old.to(), old.server()));
      regions.add(at, region(old.from(), split.at(), old.server()));
    } else if (step instanceof BalanceStep.Merge merge) {
      int at = regions.indexOf(find(merge.left()));
      RegionSample left = regions.remove(at);
      RegionSample right = regions.remove(at);
      regions.add(at, region(left.from(), right.to(), left.server()));
    }
    if (!Collections.disjoint(own, busy)) {
      throw new AssertionError("two operations on one node");
    }
    if (!Collections.disjoint(own, silent)) {
      throw new AssertionError("an operation on a node that does not answer");
    }
    busy.addAll(own);
    done.add(step);
  }

  private void move(RegionSample region, String node) {
    Integer before = lastMove.put(region.name(), round);
    if (before != null) {
      shortestRest = Math.min(shortestRest, round - before);
    }
    regions.set(regions.indexOf(find(region)), on(find(region), node));
    history.moves(millis, region.name());
  }

  /** Returns the lowest number of rounds between two moves of the same region. */
  int shortestRest() {
    return shortestRest;
  }

  private RegionSample find(RegionSample region) {
    return regions.stream()
        .filter(each -> each.name().equals(region.name()))
        .findAny()
        .orElseThrow();
  }

  /** Returns what the samples of a round show. */
  private Map<String, Heat> sample() {
    List<Bytes> keys = List.copyOf(rates.keySet());
    double[] sums = new double[keys.size()];
    double total = 0;
    for (int i = 0; i < sums.length; i++) {
      total += rates.getOrDefault(keys.get(i), 0.0);
      sums[i] = total;
    }
    int[] counts = new int[keys.size()];
    for (int i = 0; i < SAMPLES_PER_ROUND && total > 0; i++) {
      int at = Arrays.binarySearch(sums, random.nextDouble() * total);
      counts[at < 0 ? -at - 1 : at]++;
    }
    NavigableMap<Bytes, Heat.Share> shares = new TreeMap<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        shares.put(keys.get(i), new Heat.Share(counts[i], counts[i] * total / SAMPLES_PER_ROUND));
      }
    }
    return Map.of("tables", new Heat(shares));
  }

  /** Returns the true rate of the hottest node, as a multiple of the mean. */
  double imbalance() {
    Map<String, Double> loads = new HashMap<>();
    nodes.forEach(node -> loads.put(node, 0.0));
    for (RegionSample region : regions) {
      rates.forEach(
          (key, rate) -> {
            if (region.contains(key)) {
              loads.merge(region.server(), rate, Double::sum);
            }
          });
    }
    double sum = loads.values().stream().mapToDouble(Double::doubleValue).sum();
    return Collections.max(loads.values()) * nodes.size() / sum;
  }

  List<RegionSample> regions() {
    return List.copyOf(regions);
  }

  List<BalanceStep> done() {
    return List.copyOf(done);
  }

  static int rounds(Duration time) {
    return (int) (time.toMillis() / SETTINGS.round().toMillis());
  }

  private RegionSample region(Bytes from, Bytes to, String node) {
    Bytes name = Bytes.of(("r" + numbers++).getBytes(StandardCharsets.UTF_8));
    return new RegionSample("tables", name, from, to, node, 0, 0, 1_000);
  }

  private static RegionSample on(RegionSample region, String node) {
    return region.servedBy(node, 0, 0, region.bytes());
  }
}
