package io.lazuli.server.analytics;

import io.lazuli.server.analytics.MinuteCounts.Origin;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.settings.ServiceProperties;
import io.lazuli.server.table.model.SystemTables;
import io.lazuli.server.table.model.TableName;
import io.lazuli.storage.Bytes;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The work that the metrics of all accounts need once an hour, in small steps: rows for hours
 * without requests, the capacity of the day, and the removal of old rows. The servers of a store
 * share the accounts. A task that fails is not repeated before the next round. Mutable; used by one
 * thread.
 */
final class MetricsRounds {
  private static final List<String> SERVICES = List.of("blob", "queue", "table");

  private final MetricsTables tables;
  private final BlobService blobs;
  private final Supplier<? extends Collection<String>> accounts;
  private final Predicate<String> isPresent;
  private final Analytics.Settings settings;
  private final Clock clock;
  private final ToIntFunction<String> shardOf;

  /** The accounts that are under way, by shard. */
  private final Map<Integer, UnderWay> underWay = new HashMap<>();

  /**
   * The tasks that are left of an account.
   *
   * @param from the position from which the next call continues with them
   * @param hour when the account was begun
   */
  private record UnderWay(String account, Bytes from, String hour, Deque<Task> tasks) {
    UnderWay at(Bytes position) {
      return new UnderWay(account, position, hour, tasks);
    }

    /**
     * Returns whether a call continues with these tasks. If the shard belonged to another server
     * since the last call, they are out of date. A call without a position repeats one that failed,
     * or it begins another round.
     */
    boolean isContinued(String next, Bytes position, String now) {
      return account.equals(next)
          && from.equals(position)
          && (position.length() > 0 || hour.equals(now));
    }
  }

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
      ToIntFunction<String> shardOf,
      Clock clock) {
    this.tables = tables;
    this.blobs = blobs;
    this.accounts = accounts;
    this.isPresent = isPresent;
    this.settings = settings;
    this.shardOf = shardOf;
    this.clock = clock;
  }

  /**
   * Does one task of one account of a shard.
   *
   * @param from the account that is under way, or the first account that is not done
   * @return where the next call continues; null after the last account
   */
  @Nullable Bytes piece(int shard, Bytes from) {
    NavigableSet<String> left = new TreeSet<>();
    for (String name : accounts.get()) {
      if (shardOf.applyAsInt(name) == shard) {
        left.add(name);
      }
    }
    left = left.tailSet(new String(from.array(), StandardCharsets.UTF_8), true);
    String account = left.pollFirst();
    if (account == null) {
      return null;
    }
    UnderWay current = underWay.get(shard);
    String hour = Period.hour(clock.instant());
    if (current == null || !current.isContinued(account, from, hour)) {
      current = new UnderWay(account, from, hour, begun(account));
      underWay.put(shard, current);
    }
    Deque<Task> tasks = current.tasks;
    // Removed first, so that a task that fails does not stop the others.
    Task task = tasks.poll();
    // An account that is removed gets nothing after that.
    if (task != null && isPresent.test(account) && task.run()) {
      tasks.addFirst(task);
    }
    if (!tasks.isEmpty()) {
      underWay.put(shard, current.at(position(account)));
      return position(account);
    }
    underWay.remove(shard);
    return left.isEmpty() ? null : position(left.first());
  }

  private static Bytes position(String account) {
    return Bytes.of(account.getBytes(StandardCharsets.UTF_8));
  }

  private Deque<Task> begun(String account) {
    Deque<Task> tasks = new ArrayDeque<>();
    tasks.add(
        () -> {
          SERVICES.forEach(service -> visit(account, service, tasks));
          return false;
        });
    return tasks;
  }

  private void visit(String account, String service, Deque<Task> tasks) {
    Instant now = clock.instant();
    ServiceProperties properties = settings.of(account, service);
    Integer hourDays = properties.hourMetrics().retentionDays();
    sweep(account, SystemTables.hours(service), hourDays, now, tasks);
    Integer minuteDays = properties.minuteMetrics().retentionDays();
    sweep(account, SystemTables.minutes(service), minuteDays, now, tasks);
    if (service.equals("blob")) {
      sweep(account, SystemTables.CAPACITY, hourDays, now, tasks);
    }
    if (properties.hourMetrics().enabled()) {
      addEmptyHour(account, service, now);
      if (service.equals("blob")) {
        addCapacity(account, Period.day(now), tasks);
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

  private void sweep(
      String account, TableName table, @Nullable Integer days, Instant now, Deque<Task> tasks) {
    if (days != null) {
      String firstKept = Period.hour(now.minus(days, ChronoUnit.DAYS));
      tasks.add(() -> tables.deleteBefore(account, table, firstKept));
    }
  }

  private void addCapacity(String account, String day, Deque<Task> tasks) {
    CapacityWalk walk = new CapacityWalk(blobs, account);
    tasks.add(
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
