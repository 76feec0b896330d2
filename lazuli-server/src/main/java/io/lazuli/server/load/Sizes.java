package io.lazuli.server.load;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.load.size.Measured;
import io.lazuli.server.load.size.SizeWalk;
import io.lazuli.server.own.OwnTables;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.thread.BackgroundThread;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures what accounts store, once a day and when somebody asks, by reading everything slowly: at
 * most a tenth of the time of one thread. The last measurement of each day is kept. Thread-safe;
 * starts one thread.
 */
public final class Sizes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sizes.class);

  /** The time after the start at which accounts are measured that nobody asks for. */
  private static final Duration AFTER_START = Duration.ofMinutes(2);

  private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);
  private static final Duration BETWEEN_STEPS_MIN = Duration.ofMillis(5);
  private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(10);

  /** A measurement is repeated at the earliest after this time, or this many times its length. */
  private static final Duration AGAIN_AFTER = Duration.ofSeconds(10);

  private static final int AGAIN_AFTER_LENGTHS = 50;

  private final StorageEngine engine;
  private final Catalog catalog;
  private final BlobService blobs;
  private final Supplier<? extends Collection<String>> accounts;
  private final LoadStore store;
  private final Clock clock;
  private final Instant started;
  private final BackgroundThread thread = new BackgroundThread("sizes", LOG::warn);
  private final BackgroundThread.Job job;

  @GuardedBy("this")
  private final Map<String, Measured> latest = new HashMap<>();

  @GuardedBy("this")
  private final Set<String> requested = new LinkedHashSet<>();

  @GuardedBy("this")
  private @Nullable String measuring;

  /** Used by the thread only. */
  private @Nullable SizeWalk walk;

  /** Used by the thread only. */
  private Instant begun = Instant.EPOCH;

  /**
   * @param accounts returns the names of all accounts
   */
  public Sizes(
      StorageEngine engine,
      Catalog catalog,
      BlobService blobs,
      Supplier<? extends Collection<String>> accounts,
      Clock clock) {
    this.engine = engine;
    this.catalog = catalog;
    this.blobs = blobs;
    this.accounts = accounts;
    this.store = new LoadStore(new OwnTables(engine, catalog, "Load"));
    this.clock = clock;
    this.started = clock.instant();
    this.job = thread.repeat(AFTER_START, AFTER_FAILURE, this::step);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /** Measures an account soon, unless that was done a short time ago. */
  public synchronized void request(String account) {
    Measured last = latest.get(account);
    Instant now = clock.instant();
    boolean isRecent =
        last != null
            && (now.isBefore(last.at().plus(AGAIN_AFTER))
                || now.isBefore(last.at().plus(last.took().multipliedBy(AGAIN_AFTER_LENGTHS))));
    if (!isRecent && !account.equals(measuring)) {
      requested.add(account);
      job.wake();
    }
  }

  /** Returns the last measurement of an account; null if this server has not made one. */
  public synchronized @Nullable Measured latest(String account) {
    return latest.get(account);
  }

  /** Returns whether an account is being measured, or will be soon. */
  public synchronized boolean isMeasuring(String account) {
    return account.equals(measuring) || requested.contains(account);
  }

  /**
   * Returns the measurements of the days of a window, by the start of the day in seconds since
   * 1970. Blocks.
   */
  public Map<Long, Measured> days(String account, long from, long to) {
    return store.sizes(account, from, to);
  }

  /** Returns one line about a failed measurement; empty if there is no trouble. */
  public String trouble() {
    return thread.trouble();
  }

  @Override
  public void close() {
    thread.close();
  }

  /** Does one step of a measurement, or begins the next one. Returns the pause after it. */
  Duration step() {
    SizeWalk current = walk;
    Instant now = clock.instant();
    if (current == null) {
      String next = next(now);
      if (next == null) {
        return now.isBefore(started.plus(AFTER_START)) ? AFTER_START : BETWEEN_LOOKS;
      }
      begun = now;
      walk = new SizeWalk(engine, catalog, blobs, next);
      return Duration.ZERO;
    }
    long nanos = System.nanoTime();
    boolean hasMore;
    try {
      hasMore = current.step();
    } catch (RuntimeException e) {
      end(null);
      if (!LoadStore.isExpected(e)) {
        throw e;
      }
      LOG.debug("the sizes of an account were not measured", e);
      return AFTER_FAILURE;
    }
    if (!hasMore) {
      keep(current);
    }
    Duration tenfold = Duration.ofNanos(9 * (System.nanoTime() - nanos));
    return tenfold.compareTo(BETWEEN_STEPS_MIN) > 0 ? tenfold : BETWEEN_STEPS_MIN;
  }

  /** Returns the account that is to be measured next; null if there is none. */
  private @Nullable String next(Instant now) {
    Collection<String> names = accounts.get();
    synchronized (this) {
      latest.keySet().retainAll(names);
      requested.retainAll(names);
      if (!requested.isEmpty()) {
        measuring = requested.iterator().next();
        requested.remove(measuring);
        return measuring;
      }
    }
    if (now.isBefore(started.plus(AFTER_START))) {
      return null;
    }
    long today = Grain.STORED.slot(now.getEpochSecond());
    for (String name : names) {
      Measured last = latest(name);
      if (last != null && last.at().getEpochSecond() >= today) {
        continue;
      }
      Measured stored = store.sizes(name, today, today + 1).get(today);
      synchronized (this) {
        if (stored == null) {
          measuring = name;
          return name;
        }
        latest.put(name, stored);
      }
    }
    return null;
  }

  private void keep(SizeWalk done) {
    Instant now = clock.instant();
    Measured measured = new Measured(now, Duration.between(begun, now), done.sizes());
    end(measured);
    long today = Grain.STORED.slot(now.getEpochSecond());
    try {
      // An account that never stored anything leaves no rows.
      if (!measured.sizes().isEmpty() || !store.sizes(done.account(), today, today + 1).isEmpty()) {
        store.sizes(done.account(), measured);
      }
    } catch (RuntimeException e) {
      if (!LoadStore.isExpected(e)) {
        throw e;
      }
      LOG.debug("the sizes of an account were not stored", e);
    }
  }

  private synchronized void end(@Nullable Measured measured) {
    SizeWalk ended = walk;
    if (measured != null && ended != null) {
      latest.put(ended.account(), measured);
    }
    measuring = null;
    walk = null;
  }
}
