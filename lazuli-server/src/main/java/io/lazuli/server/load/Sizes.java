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
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures what accounts store, once a day and when somebody asks, by reading everything slowly: at
 * most a tenth of the time of one thread. The last measurement of each day is kept. Of the servers
 * of a cluster, one measures an account: it holds a lease for it, and the others take its result.
 * Thread-safe; starts one thread.
 */
public final class Sizes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sizes.class);

  /** The time after the start at which accounts are measured that nobody asks for. */
  private static final Duration AFTER_START = Duration.ofMinutes(2);

  private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);
  private static final Duration BETWEEN_STEPS_MIN = Duration.ofMillis(5);
  private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(10);

  /** The time after which a server looks whether another one has measured an account. */
  private static final Duration AFTER_OTHERS = Duration.ofSeconds(2);

  /** Longer than the longest step and the pause after it. */
  private static final Duration LEASE = Duration.ofMinutes(15);

  private static final Duration LEASE_RENEWED = Duration.ofMinutes(1);

  /** A measurement is repeated at the earliest after this time, or this many times its length. */
  private static final Duration AGAIN_AFTER = Duration.ofSeconds(10);

  private static final int AGAIN_AFTER_LENGTHS = 50;

  private final String server = UUID.randomUUID().toString().substring(0, 8);
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

  /** Used by the thread only. */
  private Instant renewed = Instant.EPOCH;

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
    if (!isRecent(latest.get(account), clock.instant()) && !account.equals(measuring)) {
      requested.add(account);
      job.wake();
    }
  }

  private static boolean isRecent(@Nullable Measured last, Instant now) {
    return last != null
        && (now.isBefore(last.at().plus(AGAIN_AFTER))
            || now.isBefore(last.at().plus(last.took().multipliedBy(AGAIN_AFTER_LENGTHS))));
  }

  /** Returns the last measurement of an account that this server knows; null for none. */
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
        return hasRequests()
            ? AFTER_OTHERS
            : now.isBefore(started.plus(AFTER_START)) ? AFTER_START : BETWEEN_LOOKS;
      }
      begun = now;
      renewed = now;
      walk = new SizeWalk(engine, catalog, blobs, next);
      return Duration.ZERO;
    }
    long nanos = System.nanoTime();
    boolean hasMore;
    try {
      if (now.isAfter(renewed.plus(LEASE_RENEWED))) {
        renewed = now;
        if (!store.measure(current.account(), server, now, now.plus(LEASE))) {
          end(null);
          return AFTER_FAILURE;
        }
      }
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

  private synchronized boolean hasRequests() {
    return !requested.isEmpty();
  }

  /** Returns the account that is to be measured next; null if there is none. */
  private @Nullable String next(Instant now) {
    Collection<String> names = accounts.get();
    List<String> asked;
    synchronized (this) {
      latest.keySet().retainAll(names);
      requested.retainAll(names);
      asked = List.copyOf(requested);
    }
    for (String name : asked) {
      if (isDue(name, now, stored -> !isRecent(stored, now))) {
        return name;
      }
    }
    if (now.isBefore(started.plus(AFTER_START))) {
      return null;
    }
    long today = Grain.STORED.slot(now.getEpochSecond());
    for (String name : names) {
      Measured last = latest(name);
      boolean done = last != null && last.at().getEpochSecond() >= today;
      if (!done && isDue(name, now, stored -> stored == null)) {
        return name;
      }
    }
    return null;
  }

  /**
   * Returns true if this server is to measure an account, for which it then has the lease. If
   * another server has measured it today and that is enough, takes its result.
   */
  private boolean isDue(String name, Instant now, Predicate<@Nullable Measured> isNeeded) {
    long today = Grain.STORED.slot(now.getEpochSecond());
    Measured stored = store.sizes(name, today, today + 1).get(today);
    if (!isNeeded.test(stored)) {
      synchronized (this) {
        requested.remove(name);
        if (stored != null) {
          latest.put(name, stored);
        }
      }
      return false;
    }
    if (!store.measure(name, server, now, now.plus(LEASE))) {
      return false;
    }
    synchronized (this) {
      requested.remove(name);
      measuring = name;
    }
    return true;
  }

  private void keep(SizeWalk done) {
    // As exact as it is stored, so that all servers show the same time.
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Measured measured = new Measured(now, Duration.between(begun, now), done.sizes());
    end(measured);
    long today = Grain.STORED.slot(now.getEpochSecond());
    try {
      // An account that never stored anything leaves no rows.
      if (!measured.sizes().isEmpty() || !store.sizes(done.account(), today, today + 1).isEmpty()) {
        store.sizes(done.account(), measured);
      }
      store.measured(done.account());
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
