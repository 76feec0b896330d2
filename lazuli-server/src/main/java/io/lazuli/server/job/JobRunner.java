package io.lazuli.server.job;

import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one job until it ends, somebody stops it, or the server closes. */
final class JobRunner {
  private static final Logger LOG = LoggerFactory.getLogger(JobRunner.class);

  private static final int ATTEMPTS_MAX = 8;
  private static final Duration ATTEMPT_PAUSE_MAX = Duration.ofSeconds(10);

  /** Stores what a job has reached; see {@link Jobs}. */
  @FunctionalInterface
  interface Saver {
    JobState save(Job job, JobRun run, @Nullable JobState next, String why);
  }

  private final Job job;
  private final @Nullable JobKind kind;
  private final Saver saver;
  private final BooleanSupplier closing;
  private final Thread thread = Thread.currentThread();
  private final JobRun run;
  private volatile boolean poked;
  private long savedNanos = System.nanoTime();

  JobRunner(Job job, @Nullable JobKind kind, Saver saver, BooleanSupplier closing) {
    this.job = job;
    this.kind = kind;
    this.saver = saver;
    this.closing = closing;
    this.run = new JobRun(job, System::nanoTime);
  }

  /** Makes the job look at once whether somebody wants to stop it. */
  void poke() {
    poked = true;
    LockSupport.unpark(thread);
  }

  void run() {
    int failures = 0;
    while (true) {
      long before = run.done();
      try {
        runToEnd();
        return;
      } catch (RuntimeException e) {
        RuntimeException failure = cause(e);
        failures = run.done() > before ? 1 : failures + 1;
        if (!Jobs.isPassing(failure) || failures >= ATTEMPTS_MAX) {
          end(failure);
          return;
        }
        run.repeat();
        run.log("tries again: " + sentence(failure));
        Duration pause = Duration.ofMillis(125L << Math.min(failures, 7));
        if (!rest(pause.compareTo(ATTEMPT_PAUSE_MAX) < 0 ? pause : ATTEMPT_PAUSE_MAX)) {
          return;
        }
      }
    }
  }

  /** Waits; returns false if the job was stopped during the wait. */
  private boolean rest(Duration pause) {
    nap(pause);
    return closing.getAsBoolean()
        ? saver.save(job, run, null, "") == JobState.DONE
        : saver.save(job, run, JobState.RUNNING, "") == JobState.RUNNING;
  }

  private void runToEnd() {
    if (kind == null) {
      throw new JobFailure("This server does not know jobs of this kind.");
    }
    JobWork work = kind.open(run);
    JobState state = JobState.RUNNING;
    while (state == JobState.RUNNING) {
      Duration pause = work.step();
      if (pause == null) {
        saver.save(job, run, JobState.DONE, "");
        return;
      }
      if (run.asks()) {
        saver.save(job, run, JobState.PAUSED, "");
        return;
      }
      nap(pause);
      if (closing.getAsBoolean()) {
        work.stop(JobState.RUNNING);
        saver.save(job, run, null, "");
        return;
      }
      if (poked || System.nanoTime() - savedNanos >= Jobs.savePeriod().toNanos()) {
        poked = false;
        savedNanos = System.nanoTime();
        state = saver.save(job, run, JobState.RUNNING, "");
      }
    }
    work.stop(state);
  }

  /** Waits for a pause, or until somebody pokes. */
  private void nap(Duration pause) {
    long end = System.nanoTime() + pause.toNanos();
    long left = pause.toNanos();
    while (left > 0 && !poked && !closing.getAsBoolean()) {
      LockSupport.parkNanos(this, left);
      left = end - System.nanoTime();
    }
  }

  private void end(RuntimeException failure) {
    boolean isExpected =
        failure instanceof JobFailure
            || failure instanceof ServiceException
            || Jobs.isPassing(failure);
    if (!isExpected) {
      LOG.error("job {} failed", job.id(), failure);
    }
    String why = isExpected ? sentence(failure) : "A fault of the server. Its log says more.";
    run.log("failed: " + why);
    saver.save(job, run, JobState.FAILED, why);
  }

  private static RuntimeException cause(RuntimeException failure) {
    return Futures.cause(failure) instanceof RuntimeException inner ? inner : failure;
  }

  private static String sentence(RuntimeException failure) {
    return failure instanceof ServiceException refusal
        ? refusal.text()
        : String.valueOf(failure.getMessage());
  }
}
