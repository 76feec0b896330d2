package io.lazuli.storage.hbase.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.storage.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tasks that run periodically on one thread. */
class RecurringTasksTest {
  private static final Duration OFTEN = Duration.ofMillis(1);

  private final RecurringTasks tasks = new RecurringTasks("test");

  @Test
  void aFailedTaskRunsAgain() {
    AtomicInteger runs = new AtomicInteger();
    tasks.every(
        OFTEN,
        Duration.ZERO,
        () -> {
          if (runs.incrementAndGet() > 1) {
            throw new StorageException(StorageException.Kind.TIMEOUT, "on purpose");
          }
          throw new IllegalStateException("on purpose");
        });
    await().until(() -> runs.get() > 4);
    tasks.end();
  }

  @Test
  void aTaskSurvivesAnErrorWhichIsReportedUntilItSucceeds() {
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger failing = new AtomicInteger(1);
    tasks.every(
        OFTEN,
        Duration.ZERO,
        () -> {
          runs.incrementAndGet();
          if (failing.get() == 1) {
            throw new StackOverflowError("on purpose");
          }
        });
    await().until(() -> runs.get() > 2);
    assertThat(tasks.trouble())
        .isEqualTo("the thread lazuli-hbase-test fails: java.lang.StackOverflowError: on purpose");
    failing.set(0);
    await().until(() -> tasks.trouble().isEmpty());
    tasks.end();
  }

  @Test
  void endInterruptsTheRunningTask() throws InterruptedException {
    CountDownLatch pending = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    tasks.soon(
        () -> {
          pending.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
          }
        });
    pending.await();
    tasks.end();
    assertThat(interrupted.getCount()).isZero();
    tasks.soon(() -> {});
  }

  @Test
  void theLastTaskRunsOnTheSameThreadAfterTheRunningOne() throws InterruptedException {
    List<String> done = new CopyOnWriteArrayList<>();
    CountDownLatch pending = new CountDownLatch(1);
    tasks.every(
        OFTEN,
        Duration.ZERO,
        () -> {
          pending.countDown();
          done.add(Thread.currentThread().getName());
        });
    pending.await();
    tasks.endAfter(() -> done.add("last on " + Thread.currentThread().getName()));
    assertThat(done).containsOnlyOnce("last on lazuli-hbase-test").contains("lazuli-hbase-test");
    assertThat(done.get(done.size() - 1)).startsWith("last");
  }
}
