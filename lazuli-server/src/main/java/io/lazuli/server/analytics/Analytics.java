package io.lazuli.server.analytics;

import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.MetricsSelection;
import io.lazuli.server.event.RequestListener;
import io.lazuli.server.settings.ServiceProperties;
import io.lazuli.server.table.model.SystemTables;
import io.lazuli.server.table.model.TableName;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.thread.BackgroundThread;
import io.lazuli.storage.work.Pace;
import io.lazuli.storage.work.SharedWalk;
import io.lazuli.storage.work.WorkBoard;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Storage Analytics metrics (logs-and-metrics 6). Requests are counted in memory, for the services
 * whose owners want it. One thread writes the counts of each minute shortly after the minute is
 * over. A crash loses the counts that were not written yet: those of the last minute, and of the
 * minute before if its writing had not ended. Thread-safe.
 */
public final class Analytics implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Analytics.class);

  /** The time after the end of a minute at which its counts are written. */
  private static final Duration AFTER_MINUTE = Duration.ofSeconds(1);

  private static final Duration BETWEEN_STEPS = Duration.ofMillis(50);
  private static final int SHARDS = 4;
  private static final Duration FIRST_ROUND = Duration.ofSeconds(10);
  private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);
  private static final Duration CLOSE_TIME_MAX = Duration.ofSeconds(5);

  /** The settings of services. */
  @FunctionalInterface
  public interface Settings {
    /**
     * Returns the properties of a service. Blocks.
     *
     * @param service {@code blob}, {@code queue} or {@code table}
     */
    ServiceProperties of(String account, String service);
  }

  private final MetricsTables tables;
  private final TransactionMetrics transactions;
  private final MetricsRounds rounds;
  private final SharedWalk walk;
  private final Settings settings;
  private final Clock clock;
  private final BackgroundThread thread = new BackgroundThread("analytics", LOG::warn);

  /**
   * @param accounts the accounts whose tables are tended
   * @param isPresent whether an account exists
   */
  public Analytics(
      StorageEngine engine,
      Catalog catalog,
      BlobService blobs,
      Supplier<? extends Collection<String>> accounts,
      Predicate<String> isPresent,
      Settings settings,
      WorkBoard board,
      Clock clock) {
    this.tables = new MetricsTables(engine, catalog);
    this.transactions = new TransactionMetrics(tables, isPresent, clock);
    this.walk = board.walk("analytics", SHARDS, Pace.hourly());
    this.rounds =
        new MetricsRounds(tables, blobs, accounts, isPresent, settings, walk::shardOf, clock);
    this.settings = settings;
    this.clock = clock;
  }

  /** Starts the thread. */
  public void start() {
    thread.repeat(
        untilMinuteIsOver(),
        AFTER_FAILURE,
        () -> {
          transactions.write();
          return untilMinuteIsOver();
        });
    thread.repeat(
        FIRST_ROUND,
        AFTER_FAILURE,
        () -> walk.step(BETWEEN_STEPS, (shard, from, full) -> rounds.piece(shard, from)));
    thread.start();
  }

  private Duration untilMinuteIsOver() {
    Instant now = clock.instant();
    return Duration.between(now, now.truncatedTo(ChronoUnit.MINUTES).plus(1, ChronoUnit.MINUTES))
        .plus(AFTER_MINUTE);
  }

  /**
   * Counts the requests to a service.
   *
   * @param service {@code blob}, {@code queue} or {@code table}
   */
  public RequestListener of(String service) {
    return (event, source) -> {
      MetricsSelection selection = event.metrics();
      if (selection != null) {
        transactions.count(service, event, selection, source);
      }
    };
  }

  /** Counts a write of the server to its request log, if the owner wants it. Blocks. */
  public void countLogWrite(String account, String operation, long bytes, long nanos) {
    MetricsSelection selection;
    try {
      selection = settings.of(account, "blob").metrics();
    } catch (ServiceException e) {
      // The write itself succeeded, and must not be repeated.
      transactions.drop(1);
      return;
    }
    if (selection.isOn()) {
      transactions.countOwn(account, operation, bytes, nanos, selection);
    }
  }

  /**
   * Creates the tables that the changed properties of a service need. Does not block.
   *
   * @param service {@code blob}, {@code queue} or {@code table}
   */
  public CompletionStage<?> prepare(String account, String service, ServiceProperties changed) {
    List<TableName> needed = new ArrayList<>();
    if (changed.hourMetrics().enabled()) {
      needed.add(SystemTables.hours(service));
      if (service.equals("blob")) {
        needed.add(SystemTables.CAPACITY);
      }
    }
    if (changed.minuteMetrics().enabled()) {
      needed.add(SystemTables.minutes(service));
    }
    return CompletableFuture.allOf(
        needed.stream()
            .map(table -> tables.create(account, table))
            .toArray(CompletableFuture<?>[]::new));
  }

  /** Returns the number of requests that are missing in the tables. */
  public long droppedRequests() {
    return transactions.dropped();
  }

  /** Returns one line about metrics that cannot be written; empty if there is no such trouble. */
  public String trouble() {
    return thread.trouble();
  }

  /** Writes all counts and stops. Nothing may be counted after this. */
  @Override
  public void close() {
    if (thread.close(CLOSE_TIME_MAX)) {
      try {
        transactions.writeAll(Deadline.after(CLOSE_TIME_MAX));
      } catch (StorageException | ServiceException e) {
        LOG.warn("the last counts of requests could not be written", e);
      }
    }
  }
}
