package io.lazuli.server.analytics;

import io.lazuli.server.analytics.MinuteCounts.Origin;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.settings.ServiceProperties;
import io.lazuli.server.table.model.SystemTables;
import io.lazuli.server.table.model.TableName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The work that the metrics of all accounts need once an hour, in small steps: rows for hours
 * without requests, the capacity of the day, and the removal of old rows. A task that fails is not
 * repeated before the next round. Mutable; used by one thread.
 */
final class MetricsRounds {
  private static final Duration BETWEEN_STEPS = Duration.ofMillis(50);
  private static final List<String> SERVICES = List.of("blob", "queue", "table");

  private final MetricsTables tables;
  private final BlobService blobs;
  private final Supplier<? extends Collection<String>> accounts;
  private final Predicate<String> isPresent;
  private final Analytics.Settings settings;
  private final Clock clock;
  private final Deque<Task> tasks = new ArrayDeque<>();
  private Instant roundHour = Instant.MIN;

  /** A bounded part of the work. */
  @FunctionalInterface
  private interface Task {
    /** Returns true if the task must run again. Blocks. */
    boolean run();
  }

  MetricsRounds(
      MetricsTables tables,
      BlobService blobs,
      Supplier<? extends Collection<String>> accounts,
      Predicate<String> isPresent,
      Analytics.Settings settings,
      Clock clock) {
    this.tables = tables;
    this.blobs = blobs;
    this.accounts = accounts;
    this.isPresent = isPresent;
    this.settings = settings;
    this.clock = clock;
  }

  /** Does one step. Returns the pause before the next one. */
  Duration step() {
    Task task = tasks.poll();
    if (task == null) {
      return begin();
    }
    if (task.run()) {
      tasks.addFirst(task);
    }
    return BETWEEN_STEPS;
  }

  /** Begins a round if the hour has changed. */
  private Duration begin() {
    Instant now = clock.instant();
    Instant hour = now.truncatedTo(ChronoUnit.HOURS);
    if (hour.equals(roundHour)) {
      return Duration.between(now, hour.plus(1, ChronoUnit.HOURS));
    }
    roundHour = hour;
    List<String> names = new ArrayList<>(accounts.get());
    // The servers of a cluster begin at the same time; each has another order of accounts, so that
    // most capacities are added up by one of them only.
    Collections.shuffle(names);
    for (String account : names) {
      addTask(
          account,
          () -> {
            SERVICES.forEach(service -> visit(account, service));
            return false;
          });
    }
    return BETWEEN_STEPS;
  }

  /** Adds a task that ends when its account is removed, so that it creates nothing after that. */
  private void addTask(String account, Task task) {
    tasks.add(() -> isPresent.test(account) && task.run());
  }

  private void visit(String account, String service) {
    Instant now = clock.instant();
    ServiceProperties properties = settings.of(account, service);
    Integer hourDays = properties.hourMetrics().retentionDays();
    sweep(account, SystemTables.hours(service), hourDays, now);
    sweep(account, SystemTables.minutes(service), properties.minuteMetrics().retentionDays(), now);
    if (service.equals("blob")) {
      sweep(account, SystemTables.CAPACITY, hourDays, now);
    }
    if (properties.hourMetrics().enabled()) {
      addEmptyHour(account, service, now);
      if (service.equals("blob")) {
        addCapacity(account, Period.day(now));
      }
    }
  }

  /** Writes the sum of an hour that has no requests yet. */
  private void addEmptyHour(String account, String service, Instant now) {
    tables.change(
        account,
        SystemTables.hours(service),
        Period.hour(now),
        Map.of(
            Origin.USER.row(MinuteCounts.ALL),
            old -> old == null ? new RequestCounts().toRecord() : old.clone()));
  }

  private void sweep(String account, TableName table, @Nullable Integer days, Instant now) {
    if (days != null) {
      String firstKept = Period.hour(now.minus(days, ChronoUnit.DAYS));
      addTask(account, () -> tables.deleteBefore(account, table, firstKept));
    }
  }

  private void addCapacity(String account, String day) {
    CapacityWalk walk = new CapacityWalk(blobs, account);
    addTask(
        account,
        () -> {
          if (!walk.hasBegun() && tables.hasRows(account, SystemTables.CAPACITY, day)) {
            return false;
          }
          boolean hasMore = walk.next();
          if (!hasMore) {
            tables.change(account, SystemTables.CAPACITY, day, walk.rows());
          }
          return hasMore;
        });
  }
}
