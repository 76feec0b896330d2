package io.lazuli.storage.thread;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A named daemon thread that repeats one or more jobs until it is closed. No failure of a job ends
 * it, not even an {@code Error}: the job runs again after its pause for failures. {@link #trouble}
 * reports a job that failed until the job succeeds again, and a thread that has died. Running out
 * of memory is passed to {@link OutOfMemory}.
 *
 * <p>Jobs run one at a time. Thread-safe: any thread may wake a job, ask for the trouble, and close
 * the thread. A job is not interrupted, because an interrupt would close files that the store uses.
 */
public final class BackgroundThread implements AutoCloseable {
  /** The pause of a job that has nothing to do until somebody wakes it. */
  public static final Duration UNTIL_WOKEN = Duration.ofDays(365);

  /** The time that {@link #close} waits for the running step. */
  public static final Duration CLOSE_TIME_MAX = Duration.ofSeconds(3);

  /** One step of a job. */
  @FunctionalInterface
  public interface Step {
    /** Does a bounded part of the work. Returns the pause before the next step. */
    Duration run() throws Exception;
  }

  private final Thread thread;
  private final BiConsumer<String, Throwable> log;
  private final List<Job> jobs = new CopyOnWriteArrayList<>();
  private volatile boolean started;
  private volatile boolean closing;

  /**
   * Makes a thread that does not run yet.
   *
   * @param log takes a line for the log and the failure, for the first of several equal failures
   */
  public BackgroundThread(String name, BiConsumer<String, Throwable> log) {
    this.thread = Threads.daemon(this::run, name);
    this.log = log;
  }

  /**
   * Adds a job.
   *
   * @param delay the pause before its first step
   * @param afterFailure the pause after a step that failed
   */
  public Job repeat(Duration delay, Duration afterFailure, Step step) {
    Job job = new Job(delay, afterFailure, step);
    jobs.add(job);
    LockSupport.unpark(thread);
    return job;
  }

  /** Starts the thread. Does nothing if it was started before. */
  public synchronized void start() {
    if (!started && !closing) {
      thread.start();
      started = true;
    }
  }

  public String name() {
    return thread.getName();
  }

  /** Returns whether somebody has closed the thread; long steps then end early. */
  public boolean isClosing() {
    return closing;
  }

  /**
   * Returns one line that names the thread and says what is wrong: it has died, or the last step of
   * a job failed. Returns an empty text if nothing is wrong.
   */
  public String trouble() {
    if (started && !closing && !thread.isAlive()) {
      return "the thread " + name() + " has died";
    }
    for (Job job : jobs) {
      Throwable failure = job.failure;
      if (failure != null) {
        return "the thread " + name() + " fails: " + failure;
      }
    }
    return "";
  }

  /** Ends the thread after its current step, for which it waits a bounded time. */
  @Override
  public void close() {
    boolean unused = close(CLOSE_TIME_MAX);
  }

  /**
   * Ends the thread after its current step.
   *
   * @return false if the step was still running after this time
   */
  public boolean close(Duration wait) {
    end();
    return thread != Thread.currentThread() && Threads.join(thread, wait);
  }

  /**
   * Ends the thread after its current step, for which it waits without a bound: the caller is about
   * to release native memory that the step uses.
   */
  public void closeAndJoin() {
    end();
    Threads.join(thread);
  }

  private synchronized void end() {
    closing = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!closing) {
      try {
        runNext();
      } catch (Throwable e) {
        // Only the log or a reaction can fail here. The thread survives this too.
        OutOfMemory.check(e);
      }
    }
  }

  private void runNext() {
    Job next = null;
    for (Job job : jobs) {
      if (next == null || job.dueNanos() - next.dueNanos() < 0) {
        next = job;
      }
    }
    long left = next == null ? UNTIL_WOKEN.toNanos() : next.dueNanos() - System.nanoTime();
    if (next != null && left <= 0) {
      next.run();
    } else {
      LockSupport.parkNanos(this, left);
      // Clears an interrupt, which would make every later park return immediately.
      boolean unused = Thread.interrupted();
    }
  }

  /** Work that is repeated on the thread. */
  public final class Job {
    private final Duration afterFailure;
    private final Step step;
    private volatile boolean woken;
    private volatile long wokenNanos;
    private volatile long pausedUntilNanos;
    private volatile @Nullable Throwable failure;

    private Job(Duration delay, Duration afterFailure, Step step) {
      this.afterFailure = afterFailure;
      this.step = step;
      this.pausedUntilNanos = System.nanoTime() + delay.toNanos();
    }

    /** Ends the pause of the job. */
    public void wake() {
      if (!woken) {
        wokenNanos = System.nanoTime();
        woken = true;
      }
      LockSupport.unpark(thread);
    }

    /** Returns when the job is due. The job that is due first runs first, so that none starves. */
    private long dueNanos() {
      return woken ? wokenNanos : pausedUntilNanos;
    }

    private void run() {
      woken = false;
      // If even the bookkeeping below fails, the job is repeated after this pause.
      pause(afterFailure);
      try {
        pause(step.run());
        failure = null;
      } catch (Throwable e) {
        failed(e);
      }
    }

    private void failed(Throwable e) {
      Throwable before = failure;
      failure = e;
      pause(afterFailure);
      OutOfMemory.check(e);
      boolean known = before != null && before.toString().equals(e.toString());
      if (!known && !closing) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(afterFailure.toNanos());
        log.accept(name() + " failed; it tries again in " + seconds + " s", e);
      }
    }

    private void pause(Duration pause) {
      pausedUntilNanos = System.nanoTime() + pause.toNanos();
    }
  }
}
