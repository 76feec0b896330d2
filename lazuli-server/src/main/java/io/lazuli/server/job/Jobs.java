package io.lazuli.server.job;

import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.thread.BackgroundThread;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs of a server. They are stored, so that they outlive the tab that ordered them and the
 * process that runs them: a server that starts takes over what nobody runs. Thread-safe; methods
 * block.
 */
public final class Jobs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);

  /** The number of jobs that run at a time. */
  public static final int RUNNING_MAX = 2;

  /** The number of jobs that are kept. */
  public static final int KEPT_MAX = 100;

  /** The days for which jobs that are over are kept. */
  public static final int KEPT_DAYS = 14;

  /** The number of lines of a log. */
  public static final int LOG_LINES_MAX = 200;

  /** The characters of a line of a log. */
  static final int LINE_CHARS_MAX = 400;

  /** What a job says that was cancelled before anybody allowed it to begin. */
  private static final String UNTOUCHED = "Nothing was changed.";

  private static final Duration SAVE_PERIOD = Duration.ofSeconds(1);
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration LOOK_PERIOD = Duration.ofSeconds(10);
  private static final Duration SWEEP_PERIOD = Duration.ofMinutes(10);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

  private final String server = UUID.randomUUID().toString().substring(0, 8);
  private final JobStore store;
  private final JobFiles files;
  private final Map<String, JobKind> kinds;
  private final Clock clock;
  private final List<BackgroundThread> threads = new ArrayList<>();
  private final List<BackgroundThread.Job> loops = new ArrayList<>();
  private final Map<String, JobRunner> running = new ConcurrentHashMap<>();
  private volatile Consumer<Job> listener = job -> {};

  public Jobs(JobFiles files, List<JobKind> kinds, Clock clock) {
    this.store = new JobStore(files.tables(), clock);
    this.files = files;
    Map<String, JobKind> byName = new LinkedHashMap<>();
    kinds.forEach(kind -> byName.put(kind.name(), kind));
    this.kinds = Collections.unmodifiableMap(byName);
    this.clock = clock;
    for (int i = 0; i < RUNNING_MAX; i++) {
      BackgroundThread thread = new BackgroundThread("job-" + i, LOG::warn);
      threads.add(thread);
      loops.add(thread.repeat(Duration.ZERO, AFTER_FAILURE, () -> runNext(thread)));
    }
    threads.get(0).repeat(SWEEP_PERIOD, SWEEP_PERIOD, this::sweep);
  }

  /** Starts the threads, which go on with the jobs that a stopped server left. */
  public void start() {
    threads.forEach(BackgroundThread::start);
  }

  /** Passes each change of a job to a listener. */
  public void onChange(Consumer<Job> changed) {
    listener = changed;
  }

  public List<JobKind> kinds() {
    return List.copyOf(kinds.values());
  }

  public JobFiles files() {
    return files;
  }

  /** Orders a job. */
  public Job order(String account, String kind, Map<String, String> parameters, String user) {
    JobKind known = kinds.get(kind);
    if (known == null) {
      throw JobErrors.badOrder("There is no such kind of job.");
    }
    if (!known.unavailable().isEmpty()) {
      throw JobErrors.badOrder(known.unavailable());
    }
    known.check(account, parameters);
    Instant now = clock.instant();
    makeRoom(now);
    Job job = Job.ordered(new Job.Order(newId(now), account, kind, parameters, user, now));
    store.put(job);
    store.log(job.id(), List.of("ordered by " + user));
    LOG.info(
        "job {}: {} ordered {} in {} of {}",
        job.id(),
        user,
        kind,
        parameters.getOrDefault("table", "the store"),
        account);
    listener.accept(job);
    wakeAll();
    return job;
  }

  /** Returns an id that sorts by time. */
  private static String newId(Instant now) {
    String random = UUID.randomUUID().toString().substring(0, 6);
    return String.format(Locale.ROOT, "j%011x%s", now.toEpochMilli(), random);
  }

  /** Removes jobs that are over: those that are too old, and the oldest if there are too many. */
  private synchronized void makeRoom(Instant now) {
    List<Job> all = new ArrayList<>(store.all());
    for (Job job : List.copyOf(all)) {
      Instant ended = job.ended();
      boolean isOver = job.state().isEnd() || job.state() == JobState.FAILED;
      boolean isOld = ended != null && ended.plus(Duration.ofDays(KEPT_DAYS)).isBefore(now);
      if (isOver && (isOld || all.size() >= KEPT_MAX)) {
        forget(job);
        all.remove(job);
      }
    }
    if (all.size() >= KEPT_MAX) {
      throw JobErrors.TOO_MANY.exception();
    }
    files.sweep(all, now);
  }

  /** Removes files that are too old or too many, before another one comes. */
  public void makeRoomForFile() {
    files.sweep(store.all(), clock.instant());
  }

  private void forget(Job job) {
    files.remove(job.id());
    store.remove(job.id());
  }

  /** Returns the jobs that were ordered in an account, the newest first. */
  public List<Job> list(String account) {
    List<Job> found = new ArrayList<>();
    for (Job job : store.all()) {
      if (job.account().equals(account)) {
        found.add(0, job);
      }
    }
    return found;
  }

  public Job find(String account, String id) {
    Job job = store.find(id);
    if (job == null || !job.account().equals(account)) {
      throw JobErrors.NO_JOB.exception();
    }
    return job;
  }

  /** Returns the lines of a job's log; each begins with a time and a space. */
  public List<String> log(String account, String id) {
    return store.lines(find(account, id).id());
  }

  public Job pause(String account, String id, String user) {
    return wish(account, id, JobState.PAUSED, user);
  }

  /** Cancels a job. What it has done stays done. */
  public Job cancel(String account, String id, String user) {
    return wish(account, id, JobState.CANCELLED, user);
  }

  private Job wish(String account, String id, JobState next, String user) {
    find(account, id);
    Instant now = clock.instant();
    Job after =
        changed(
            id,
            job ->
                switch (job.state()) {
                  case RUNNING -> job.wanting(next);
                  case WAITING -> job.in(next, job.message(), now);
                  case PAUSED, FAILED ->
                      next == JobState.CANCELLED
                          ? job.in(next, job.asks() ? UNTOUCHED : job.message(), now)
                          : null;
                  case CANCELLED, DONE -> null;
                });
    if (after.state() != next && after.wish() != next) {
      throw JobErrors.WRONG_STATE.exception().with("state", after.state().text());
    }
    if (after.state() == JobState.CANCELLED) {
      removeUnfinished(after);
    }
    store.log(id, List.of(next.text() + " by " + user));
    note(after);
    return after;
  }

  /** Lets a job go on that is paused, waits for a permission, or has failed. */
  public Job resume(String account, String id, String user) {
    find(account, id);
    Job after =
        changed(
            id,
            job ->
                switch (job.state()) {
                  case PAUSED, FAILED -> job.allowed();
                  case RUNNING ->
                      job.wish() == JobState.PAUSED ? job.wanting(JobState.RUNNING) : null;
                  case WAITING, CANCELLED, DONE -> null;
                });
    if (after.state() != JobState.WAITING && after.state() != JobState.RUNNING) {
      throw JobErrors.WRONG_STATE.exception().with("state", after.state().text());
    }
    store.log(id, List.of("resumed by " + user));
    note(after);
    wakeAll();
    return after;
  }

  /** Removes a job that is over, and its file. */
  public void remove(String account, String id) {
    Job job = find(account, id);
    if (!job.state().isEnd() && job.state() != JobState.FAILED) {
      throw JobErrors.WRONG_STATE.exception().with("state", job.state().text());
    }
    forget(job);
  }

  private Job changed(String id, Function<Job, @Nullable Job> change) {
    Job after = store.change(id, change);
    if (after == null) {
      throw JobErrors.NO_JOB.exception();
    }
    return after;
  }

  private void note(Job job) {
    listener.accept(job);
    JobRunner runner = running.get(job.id());
    if (runner != null) {
      runner.poke();
    }
  }

  private void wakeAll() {
    loops.forEach(BackgroundThread.Job::wake);
  }

  /** Runs one job, if there is one that nobody runs. */
  private Duration runNext(BackgroundThread thread) {
    Job job = claim();
    if (job == null) {
      return store.isShared() ? LOOK_PERIOD : BackgroundThread.UNTIL_WOKEN;
    }
    JobKind kind = kinds.get(job.kind());
    JobRunner runner = new JobRunner(job, kind, this::save, thread::isClosing);
    running.put(job.id(), runner);
    try {
      runner.run();
    } finally {
      running.remove(job.id());
    }
    return Duration.ZERO;
  }

  private synchronized @Nullable Job claim() {
    for (Job candidate : store.all()) {
      if (isFree(candidate) && !running.containsKey(candidate.id())) {
        boolean wasRunning = candidate.state() == JobState.RUNNING;
        Instant until = clock.instant().plus(LEASE);
        Job taken =
            store.change(candidate.id(), job -> isFree(job) ? job.takenBy(server, until) : null);
        if (taken != null && taken.owner().equals(server)) {
          store.log(
              taken.id(), List.of(wasRunning ? "goes on after a stop of the server" : "runs"));
          listener.accept(taken);
          return taken;
        }
      }
    }
    return null;
  }

  /** Returns whether nobody runs the job and nobody keeps it from running. */
  private boolean isFree(Job job) {
    return switch (job.state()) {
      case WAITING -> true;
      case RUNNING ->
          !job.owner().equals(server)
              && (!store.isShared() || job.lease().isBefore(clock.instant()));
      case PAUSED, FAILED, CANCELLED, DONE -> false;
    };
  }

  /**
   * Stores what a running job has reached.
   *
   * @param next RUNNING, or the state in which it ends; null if the server stops
   * @return the state in which the job is now, which a person may have chosen; CANCELLED if the job
   *     is not ours any more
   */
  private JobState save(Job job, JobRun run, @Nullable JobState next, String why) {
    Instant now = clock.instant();
    JobRun.Snapshot snapshot = run.snapshot();
    Job after =
        store.change(
            job.id(),
            stored -> {
              if (stored.state() != JobState.RUNNING || !stored.owner().equals(server)) {
                return null;
              }
              Job moved = stored.with(snapshot);
              if (next == null) {
                return moved.takenBy("", Instant.EPOCH);
              }
              JobState state = next == JobState.RUNNING ? stored.wish() : next;
              return state == JobState.RUNNING
                  ? moved.takenBy(server, now.plus(LEASE))
                  : moved.in(state, why.isEmpty() ? snapshot.message() : why, now);
            });
    if (after == null || (after.state() == JobState.RUNNING && !after.owner().equals(server))) {
      return next == null ? JobState.RUNNING : JobState.CANCELLED;
    }
    store.log(job.id(), run.takeLines());
    if (after.state() == JobState.CANCELLED) {
      removeUnfinished(after);
    }
    listener.accept(after);
    return after.state();
  }

  /** Removes the file of a job that will never be complete. */
  private void removeUnfinished(Job job) {
    if (job.result() == null) {
      files.remove(job.id());
    }
  }

  /** Removes old jobs and old files. */
  private Duration sweep() {
    Instant now = clock.instant();
    for (Job job : store.all()) {
      Instant ended = job.ended();
      if (ended != null && ended.plus(Duration.ofDays(KEPT_DAYS)).isBefore(now)) {
        forget(job);
      }
    }
    files.sweep(store.all(), now);
    return SWEEP_PERIOD;
  }

  /** Returns one line about threads that do not run; empty if there is no trouble. */
  public String trouble() {
    return threads.stream()
        .map(BackgroundThread::trouble)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** Returns whether a failure may pass by itself. */
  static boolean isPassing(RuntimeException failure) {
    return failure instanceof StorageException
        || (failure instanceof ServiceException refusal
            && (refusal.error().status() == 503 || refusal.error().status() == 429));
  }

  static Duration savePeriod() {
    return SAVE_PERIOD;
  }

  /** Stops running jobs where they are. They go on when a server starts. */
  @Override
  public void close() {
    threads.forEach(BackgroundThread::close);
  }
}
