package io.lazuli.storage.hbase;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.PartitionMap;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.balance.BalanceJournal;
import io.lazuli.storage.hbase.balance.BalanceJournal.Ending;
import io.lazuli.storage.hbase.balance.BalancePlan;
import io.lazuli.storage.hbase.balance.BalanceSettings;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.Heat;
import io.lazuli.storage.hbase.balance.ReadableKey;
import io.lazuli.storage.hbase.balance.RegionHistory;
import io.lazuli.storage.hbase.balance.RegionLoad;
import io.lazuli.storage.hbase.balance.RegionSample;
import io.lazuli.storage.lane.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the load, on a thread of its own, since a split takes longer than a leadership may go
 * without renewal. Every server tells which partitions it asks for; the leader splits and merges
 * regions by it. Where they are served is the business of HBase's balancer.
 */
final class Balancer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Balancer.class);
  private static final int HOTTEST = 10;

  /** How long the counters are watched for an operator if nobody watches them anyway. */
  private static final Duration GLANCE = Duration.ofSeconds(1);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> Threads.daemon(task, "lazuli-hbase-balancer"));
  private final BooleanSupplier leader;
  private final RegionAdmin regions;
  private final BalanceRows rows;
  private final RequestSamples samples;
  private final BalanceSettings settings;

  /** Of the balancer's thread. */
  private final RegionHistory history;

  private final Deque<Map<String, Heat>> heatOfRounds = new ArrayDeque<>();
  private long lastRoundNanos = System.nanoTime();

  private volatile @Nullable Seen lastSeen;

  @GuardedBy("this")
  private @Nullable Seen lastGlance;

  Balancer(
      BooleanSupplier leader,
      RegionAdmin regions,
      BalanceRows rows,
      RequestSamples samples,
      BalanceSettings settings) {
    this.leader = leader;
    this.regions = regions;
    this.rows = rows;
    this.samples = samples;
    this.settings = settings;
    this.history = new RegionHistory(settings);
  }

  /** The loads of all regions at some time. */
  private record Seen(long nanos, List<RegionLoad> loads) {
    boolean isYoungerThan(Duration age) {
      return System.nanoTime() - nanos < age.toNanos();
    }
  }

  void start() {
    if (settings.mode() != BalanceSettings.Mode.OFF) {
      long millis = settings.round().toMillis();
      ScheduledFuture<?> unused =
          thread.scheduleWithFixedDelay(this::guardedRound, millis, millis, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
        log.warn("the balancer did not end in time");
      }
      if (settings.mode() != BalanceSettings.Mode.OFF) {
        rows.withdraw();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (StorageException e) {
      // What this server told is too old to count in a moment, and removed later.
      return;
    }
  }

  /** What operators are shown, on any server. */
  PartitionMap map() {
    Map<String, Heat> heat = rows.heat(settings.round().multipliedBy(3));
    BalanceJournal journal = rows.journal();
    List<PartitionMap.Range> ranges = loads().stream().map(Balancer::range).toList();
    return new PartitionMap(
        balancing(), ranges, hottest(heat), journal.actions(), journal.totals());
  }

  /** A round that fails is tried again at its next turn; an executor would never run it again. */
  private void guardedRound() {
    try {
      round();
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.CLOSED) {
        log.warn("balancing: {}", e.getMessage());
      }
    } catch (RuntimeException e) {
      log.error("balancing failed", e);
    }
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
    RegionAdmin.Look look = regions.look();
    List<RegionLoad> loads = history.look(millis(), look.servers(), look.regions());
    lastSeen = new Seen(System.nanoTime(), loads);
    BalanceJournal journal = rows.journal();
    List<BalanceStep> steps =
        BalancePlan.of(
            loads,
            heatOfRounds(),
            look.servers(),
            journal.operationsLastHour(Instant.now()),
            settings);
    for (BalanceStep step : steps) {
      journal = carryOut(step, journal);
      rows.record(journal);
    }
  }

  /** What all servers saw in as many rounds as make a region hot. */
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

  private BalanceJournal carryOut(BalanceStep step, BalanceJournal journal) {
    Ending ending = Ending.TOLD;
    String outcome = "told";
    if (isOperation(step) && settings.mode() == BalanceSettings.Mode.DRY_RUN) {
      outcome = "not done: dry run";
    } else if (isOperation(step)) {
      long began = System.nanoTime();
      try {
        operate(step);
        ending = Ending.DONE;
        outcome = "done in %.1f s".formatted((System.nanoTime() - began) / 1e9);
      } catch (StorageException e) {
        ending = Ending.FAILED;
        outcome = "failed: " + e.getMessage();
      }
    }
    if (ending != Ending.DONE) {
      // Else the next round would say the same.
      letRest(step);
    }
    log.info("{}, because {}: {}", step.what(), step.why(), outcome);
    return journal.with(Instant.now(), step, ending, outcome);
  }

  private static boolean isOperation(BalanceStep step) {
    return step instanceof BalanceStep.Split || step instanceof BalanceStep.Merge;
  }

  private void operate(BalanceStep step) {
    if (step instanceof BalanceStep.Split split) {
      regions.split(split);
    } else if (step instanceof BalanceStep.Merge merge) {
      regions.merge(merge);
    }
  }

  private void letRest(BalanceStep step) {
    step.regions().forEach(region -> history.rest(millis(), region.name()));
  }

  /** Those of the last round if this server leads, else a glance of our own. */
  private List<RegionLoad> loads() {
    Seen ofRound = lastSeen;
    if (ofRound != null && ofRound.isYoungerThan(settings.round().multipliedBy(2))) {
      return ofRound.loads;
    }
    return glance();
  }

  private synchronized List<RegionLoad> glance() {
    if (lastGlance == null || !lastGlance.isYoungerThan(GLANCE)) {
      RegionHistory own = new RegionHistory(settings);
      RegionAdmin.Look first = regions.look();
      own.look(millis(), first.servers(), first.regions());
      RegionCalls.rest(GLANCE);
      RegionAdmin.Look second = regions.look();
      lastGlance =
          new Seen(System.nanoTime(), own.look(millis(), second.servers(), second.regions()));
    }
    return lastGlance.loads;
  }

  private String balancing() {
    String who = leader.getAsBoolean() ? "this server leads" : "another server leads";
    return switch (settings.mode()) {
      case ON -> "on, " + who;
      case DRY_RUN -> "dry run, " + who;
      case OFF -> "off";
    };
  }

  private static PartitionMap.Range range(RegionLoad load) {
    RegionSample region = load.region();
    return new PartitionMap.Range(
        region.table(),
        ReadableKey.of(region.from()),
        ReadableKey.of(region.to()),
        region.server(),
        load.readsPerSecond(),
        load.writesPerSecond(),
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
