package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionMap;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.balance.BalanceJournal;
import io.lazuli.storage.hbase.balance.BalanceJournal.Ending;
import io.lazuli.storage.hbase.balance.BalancePlan;
import io.lazuli.storage.hbase.balance.BalanceSettings;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.BegunSteps;
import io.lazuli.storage.hbase.balance.Heat;
import io.lazuli.storage.hbase.balance.HomeSpread;
import io.lazuli.storage.hbase.balance.RegionHistory;
import io.lazuli.storage.hbase.balance.RegionLoad;
import io.lazuli.storage.hbase.balance.RegionSample;
import io.lazuli.storage.hbase.balance.SpaceLabels;
import io.lazuli.storage.hbase.call.RequestSamples;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.commit.OwnRows;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Balances the load. Every server reports which partitions it requests; the leader moves, splits
 * and merges regions accordingly, and spreads the homes over the servers. HBase's own balancer
 * keeps the number of regions even, which the moves respect. Runs on its own thread, because a
 * split takes longer than a leader may wait before it renews its record.
 */
public final class Balancer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Balancer.class);
  private static final String CATALOG = RequestSamples.shortName(StoreTable.CATALOG);

  private final RecurringTasks tasks = new RecurringTasks("balancer");
  private final BooleanSupplier leader;
  private final RegionAdmin regions;
  private final BalanceRows rows;
  private final RequestSamples samples;
  private final HomeKeys homes;
  private final KeyNames names;
  private final BalanceSettings settings;
  private final PartitionMaps maps;

  /** Used by the balancer's thread only. */
  private final RegionHistory history;

  private final Deque<Map<String, Heat>> heatOfRounds = new ArrayDeque<>();
  private long lastRoundNanos = System.nanoTime();

  public Balancer(
      BooleanSupplier leader,
      RegionAdmin regions,
      BalanceRows rows,
      RequestSamples samples,
      HomeKeys homes,
      KeyNames names,
      BalanceSettings settings) {
    this.leader = leader;
    this.regions = regions;
    this.rows = rows;
    this.samples = samples;
    this.homes = homes;
    this.names = names;
    this.settings = settings;
    this.history = new RegionHistory(settings);
    this.maps = new PartitionMaps(leader, regions, rows, names, settings);
  }

  public void start() {
    if (settings.mode() != BalanceSettings.Mode.OFF) {
      tasks.every(settings.round(), settings.round(), this::round);
    }
  }

  @Override
  public void close() {
    tasks.end();
    maps.close();
    try {
      if (settings.mode() != BalanceSettings.Mode.OFF) {
        rows.withdraw();
      }
    } catch (StorageException e) {
      // The report of this server soon becomes too old to count, and expires later.
      return;
    }
  }

  /** Returns the map that operators see. Every server can produce it. */
  public CompletableFuture<PartitionMap> map() {
    return maps.map();
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
    Map<String, Heat> heat = rows.heat(settings.round().multipliedBy(3));
    heatOfRounds.addLast(heat);
    if (heatOfRounds.size() > settings.hotRounds()) {
      heatOfRounds.removeFirst();
    }
    RegionAdmin.Snapshot snapshot = regions.snapshot();
    List<RegionLoad> loads =
        history.add(millis(), snapshot.nodes().size(), snapshot.served(), heat);
    maps.show(snapshot, loads);
    BalanceJournal journal = rows.journal();
    endBegun(journal, snapshot.regions());
    carryOut(plan(snapshot, loads, journal));
  }

  private List<BalanceStep> plan(
      RegionAdmin.Snapshot snapshot, List<RegionLoad> loads, BalanceJournal journal) {
    int operations = journal.operationsLastHour(Instant.now());
    BalancePlan.Observed observed =
        new BalancePlan.Observed(
            loads.stream().filter(load -> !isOfReports(load.region())).toList(),
            List.copyOf(heatOfRounds),
            snapshot.nodes(),
            rows.kept().at(Instant.now()));
    List<BalanceStep> steps = new ArrayList<>(BalancePlan.of(observed, operations, settings));
    if (steps.stream().noneMatch(BalanceStep::isOperation)
        && operations < settings.operationsPerHour()) {
      spread(snapshot, loads).ifPresent(steps::add);
    }
    return steps;
  }

  /** Returns true for the region that holds nothing but the servers' reports. */
  private static boolean isOfReports(RegionSample region) {
    return region.table().equals(CATALOG) && region.from().equals(OwnRows.reportsStart());
  }

  /**
   * Returns the next step that gives the reports a region of their own, or that spreads the homes
   * over the servers.
   */
  private Optional<BalanceStep> spread(RegionAdmin.Snapshot snapshot, List<RegionLoad> loads) {
    List<RegionSample> catalog =
        snapshot.regions().stream().filter(region -> region.table().equals(CATALOG)).toList();
    List<RegionSample> homeRegions = catalog.stream().filter(each -> !isOfReports(each)).toList();
    boolean settled =
        loads.stream()
            .filter(load -> homeRegions.contains(load.region()))
            .allMatch(load -> load.here().compareTo(settings.pause()) >= 0);
    if (!settled) {
      return Optional.empty();
    }
    return homeRegions.size() == catalog.size()
        ? separated(catalog)
        : HomeSpread.isUneven(homeRegions, snapshot.servers())
            ? HomeSpread.next(homes.of(homeRegions), snapshot.servers())
            : Optional.empty();
  }

  /** Returns the split that gives the reports a region of their own. */
  private static Optional<BalanceStep> separated(List<RegionSample> catalog) {
    Bytes at = OwnRows.reportsStart();
    return catalog.stream()
        .filter(region -> region.isServed() && region.contains(at))
        .findAny()
        .map(
            region ->
                new BalanceStep.Split(
                    region, at, "the reports of the servers get a range without homes"));
  }

  /**
   * Ends the operations that a leader before this one has begun: what HBase has carried out is
   * done, anything else is dropped and planned again if it is still needed.
   */
  private void endBegun(BalanceJournal journal, List<RegionSample> now) {
    for (BegunSteps.Begun begun : journal.begun().due(Instant.now())) {
      boolean done = BegunSteps.isDone(begun.step(), now);
      if (done) {
        regions.finish(begun.step());
      }
      note(
          begun.step(),
          begun.what(),
          done ? Ending.DONE : Ending.FAILED,
          done ? "done after its leader ended" : "dropped, because its leader ended");
    }
  }

  private void carryOut(List<BalanceStep> steps) {
    SpaceLabels labels = names.of(steps.stream().flatMap(step -> step.keys().stream()).toList());
    Map<BalanceStep, String> operations = new LinkedHashMap<>();
    for (BalanceStep step : steps) {
      String what = step.what(labels);
      if (step.isOperation() && settings.mode() == BalanceSettings.Mode.ON) {
        operations.put(step, what);
      } else {
        // Without a pause the next round would plan the same step.
        pause(step);
        String outcome = step.isOperation() ? "not done: dry run" : "reported";
        note(step, what, Ending.REPORTED, outcome);
      }
    }
    if (!operations.isEmpty() && mayContinue()) {
      operate(operations);
    }
  }

  private void operate(Map<BalanceStep, String> operations) {
    List<BalanceStep> steps = List.copyOf(operations.keySet());
    rows.begin(operations);
    long began = System.nanoTime();
    List<Optional<String>> failures = regions.carryOut(steps);
    if (Thread.currentThread().isInterrupted()) {
      // This server is closing. The cluster completes the steps, and the next leader notes it.
      return;
    }
    String done = "done in %.1f s".formatted((System.nanoTime() - began) / 1e9);
    for (int i = 0; i < steps.size(); i++) {
      BalanceStep step = steps.get(i);
      Optional<String> failure = failures.get(i);
      if (failure.isPresent()) {
        pause(step);
      } else if (step instanceof BalanceStep.Move || step instanceof BalanceStep.Exchange) {
        step.regions().forEach(region -> history.moves(millis(), region.name()));
      }
      note(
          step,
          operations.getOrDefault(step, ""),
          failure.isPresent() ? Ending.FAILED : Ending.DONE,
          failure.map(reason -> "failed: " + reason).orElse(done));
    }
  }

  private void note(BalanceStep step, String what, Ending ending, String outcome) {
    log.info("{}, because {}: {}", what, step.why(), outcome);
    rows.note(step, what, ending, outcome);
  }

  /**
   * Returns false if another server became the leader during a long step, or if this server is
   * closing.
   */
  private boolean mayContinue() {
    return leader.getAsBoolean() && !Thread.currentThread().isInterrupted();
  }

  private void pause(BalanceStep step) {
    step.regions().forEach(region -> history.pause(millis(), region.name()));
  }

  /** Returns the time on a clock that never goes back. */
  static long millis() {
    return System.nanoTime() / 1_000_000;
  }
}
