package io.lazuli.storage.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs that are repeated on one thread. */
class BackgroundThreadTest {
  private static final Duration OFTEN = Duration.ofMillis(1);

  private final List<String> log = new CopyOnWriteArrayList<>();
  private final BackgroundThread thread =
      new BackgroundThread("test", (line, failure) -> log.add(line + ": " + failure));

  @AfterEach
  void close() {
    thread.close();
  }

  @Test
  void anErrorIsReportedUntilTheJobSucceedsAgain() {
    AtomicInteger runs = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>(new StackOverflowError("deep"));
    thread.repeat(
        Duration.ZERO,
        OFTEN,
        () -> {
          runs.incrementAndGet();
          throwIfAny(failure.get());
          return OFTEN;
        });
    thread.start();
    await().until(() -> runs.get() > 3);
    assertThat(thread.trouble())
        .isEqualTo("the thread test fails: java.lang.StackOverflowError: deep");
    assertThat(log)
        .containsExactly("test failed; it tries again in 0 s: java.lang.StackOverflowError: deep");
    failure.set(null);
    await().until(() -> thread.trouble().isEmpty());
  }

  @Test
  void aFailureOfTheLogDoesNotEndTheThread() {
    AtomicInteger runs = new AtomicInteger();
    try (BackgroundThread other =
        new BackgroundThread(
            "other",
            (line, failure) -> {
              throw new LinkageError("no log");
            })) {
      other.repeat(
          Duration.ZERO,
          OFTEN,
          () -> {
            throw new IllegalStateException("failure " + runs.incrementAndGet());
          });
      other.start();
      await().until(() -> runs.get() > 3);
    }
  }

  @Test
  void runningOutOfMemoryIsPassedOnAndSurvived() {
    List<Throwable> seen = new CopyOnWriteArrayList<>();
    Runnable end = OutOfMemory.onError(seen::add);
    AtomicInteger runs = new AtomicInteger();
    try {
      thread.repeat(
          Duration.ZERO,
          OFTEN,
          () -> {
            if (runs.incrementAndGet() == 1) {
              throw new IllegalStateException(new OutOfMemoryError("test"));
            }
            return OFTEN;
          });
      thread.start();
      await().until(() -> runs.get() > 1);
    } finally {
      end.run();
    }
    assertThat(seen).singleElement().isInstanceOf(OutOfMemoryError.class);
    OutOfMemory.check(new OutOfMemoryError("nobody listens"));
    OutOfMemory.check(null);
    assertThat(seen).hasSize(1);
  }

  @Test
  void aWokenJobDoesNotKeepAnotherFromRunning() {
    AtomicInteger restless = new AtomicInteger();
    AtomicInteger other = new AtomicInteger();
    AtomicReference<BackgroundThread.Job> self = new AtomicReference<>();
    self.set(
        thread.repeat(
            Duration.ZERO,
            OFTEN,
            () -> {
              restless.incrementAndGet();
              self.get().wake();
              return BackgroundThread.UNTIL_WOKEN;
            }));
    thread.repeat(
        Duration.ZERO,
        OFTEN,
        () -> {
          other.incrementAndGet();
          return Duration.ZERO;
        });
    thread.start();
    await().until(() -> restless.get() > 10 && other.get() > 10);
  }

  @Test
  void aWakeDuringTheStepIsNotLost() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    BackgroundThread.Job job =
        thread.repeat(
            Duration.ZERO,
            OFTEN,
            () -> {
              runs.incrementAndGet();
              inside.countDown();
              goOn.await();
              return BackgroundThread.UNTIL_WOKEN;
            });
    thread.start();
    inside.await();
    job.wake();
    goOn.countDown();
    await().until(() -> runs.get() == 2);
  }

  @Test
  void closeWaitsABoundedTimeForTheStep() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    thread.repeat(
        Duration.ZERO,
        OFTEN,
        () -> {
          inside.countDown();
          goOn.await();
          return OFTEN;
        });
    thread.start();
    inside.await();
    assertThat(thread.close(Duration.ofMillis(1))).isFalse();
    assertThat(thread.isClosing()).isTrue();
    assertThat(thread.trouble()).isEmpty();
    goOn.countDown();
    thread.closeAndJoin();
    assertThat(thread.close(Duration.ofMillis(1))).isTrue();
  }

  private static void throwIfAny(Throwable failure) throws Exception {
    if (failure instanceof Error error) {
      throw error;
    }
  }
}
