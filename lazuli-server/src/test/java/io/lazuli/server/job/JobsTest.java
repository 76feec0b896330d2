package io.lazuli.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.own.OwnTables;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.memory.InMemoryEngine;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs with a kind whose steps the test lets pass one by one. */
class JobsTest {
  private static final String ACCOUNT = "acme";
  private static final String USER = "ada";
  private static final int STEPS = 5;

  private final StorageEngine engine = new InMemoryEngine(EngineConfig.of(Path.of("unused")));
  private final List<Jobs> open = new ArrayList<>();
  private final Steps steps = new Steps();
  private final Semaphore over = new Semaphore(0);
  private Instant now = Instant.parse("2026-11-18T12:00:00Z");

  @AfterEach
  void close() {
    steps.permits.release(10_000);
    over.release(10);
    open.forEach(Jobs::close);
    engine.close();
  }

  private Jobs jobs(JobKind kind) {
    Clock clock =
        new Clock() {
          @Override
          public ZoneOffset getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }

          @Override
          public Instant instant() {
            return now;
          }
        };
    JobFiles files = new JobFiles(new OwnTables(engine, new Catalog(engine), "Job"), clock);
    Jobs jobs = new Jobs(files, List.of(kind), clock);
    open.add(jobs);
    jobs.start();
    return jobs;
  }

  /** A kind of five steps, each of which needs a permit. */
  private static final class Steps implements JobKind {
    final Semaphore permits = new Semaphore(0);
    final List<String> done = new CopyOnWriteArrayList<>();
    volatile @Nullable RuntimeException failure;
    volatile boolean asks;

    @Override
    public String name() {
      return "steps";
    }

    @Override
    public void check(String account, Map<String, String> parameters) {
      if (parameters.containsKey("bad")) {
        throw JobErrors.badOrder("It is bad.");
      }
    }

    @Override
    public JobWork open(JobRun run) {
      return () -> step(run);
    }

    private @Nullable Duration step(JobRun run) {
      run.expect(STEPS, true);
      if (asks && !run.isAllowed()) {
        run.ask("May I?");
        return Duration.ZERO;
      }
      if (!permits.tryAcquire()) {
        return Duration.ofMillis(1);
      }
      RuntimeException wrong = failure;
      if (wrong != null) {
        throw wrong;
      }
      long number = run.number("at");
      done.add(run.id() + "/" + number);
      run.cursor("at", number + 1);
      run.add(1);
      if (number + 1 == STEPS) {
        run.message("made");
        return null;
      }
      return Duration.ZERO;
    }
  }

  private static Job order(Jobs jobs) {
    return jobs.order(ACCOUNT, "steps", Map.of("table", "T"), USER);
  }

  private static void awaitState(Jobs jobs, Job job, JobState state) {
    await().until(() -> jobs.find(ACCOUNT, job.id()).state() == state);
  }

  private void awaitSteps(int count) {
    await().until(() -> steps.done.size() == count);
  }

  @Test
  void aJobRunsToItsEndAndIsKept() {
    Jobs jobs = jobs(steps);
    List<JobState> seen = new CopyOnWriteArrayList<>();
    jobs.onChange(job -> seen.add(job.state()));
    Job job = order(jobs);
    assertThat(job.state()).isEqualTo(JobState.WAITING);
    steps.permits.release(STEPS);
    awaitState(jobs, job, JobState.DONE);
    Job done = jobs.find(ACCOUNT, job.id());
    assertThat(done.progress().done()).isEqualTo(STEPS);
    assertThat(done.progress().of()).isEqualTo(STEPS);
    assertThat(done.message()).isEqualTo("made");
    assertThat(done.user()).isEqualTo(USER);
    assertThat(done.ended()).isEqualTo(now);
    assertThat(jobs.log(ACCOUNT, job.id())).hasSize(2).first().asString().contains("by ada");
    assertThat(seen).contains(JobState.WAITING, JobState.RUNNING, JobState.DONE);
    assertThat(jobs.list(ACCOUNT)).extracting(Job::id).containsExactly(job.id());
    assertThat(jobs.list("other")).isEmpty();
    assertThatThrownBy(() -> jobs.find("other", job.id())).isInstanceOf(ServiceException.class);
  }

  @Test
  void aPausedJobGoesOnWhereItWas() {
    Jobs jobs = jobs(steps);
    Job job = order(jobs);
    steps.permits.release(2);
    awaitSteps(2);
    jobs.pause(ACCOUNT, job.id(), USER);
    awaitState(jobs, job, JobState.PAUSED);
    steps.permits.release(STEPS);
    assertThat(jobs.find(ACCOUNT, job.id()).progress().done()).isEqualTo(2);
    jobs.resume(ACCOUNT, job.id(), USER);
    awaitState(jobs, job, JobState.DONE);
    assertThat(steps.done).hasSize(STEPS).doesNotHaveDuplicates();
  }

  @Test
  void aCancelledJobStaysCancelled() {
    Jobs jobs = jobs(steps);
    Job job = order(jobs);
    steps.permits.release(1);
    awaitSteps(1);
    jobs.cancel(ACCOUNT, job.id(), USER);
    awaitState(jobs, job, JobState.CANCELLED);
    assertThatThrownBy(() -> jobs.resume(ACCOUNT, job.id(), USER))
        .isInstanceOfSatisfying(
            ServiceException.class, e -> assertThat(e.text()).isEqualTo("The job is cancelled."));
    jobs.remove(ACCOUNT, job.id());
    assertThat(jobs.list(ACCOUNT)).isEmpty();
  }

  @Test
  void aFailureIsToldAndTheJobCanGoOn() {
    Jobs jobs = jobs(steps);
    Job job = order(jobs);
    steps.permits.release(2);
    awaitSteps(2);
    steps.failure = new JobFailure("The disk is full.");
    steps.permits.release(1);
    awaitState(jobs, job, JobState.FAILED);
    assertThat(jobs.find(ACCOUNT, job.id()).message()).isEqualTo("The disk is full.");
    steps.failure = null;
    steps.permits.release(STEPS);
    jobs.resume(ACCOUNT, job.id(), USER);
    awaitState(jobs, job, JobState.DONE);
    assertThat(steps.done).hasSize(STEPS).doesNotHaveDuplicates();
  }

  @Test
  void aFaultOfTheServerDoesNotShowItsInside() {
    Jobs jobs = jobs(steps);
    Job job = order(jobs);
    steps.failure = new IllegalStateException("secret");
    steps.permits.release(1);
    awaitState(jobs, job, JobState.FAILED);
    assertThat(jobs.find(ACCOUNT, job.id()).message()).doesNotContain("secret");
  }

  @Test
  void aPassingFailureIsTriedAgain() {
    Jobs jobs = jobs(steps);
    Job job = order(jobs);
    steps.failure = CommonErrors.SERVER_BUSY.exception();
    steps.permits.release(1);
    await().until(() -> steps.permits.availablePermits() == 0);
    steps.failure = null;
    steps.permits.release(STEPS);
    awaitState(jobs, job, JobState.DONE);
    assertThat(jobs.log(ACCOUNT, job.id())).anyMatch(line -> line.contains("tries again"));
  }

  @Test
  void aJobThatAsksWaitsForAPermission() {
    steps.asks = true;
    Jobs jobs = jobs(steps);
    Job job = order(jobs);
    awaitState(jobs, job, JobState.PAUSED);
    Job asking = jobs.find(ACCOUNT, job.id());
    assertThat(asking.asks()).isTrue();
    assertThat(asking.message()).isEqualTo("May I?");
    steps.permits.release(STEPS);
    jobs.resume(ACCOUNT, job.id(), USER);
    awaitState(jobs, job, JobState.DONE);
    assertThat(jobs.find(ACCOUNT, job.id()).asks()).isFalse();
  }

  @Test
  void twoJobsRunAtATime() {
    Jobs jobs = jobs(steps);
    for (int i = 0; i <= Jobs.RUNNING_MAX; i++) {
      order(jobs);
    }
    await().until(() -> in(jobs, JobState.RUNNING).size() == Jobs.RUNNING_MAX);
    List<Job> waiting = in(jobs, JobState.WAITING);
    assertThat(waiting).hasSize(1);
    jobs.cancel(ACCOUNT, waiting.get(0).id(), USER);
    assertThat(in(jobs, JobState.CANCELLED)).hasSize(1);
    steps.permits.release(Jobs.RUNNING_MAX * STEPS);
    await().until(() -> in(jobs, JobState.DONE).size() == Jobs.RUNNING_MAX);
  }

  private static List<Job> in(Jobs jobs, JobState state) {
    return jobs.list(ACCOUNT).stream().filter(job -> job.state() == state).toList();
  }

  @Test
  void aJobGoesOnAfterAnOrderlyStop() {
    Jobs first = jobs(steps);
    Job job = order(first);
    steps.permits.release(3);
    awaitSteps(3);
    first.close();
    assertThat(first.find(ACCOUNT, job.id()).progress().done()).isEqualTo(3);
    steps.permits.release(STEPS);
    Jobs second = jobs(steps);
    awaitState(second, job, JobState.DONE);
    assertThat(steps.done).hasSize(STEPS).doesNotHaveDuplicates();
    assertThat(second.find(ACCOUNT, job.id()).cursor()).doesNotContainKey("repeated");
  }

  @Test
  void anotherServerGoesOnWithTheJobOfADeadOne() {
    Hanging hanging = new Hanging();
    Jobs dead = jobs(hanging);
    Job job = order(dead);
    await().until(() -> dead.find(ACCOUNT, job.id()).progress().done() == 1);
    hanging.dead.release();
    await().until(() -> hanging.dead.availablePermits() == 0);
    steps.permits.release(STEPS);
    Jobs living = jobs(steps);
    awaitState(living, job, JobState.DONE);
    Job done = living.find(ACCOUNT, job.id());
    assertThat(done.cursor()).containsKey("repeated");
    assertThat(steps.done).hasSize(STEPS - 1);
    assertThat(living.log(ACCOUNT, job.id()))
        .anyMatch(line -> line.endsWith("goes on after a stop of the server"));
  }

  /** Does one step, and later hangs until the test is over, as a dead server does for ever. */
  private final class Hanging implements JobKind {
    final Semaphore dead = new Semaphore(0);

    @Override
    public String name() {
      return "steps";
    }

    @Override
    public void check(String account, Map<String, String> parameters) {}

    @Override
    public JobWork open(JobRun run) {
      return () -> {
        if (run.number("at") == 0) {
          run.cursor("at", 1);
          run.add(1);
        } else if (dead.tryAcquire()) {
          over.acquireUninterruptibly();
          return null;
        }
        return Duration.ofMillis(20);
      };
    }
  }

  @Test
  void oldJobsMakeRoomAndOpenOnesDoNot() {
    Jobs jobs = jobs(steps);
    steps.permits.release(STEPS);
    Job old = order(jobs);
    awaitState(jobs, old, JobState.DONE);
    for (int i = 1; i < Jobs.KEPT_MAX; i++) {
      now = now.plusMillis(1);
      order(jobs);
    }
    order(jobs);
    assertThat(jobs.list(ACCOUNT)).hasSize(Jobs.KEPT_MAX);
    assertThatThrownBy(() -> jobs.find(ACCOUNT, old.id())).isInstanceOf(ServiceException.class);
    assertThatThrownBy(() -> order(jobs))
        .isInstanceOfSatisfying(
            ServiceException.class, e -> assertThat(e.error()).isEqualTo(JobErrors.TOO_MANY));
  }

  @Test
  void badOrdersAreRefused() {
    Jobs jobs = jobs(steps);
    assertThatThrownBy(() -> jobs.order(ACCOUNT, "steps", Map.of("bad", "x"), USER))
        .isInstanceOf(ServiceException.class);
    assertThatThrownBy(() -> jobs.order(ACCOUNT, "none", Map.of(), USER))
        .isInstanceOf(ServiceException.class);
    assertThat(jobs.list(ACCOUNT)).isEmpty();
  }
}
