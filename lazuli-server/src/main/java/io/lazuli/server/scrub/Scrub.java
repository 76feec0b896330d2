package io.lazuli.server.scrub;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.server.check.Finding;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.metrics.MetricVisitor;
import io.lazuli.storage.thread.BackgroundThread;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads everything that a running server stores, slowly and again and again, so that damage is
 * found before somebody needs the data. It walks as {@code lazuli verify} does, and pauses after
 * each step for as long as the rate demands. Thread-safe; starts one thread.
 */
public final class Scrub implements AutoCloseable {
  /** The maximum number of damaged things that are remembered; more are counted only. */
  public static final int FINDINGS_MAX = 100;

  private static final Logger LOG = LoggerFactory.getLogger(Scrub.class);

  private static final String FILE = "scrub";
  private static final int SHOWN_MAX = 3;
  private static final Duration SAVE_PERIOD = Duration.ofSeconds(30);
  private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

  private final StorageEngine engine;
  private final Path file;
  private final Duration interval;
  private final long bytesPerSecond;
  private final Clock clock;
  private final BackgroundThread thread = new BackgroundThread("scrub", LOG::warn);
  private final BackgroundThread.Job job;

  @GuardedBy("this")
  private ScrubState state;

  @GuardedBy("this")
  private final Set<String> found = new LinkedHashSet<>();

  @GuardedBy("this")
  private Progress progress = Progress.NOTHING;

  @GuardedBy("this")
  private boolean requested;

  @GuardedBy("this")
  private long foundInAll;

  @GuardedBy("this")
  private long bytesInAll;

  /** Used by the thread only. */
  private @Nullable StoreWalk walk;

  /** Used by the thread only. */
  private Instant saved = Instant.EPOCH;

