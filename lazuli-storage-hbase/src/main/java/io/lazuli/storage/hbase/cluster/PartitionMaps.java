package io.lazuli.storage.hbase.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionMap;
import io.lazuli.storage.hbase.balance.BalanceJournal;
import io.lazuli.storage.hbase.balance.BalanceSettings;
import io.lazuli.storage.hbase.balance.BegunSteps;
import io.lazuli.storage.hbase.balance.Heat;
import io.lazuli.storage.hbase.balance.Node;
import io.lazuli.storage.hbase.balance.ReadableKey;
import io.lazuli.storage.hbase.balance.RegionHistory;
import io.lazuli.storage.hbase.balance.RegionLoad;
import io.lazuli.storage.hbase.balance.RegionSample;
import io.lazuli.storage.hbase.balance.SpaceLabels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the partition map that operators see. Every server can do so. Has a thread of its own,
 * since the balancer's may be occupied for a minute.
 */
final class PartitionMaps implements AutoCloseable {
  private static final int HOTTEST = 10;

  /** How long a server that does not lead measures the load for an operator. */
  private static final Duration QUICK_CHECK = Duration.ofSeconds(1);

  private final RecurringTasks tasks = new RecurringTasks("partitions");

  private final BooleanSupplier leader;
  private final RegionAdmin regions;
  private final BalanceRows rows;
  private final KeyNames names;
  private final BalanceSettings settings;

  private volatile @Nullable Seen lastRound;

  @GuardedBy("this")
  private @Nullable Seen lastQuickCheck;

  PartitionMaps(
      BooleanSupplier leader,
      RegionAdmin regions,
      BalanceRows rows,
      KeyNames names,
      BalanceSettings settings) {
    this.leader = leader;
    this.regions = regions;
    this.rows = rows;
    this.names = names;
    this.settings = settings;
  }

  /** The cluster at one time, and the loads of the regions that were served. */
  private record Seen(long nanos, RegionAdmin.Snapshot snapshot, List<RegionLoad> loads) {
    boolean isYoungerThan(Duration age) {
      return System.nanoTime() - nanos < age.toNanos();
    }
  }

  /** Takes what the leader has seen in a round. */
  void show(RegionAdmin.Snapshot snapshot, List<RegionLoad> loads) {
    lastRound = new Seen(System.nanoTime(), snapshot, loads);
  }

  CompletableFuture<PartitionMap> map() {
    return tasks.ask(this::readMap, "the partitions could not be read");
  }

  private PartitionMap readMap() {
    Map<String, Heat> heat = rows.heat(settings.round().multipliedBy(3));
    BalanceJournal journal = rows.journal();
    Seen seen = seen(heat);
    SpaceLabels labels = names.of(keys(seen.snapshot.regions(), heat));
    return new PartitionMap(
        balancing(),
        nodes(seen.snapshot, seen.loads),
        ranges(seen.snapshot.regions(), seen.loads, labels),
        hottest(heat, labels),
        actions(journal),
        journal.totals());
  }

  private static Set<Bytes> keys(List<RegionSample> regions, Map<String, Heat> heat) {
    Set<Bytes> keys = new HashSet<>();
    for (RegionSample region : regions) {
      keys.add(region.from());
      keys.add(region.to());
    }
    heat.values().forEach(table -> table.hottest(HOTTEST).forEach(one -> keys.add(one.getKey())));
    return keys;
  }

  /** Returns the latest actions, after those that are under way. */
  private static List<PartitionMap.Action> actions(BalanceJournal journal) {
    List<PartitionMap.Action> actions = new ArrayList<>();
    for (BegunSteps.Begun begun : journal.begun().steps()) {
      actions.add(
          new PartitionMap.Action(begun.time(), begun.what(), begun.step().why(), "under way"));
    }
    actions.addAll(journal.actions());
    return actions;
  }

  /** Returns the result of the last round if this server leads, otherwise that of a quick check. */
  private Seen seen(Map<String, Heat> heat) {
    Seen ofRound = lastRound;
    if (ofRound != null && ofRound.isYoungerThan(settings.round().multipliedBy(2))) {
      return ofRound;
    }
    return quickCheck(heat);
  }

  private synchronized Seen quickCheck(Map<String, Heat> heat) {
    if (lastQuickCheck == null || !lastQuickCheck.isYoungerThan(QUICK_CHECK)) {
      RegionHistory own = new RegionHistory(settings);
      RegionAdmin.Snapshot first = regions.snapshot();
      own.add(Balancer.millis(), first.nodes().size(), first.served(), heat);
      LockSupport.parkNanos(QUICK_CHECK.toNanos());
      RegionAdmin.Snapshot second = regions.snapshot();
      lastQuickCheck =
          new Seen(
              System.nanoTime(),
              second,
              own.add(Balancer.millis(), second.nodes().size(), second.served(), heat));
    }
    return lastQuickCheck;
  }

  private String balancing() {
    String who = leader.getAsBoolean() ? "this server leads" : "another server leads";
    return switch (settings.mode()) {
      case ON -> "on, " + who;
      case DRY_RUN -> "dry run, " + who;
      case OFF -> "off";
    };
  }

  private static List<PartitionMap.Node> nodes(
      RegionAdmin.Snapshot snapshot, List<RegionLoad> loads) {
    List<PartitionMap.Node> nodes = new ArrayList<>();
    for (Node node : snapshot.nodes()) {
      List<RegionLoad> own =
          loads.stream().filter(load -> load.region().server().equals(node.name())).toList();
      double rate = own.stream().mapToDouble(RegionLoad::rate).sum();
      nodes.add(new PartitionMap.Node(node.name(), own.size(), rate, node.answers()));
    }
    nodes.sort(Comparator.comparing(PartitionMap.Node::server));
    return nodes;
  }

  /**
   * Returns the ranges for operators, including regions that no server has, because operators look
   * for them.
   */
  static List<PartitionMap.Range> ranges(
      List<RegionSample> regions, List<RegionLoad> served, SpaceLabels labels) {
    Map<Bytes, RegionLoad> loads = new HashMap<>();
    served.forEach(load -> loads.put(load.region().name(), load));
    return regions.stream().map(region -> range(region, loads.get(region.name()), labels)).toList();
  }

  private static PartitionMap.Range range(
      RegionSample region, @Nullable RegionLoad load, SpaceLabels labels) {
    return new PartitionMap.Range(
        region.table(),
        ReadableKey.of(region.from(), labels),
        ReadableKey.of(region.to(), labels),
        region.server(),
        load == null ? 0 : load.rate(),
        load == null ? 0 : load.readsPerSecond(),
        load == null ? 0 : load.writesPerSecond(),
        region.bytes());
  }

  private static List<PartitionMap.HotPartition> hottest(
      Map<String, Heat> heat, SpaceLabels labels) {
    return heat.entrySet().stream()
        .flatMap(
            table ->
                table.getValue().hottest(HOTTEST).stream()
                    .map(
                        share ->
                            new PartitionMap.HotPartition(
                                table.getKey(),
                                ReadableKey.of(share.getKey(), labels),
                                share.getValue().rate())))
        .sorted(Comparator.comparingDouble(PartitionMap.HotPartition::requestsPerSecond).reversed())
        .limit(HOTTEST)
        .toList();
  }

  @Override
  public void close() {
    tasks.end();
  }
}
