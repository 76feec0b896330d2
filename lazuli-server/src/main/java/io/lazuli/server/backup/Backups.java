package io.lazuli.server.backup;

import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.thread.BackgroundThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backups of a running server: one at a time, on a thread of its own, because an operator asks
 * for it or by a schedule. Thread-safe.
 */
public final class Backups implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Backups.class);
  private static final Duration CHECK_PERIOD = Duration.ofSeconds(20);
  private static final Duration RETRY_PERIOD = Duration.ofMinutes(10);

  /**
   * What to back up, and where.
   *
   * @param target as in {@link Targets#of}; may contain a secret
   * @param accounts whether the accounts file is included
   * @param bytesPerSecondMax 0 for no limit
   */
  public record Order(String target, boolean accounts, long bytesPerSecondMax) {
    /** Omits the target, which may contain a secret. */
    @Override
    public String toString() {
      return "order of a backup";
    }
  }

  /**
   * Backups without an operator.
   *
   * @param period the time between two backups
   * @param keep the number of backups that stay; 0 for all
   */
  public record Schedule(Order order, Duration period, int keep) {}

  /** What a job does with its target, which is locked. */
  @FunctionalInterface
  public interface Work {
    BackupRecord run(BackupTarget target, Meter meter) throws IOException;
  }

  /** One backup or restore that was ordered. */
  private static final class Job {
    final Order order;
    final Work work;
    final boolean creates;
    final BackupTarget target;
    final Meter meter;
    volatile @Nullable BackupRecord made;
    volatile @Nullable String failure;

    Job(Order order, Work work, boolean creates) {
      this.order = order;
      this.work = work;
      this.creates = creates;
      this.target = Targets.of(order.target());
      this.meter = new Meter(order.bytesPerSecondMax());
    }

    boolean isRunning() {
      return made == null && failure == null;
    }
  }

  private final StorageEngine engine;
  private final String server;
  private final Supplier<byte @Nullable []> accounts;
  private final @Nullable Schedule schedule;
  private final Clock clock;
  private final AtomicReference<@Nullable Job> last = new AtomicReference<>();
  private final BackgroundThread thread = new BackgroundThread("backup", LOG::error);
  private final BackgroundThread.Job work;

  /** The time of the next scheduled backup; null if it is not known yet. Of the thread alone. */
  private @Nullable Instant due;

  private volatile String trouble = "";

  /**
   * @param server the version of the server
   * @param accounts reads the accounts file; null if there is none
   * @param schedule null for none
   */
  public Backups(
      StorageEngine engine,
      String server,
      Supplier<byte @Nullable []> accounts,
      @Nullable Schedule schedule,
      Clock clock) {
    this.engine = engine;
    this.server = server;
    this.accounts = accounts;
    this.schedule = schedule;
    this.clock = clock;
    this.work = thread.repeat(Duration.ZERO, RETRY_PERIOD, this::step);
  }

  public void start() {
    thread.start();
  }

  /**
   * Begins a backup and returns.
   *
   * @throws BackupException if one is running, or the target is not valid
   */
  public void begin(Order order) {
    begin(backup(order));
  }

  /**
   * Begins other work on the backups of a target, in place of a backup.
   *
   * @throws BackupException if a backup is running, or the target is not valid
   */
  public void begin(Order order, Work work) {
    begin(new Job(order, work, false));
  }

  private Job backup(Order order) {
    return new Job(order, (target, meter) -> copy(order, target, meter), true);
  }

  private void begin(Job job) {
    Job before = last.get();
    if ((before != null && before.isRunning()) || !last.compareAndSet(before, job)) {
      throw new BackupException("a backup is running; lazuli backup --cancel ends it");
    }
    work.wake();
  }

  /** Ends the running backup. The target keeps what was copied, for the next one. */
  public void cancel() {
    Job job = last.get();
    if (job == null || !job.isRunning()) {
      throw new BackupException("no backup is running");
    }
    job.meter.cancel();
  }

  /** Returns the state of the last backup, in the words of docs/backup.md. */
  public Map<String, String> progress() {
    Map<String, String> values = new LinkedHashMap<>();
    Job job = last.get();
    if (job == null) {
      values.put("state", "none");
      return values;
    }
    BackupRecord made = job.made;
    String failure = job.failure;
    values.put("state", made != null ? "done" : failure != null ? "failed" : "running");
    values.put("target", job.target.place());
    values.put("bytes", String.valueOf(job.meter.totalBytes()));
    values.put("bytesDone", String.valueOf(job.meter.doneBytes()));
    values.put("bytesPerSecond", String.valueOf(job.meter.bytesPerSecond()));
    if (failure != null) {
      values.put("error", failure);
    }
    if (made != null) {
      values.put("id", made.id());
      values.put("files", String.valueOf(made.files()));
      values.put("storedBytes", String.valueOf(made.bytes()));
      values.put("copiedBytes", String.valueOf(made.copiedBytes()));
      values.put("missing", String.valueOf(made.missing()));
    }
    return values;
  }

  /** Returns one line if scheduled backups fail; empty otherwise. */
  public String trouble() {
    return thread.trouble().isEmpty() ? trouble : thread.trouble();
  }

  private Duration step() {
    Job job = last.get();
    if (job != null && job.isRunning()) {
      run(job);
    } else if (schedule != null) {
      runIfDue(schedule);
    }
    return schedule == null ? BackgroundThread.UNTIL_WOKEN : CHECK_PERIOD;
  }

  private void runIfDue(Schedule plan) {
    Instant now = clock.instant();
    if (due == null) {
      due = firstDue(plan, now);
    }
    if (now.isBefore(due)) {
      return;
    }
    Job job = backup(plan.order());
    Job before = last.get();
    if (last.compareAndSet(before, job)) {
      run(job);
      String failure = job.failure == null ? prune(job, plan.keep()) : job.failure;
      trouble = failure.isEmpty() ? "" : "the scheduled backup failed: " + failure;
      due = clock.instant().plus(failure.isEmpty() ? plan.period() : RETRY_PERIOD);
    }
  }

  /** Returns when the first backup is due: a restart does not delay it. */
  private static Instant firstDue(Schedule plan, Instant now) {
    try (BackupTarget target = Targets.of(plan.order().target())) {
      target.create();
      List<String> ids = target.ids();
      return ids.isEmpty()
          ? now
          : target.record(ids.get(ids.size() - 1)).time().plus(plan.period());
    } catch (IOException | BackupException e) {
      LOG.warn("the target of scheduled backups cannot be read: {}", e.toString());
      return now;
    }
  }

  private static String prune(Job job, int keep) {
    if (keep == 0) {
      return "";
    }
    try (BackupTarget target = Targets.of(job.order.target())) {
      target.lock();
      List<String> removed = new BackupCheck(target).prune(keep);
      LOG.info("{} old backups were removed", removed.size());
      return "";
    } catch (IOException | BackupException e) {
      return "old backups stay: " + e.getMessage();
    }
  }

  private void run(Job job) {
    String failure = "a fault of the server; its log says more";
    try (BackupTarget target = job.target) {
      if (job.creates) {
        target.create();
      }
      target.lock();
      job.made = job.work.run(target, job.meter);
      failure = "";
    } catch (BackupException e) {
      failure = String.valueOf(e.getMessage());
    } catch (IOException | UncheckedIOException | StorageException e) {
      failure = e.toString();
    } finally {
      if (job.made == null) {
        job.failure = failure;
        LOG.warn("a backup or restore with {} failed: {}", job.target.place(), failure);
      }
    }
  }

  private BackupRecord copy(Order order, BackupTarget target, Meter meter) throws IOException {
    byte[] included = order.accounts() ? accounts.get() : null;
    try (StoreCut cut = engine.cut()) {
      if (cut == null) {
        throw new BackupException("this storage engine has no backups; see docs/backup.md");
      }
      BackupRecord made = new BackupRun(target, cut, included, meter).run(server);
      LOG.info(
          "backup {} is complete: {} bytes, of which {} were copied",
          made.id(),
          made.bytes(),
          made.copiedBytes());
      return made;
    }
  }

  /** Cancels a running backup and waits until it has ended. */
  @Override
  public void close() {
    Job job = last.get();
    if (job != null) {
      job.meter.cancel();
    }
    thread.close();
  }
}