  /**
   * Makes a scrub that does not run yet.
   *
   * @param folder keeps the position over a restart
   * @param interval the time between the ends of two rounds; zero for rounds that operators request
   * @param bytesPerSecond the maximum rate, on average
   */
  public Scrub(
      StorageEngine engine, Path folder, Duration interval, long bytesPerSecond, Clock clock) {
    this.engine = engine;
    this.file = folder.resolve(FILE);
    this.interval = interval;
    this.bytesPerSecond = bytesPerSecond;
    this.clock = clock;
    try {
      this.state = ScrubState.read(file, clock.instant());
    } catch (IOException e) {
      LOG.warn("{} cannot be read, so the scrub begins again: {}", file, e.toString());
      this.state = ScrubState.first(clock.instant());
    }
    this.found.addAll(state.found());
    this.job = thread.repeat(Duration.ZERO, AFTER_FAILURE, this::step);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /** Begins a round now, and ends a pause. */
  public synchronized void request() {
    requested = true;
    pause(false);
  }

  /** Pauses or continues. The state outlives a restart. */
  public synchronized void pause(boolean paused) {
    state = state.withPaused(paused);
    save();
    job.wake();
  }

  /** Returns the lines that {@code lazuli scrub status} prints. */
  public synchronized Map<String, String> status() {
    Map<String, String> lines = new LinkedHashMap<>();
    WalkPosition position = state.position();
    lines.put("state", state.paused() ? "paused" : position == null ? "waiting" : "running");
    if (position != null) {
      lines.put("began", state.since().toString());
      lines.put("reading", position.phase().name().toLowerCase(Locale.ROOT));
      lines.put("read", progress.line());
    }
    Instant completed = state.completed();
    lines.put("completed", completed == null ? "never" : completed.toString());
    lines.put("damaged", Integer.toString(damage().size()));
    int number = 0;
    for (String line : damage()) {
      lines.put("damage " + ++number, line);
    }
    return lines;
  }

  /** Returns one line about damage and about a failed step; empty if there is neither. */
  public synchronized String trouble() {
    List<String> damage = damage();
    if (damage.isEmpty()) {
      return thread.trouble();
    }
    String first = String.join("; ", damage.subList(0, Math.min(SHOWN_MAX, damage.size())));
    return "the scrub found %d damaged: %s".formatted(damage.size(), first);
  }

  public synchronized void metrics(MetricVisitor visitor) {
    visitor.gauge(
        "lazuli_scrub_running",
        "1 while a round of the scrub is under way.",
        state.position() != null && !state.paused() ? 1 : 0);
    visitor.gauge(
        "lazuli_scrub_paused", "1 if an operator has paused the scrub.", state.paused() ? 1 : 0);
    Instant completed = state.completed();
    visitor.gauge(
        "lazuli_scrub_completed_timestamp_seconds",
        "The end of the last complete round; 0 if there was none.",
        completed == null ? 0 : completed.getEpochSecond());
    visitor.gauge(
        "lazuli_scrub_damaged",
        "Damaged things that the last complete round and the current one have found.",
        damage().size());
    visitor.counter("lazuli_scrub_found", "Damage that the scrub found.", foundInAll);
    visitor.counter("lazuli_scrub_read_bytes", "Bytes that the scrub read.", bytesInAll);
  }

  @Override
  public void close() {
    thread.close();
    synchronized (this) {
      save();
    }
  }

  @GuardedBy("this")
  private List<String> damage() {
    Set<String> all = new LinkedHashSet<>(found);
    all.addAll(state.known());
    return new ArrayList<>(all);
  }

  /** Does one step of a round, or waits for the next round. */
  Duration step() {
    StoreWalk current = walk;
    synchronized (this) {
      Duration wait = waitingTime();
      if (!wait.isZero()) {
        return wait;
      }
      if (current == null) {
        current = begin();
        walk = current;
      }
    }
    long bytes = current.step();
    synchronized (this) {
      bytesInAll += bytes;
      progress = current.progress();
      Instant now = clock.instant();
      if (current.isDone()) {
        walk = null;
        state = state.ended(now, List.copyOf(found));
        found.clear();
        LOG.info("the scrub has read {}; {} damaged", progress.line(), state.known().size());
        save();
      } else {
        state = state.at(current.position(), List.copyOf(found));
        if (now.isAfter(saved.plus(SAVE_PERIOD))) {
          save();
        }
      }
    }
    return Duration.ofNanos(Math.max(1, bytes * 1_000_000_000 / bytesPerSecond));
  }

  @GuardedBy("this")
  private Duration waitingTime() {
    if (state.paused()) {
      return BackgroundThread.UNTIL_WOKEN;
    }
    if (state.position() != null || requested) {
      return Duration.ZERO;
    }
    if (interval.isZero()) {
      return BackgroundThread.UNTIL_WOKEN;
    }
    Instant completed = state.completed();
    Instant due = (completed == null ? state.since() : completed).plus(interval);
    Duration left = Duration.between(clock.instant(), due);
    if (left.isNegative() || left.isZero()) {
      return Duration.ZERO;
    }
    return left.compareTo(BackgroundThread.UNTIL_WOKEN) < 0 ? left : BackgroundThread.UNTIL_WOKEN;
  }

  @GuardedBy("this")
  private StoreWalk begin() {
    requested = false;
    if (state.position() == null) {
      found.clear();
      state = state.begun(clock.instant());
    }
    WalkPosition position = state.position();
    return new StoreWalk(engine, this::found, position == null ? WalkPosition.START : position);
  }

  private synchronized void found(Finding finding) {
    foundInAll++;
    if (found.size() < FINDINGS_MAX && found.add(finding.line())) {
      LOG.error("the scrub found damage: {}", finding.line());
    }
  }

  /** Saves the state. If that fails, a restart repeats a part of the round. */
  @GuardedBy("this")
  private void save() {
    saved = clock.instant();
    try {
      state.write(file);
    } catch (IOException e) {
      LOG.warn("the state of the scrub cannot be saved: {}", e.toString());
    }
  }
}
