package io.lazuli.storage.hbase.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionMap;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.balance.BalanceJournal;
import io.lazuli.storage.hbase.balance.BalanceJournal.Ending;
import io.lazuli.storage.hbase.balance.BalancePlan;
import io.lazuli.storage.hbase.balance.BalanceSettings;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.Heat;
import io.lazuli.storage.hbase.balance.HomeSpread;
import io.lazuli.storage.hbase.balance.ReadableKey;
import io.lazuli.storage.hbase.balance.RegionHistory;
import io.lazuli.storage.hbase.balance.RegionLoad;
import io.lazuli.storage.hbase.balance.RegionSample;
import io.lazuli.storage.hbase.call.RequestSamples;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoreTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Balances the load. Every server reports which partitions it requests; the leader splits and
 * merges regions accordingly, and spreads the homes over the servers. HBase's own balancer decides
 * which server has which other region. Runs on its own thread, because a split takes longer than a
 * leader may wait before it renews its record.
 */
public final class Balancer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Balancer.class);
  private static final int HOTTEST = 10;

  /** How long a server that does not lead measures the load for an operator. */
  private static final Duration QUICK_CHECK = Duration.ofSeconds(1);

  private final RecurringTasks tasks = new RecurringTasks("balancer");

  /** For operators only. The balancer's own thread may be splitting a region for a minute. */
  private final RecurringTasks mapTasks = new RecurringTasks("partitions");

  /** Completes when the balancer is closed. */
  private final CompletableFuture<Boolean> closed = new CompletableFuture<>();

  private final BooleanSupplier leader;
  private final RegionAdmin regions;
  private final BalanceRows rows;
  private final RequestSamples samples;
  private final HomeKeys homes;
  private final BalanceSettings settings;

  /** Used by the balancer's thread only. */
  private final RegionHistory history;

  private final Deque<Map<String, Heat>> heatOfRounds = new ArrayDeque<>();
  private long lastRoundNanos = System.nanoTime();

  private volatile @Nullable Seen lastSeen;

  @GuardedBy("this")
  private @Nullable Seen lastQuickCheck;

  public Balancer(
      BooleanSupplier leader,
      RegionAdmin regions,
      BalanceRows rows,
      RequestSamples samples,
      HomeKeys homes,
      BalanceSettings settings) {
    this.leader = leader;
    this.regions = regions;
    this.rows = rows;
    this.samples = samples;
    this.homes = homes;
    this.settings = settings;
    this.history = new RegionHistory(settings);
  }

  /** All regions at one time, and the loads of those that were served. */
  private record Seen(long nanos, List<RegionSample> regions, List<RegionLoad> loads) {
    boolean isYoungerThan(Duration age) {
      return System.nanoTime() - nanos < age.toNanos();
    }
  }

  public void start() {
    if (settings.mode() != BalanceSettings.Mode.OFF) {
      tasks.every(settings.round(), settings.round(), this::round);
    }
  }

  @Override
  public void close() {
    tasks.end();
    mapTasks.end();
    closed.completeExceptionally(
        new StorageException(StorageException.Kind.CLOSED, "the engine is closed"));
    try {
      if (settings.mode() != BalanceSettings.Mode.OFF) {
        rows.withdraw();
      }
    } catch (StorageException e) {
      // The report of this server soon becomes too old to count, and another server removes it
      // later.
      return;
    }
  }

  /** Returns the map that operators see. Every server can produce it. */
  public CompletableFuture<PartitionMap> map() {
    CompletableFuture<PartitionMap> map = new CompletableFuture<>();
    Steps.listen(closed, map, never -> {});
    mapTasks.soon(
        () -> {
          try {
            map.complete(readMap());
          } finally {
            map.completeExceptionally(
                new StorageException(
                    StorageException.Kind.UNAVAILABLE, "the partitions could not be read"));
          }
        });
    return map;
  }

  private PartitionMap readMap() {
    Map<String, Heat> heat = rows.heat(settings.round().multipliedBy(3));
    BalanceJournal journal = rows.journal();
    Seen seen = seen();
    return new PartitionMap(
        balancing(),
        ranges(seen.regions, seen.loads),
        hottest(heat),
        journal.actions(),
        journal.totals());
  }

  private void round() {
    long now = System.nanoTime();
    rows.publish(samples.take(Duration.ofNanos(now - lastRoundNanos)));
    lastRoundNanos = now;
    if (!leader.getAsBoolean()) {
      history.forget();
      heatOfRounds.clear();
      return;
    }
    RegionAdmin.Snapshot snapshot = regions.snapshot();
    List<RegionLoad> loads = history.add(millis(), snapshot.servers().size(), snapshot.served());
    lastSeen = new Seen(System.nanoTime(), snapshot.regions(), loads);
    int operations = rows.journal().operationsLastHour(Instant.now());
    List<BalanceStep> steps =
        new ArrayList<>(
            BalancePlan.of(loads, heatOfRounds(), snapshot.servers().size(), operations, settings));
    if (steps.stream().noneMatch(BalanceStep::isOperation)
        && operations < settings.operationsPerHour()) {
      spread(snapshot, loads).ifPresent(steps::add);
    }
    for (BalanceStep step : steps) {
      if (!mayContinue()) {
        return;
      }
      carryOut(step);
    }
  }

  /** Returns the next step that spreads the homes over the servers. */
  private Optional<BalanceStep> spread(RegionAdmin.Snapshot snapshot, List<RegionLoad> loads) {
    String catalog = RequestSamples.shortName(StoreTable.CATALOG);
    List<RegionSample> regions =
        snapshot.regions().stream().filter(region -> region.table().equals(catalog)).toList();
    boolean settled =
        loads.stream()
            .filter(load -> load.region().table().equals(catalog))
            .allMatch(load -> load.here().compareTo(settings.pause()) >= 0);
    return settled && HomeSpread.isUneven(regions, snapshot.servers())
        ? HomeSpread.next(homes.of(regions), snapshot.servers())
        : Optional.empty();
  }

  /**
   * Returns the mean heat of the last rounds, as many as a region must be hot before it is split.
   */
  private Map<String, Heat> heatOfRounds() {
    heatOfRounds.addLast(rows.heat(settings.round().multipliedBy(3)));
    if (heatOfRounds.size() > settings.hotRounds()) {
      heatOfRounds.removeFirst();
    }
    Set<String> tables = new TreeSet<>();
    heatOfRounds.forEach(round -> tables.addAll(round.keySet()));
    return tables.stream()
        .collect(
            Collectors.toMap(
                table -> table,
                table ->
                    Heat.mean(
                        heatOfRounds.stream()
                            .map(round -> round.getOrDefault(table, Heat.NONE))
                            .toList())));
  }

  /**
   * Returns false if another server became the leader during a long step, or if this server is
   * closing.
   */
  private boolean mayContinue() {
    return leader.getAsBoolean() && !Thread.currentThread().isInterrupted();
  }

  private void carryOut(BalanceStep step) {
    Ending ending = Ending.REPORTED;
    String outcome = "reported";
    if (step.isOperation() && settings.mode() == BalanceSettings.Mode.DRY_RUN) {
      outcome = "not done: dry run";
    } else if (step.isOperation()) {
      long began = System.nanoTime();
      try {
        operate(step);
        ending = Ending.DONE;
        outcome = "done in %.1f s".formatted((System.nanoTime() - began) / 1e9);
      } catch (StorageException e) {
        if (Thread.currentThread().isInterrupted()) {
          // This server is closing; the cluster completes the step.
          return;
        }
        ending = Ending.FAILED;
        outcome = "failed: " + e.getMessage();
      }
    }
    if (ending != Ending.DONE) {
      // Without a pause the next round would plan the same step.
      pause(step);
    }
    log.info("{}, because {}: {}", step.what(), step.why(), outcome);
    rows.note(step, ending, outcome);
  }

  private void operate(BalanceStep step) {
    if (step instanceof BalanceStep.Split split) {
      regions.split(split.region(), split.at());
    } else if (step instanceof BalanceStep.Merge merge) {
      regions.merge(merge);
    } else if (step instanceof BalanceStep.Move move) {
      regions.move(move.region(), move.server());
    } else {
      throw new IllegalArgumentException("not an operation: " + step.what());
    }
  }

  private void pause(BalanceStep step) {
    step.regions().forEach(region -> history.pause(millis(), region.name()));
  }

  /** Returns the result of the last round if this server leads, otherwise that of a quick check. */
  private Seen seen() {
    Seen ofRound = lastSeen;
    if (ofRound != null && ofRound.isYoungerThan(settings.round().multipliedBy(2))) {
      return ofRound;
    }
    return quickCheck();
  }

  private synchronized Seen quickCheck() {
    if (lastQuickCheck == null || !lastQuickCheck.isYoungerThan(QUICK_CHECK)) {
      RegionHistory own = new RegionHistory(settings);
      RegionAdmin.Snapshot first = regions.snapshot();
      own.add(millis(), first.servers().size(), first.served());
      LockSupport.parkNanos(QUICK_CHECK.toNanos());
      RegionAdmin.Snapshot second = regions.snapshot();
      lastQuickCheck =
          new Seen(
              System.nanoTime(),
              second.regions(),
              own.add(millis(), second.servers().size(), second.served()));
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

  /**
   * Returns the ranges for operators, including regions that no server has, because operators look
   * for them.
   */
  static List<PartitionMap.Range> ranges(List<RegionSample> regions, List<RegionLoad> served) {
    Map<Bytes, RegionLoad> loads = new HashMap<>();
    served.forEach(load -> loads.put(load.region().name(), load));
    return regions.stream().map(region -> range(region, loads.get(region.name()))).toList();
  }

  private static PartitionMap.Range range(RegionSample region, @Nullable RegionLoad load) {
    return new PartitionMap.Range(
        region.table(),
        ReadableKey.of(region.from()),
        ReadableKey.of(region.to()),
        region.server(),
        load == null ? 0 : load.readsPerSecond(),
        load == null ? 0 : load.writesPerSecond(),
        region.bytes());
  }

  private static List<PartitionMap.HotPartition> hottest(Map<String, Heat> heat) {
    return heat.entrySet().stream()
        .flatMap(
            table ->
                table.getValue().hottest(HOTTEST).stream()
                    .map(
                        share ->
                            new PartitionMap.HotPartition(
                                table.getKey(),
                                ReadableKey.of(share.getKey()),
                                share.getValue().rate())))
        .sorted(Comparator.comparingDouble(PartitionMap.HotPartition::requestsPerSecond).reversed())
        .limit(HOTTEST)
        .toList();
  }

  private static long millis() {
    return System.nanoTime() / 1_000_000;
  }
}
