package io.lazuli.storage.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Numbered reads that end when the test lets them. */
class SharedReadTest {
  private final AtomicInteger pending = new AtomicInteger();
  private final BlockingQueue<Boolean> ends = new LinkedBlockingQueue<>();
  private final SharedRead<Integer> shared = new SharedRead<>(deadline -> read());

  private int read() {
    int number = pending.incrementAndGet();
    try {
      if (!ends.take()) {
        throw new StorageException(StorageException.Kind.TIMEOUT, "read " + number);
      }
      return number;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aSingleCallerReads() {
    ends.add(true);
    ends.add(true);
    assertThat(shared.get(Deadline.NEVER)).isEqualTo(1);
    assertThat(shared.get(Deadline.NEVER)).isEqualTo(2);
  }

  @Test
  void callersThatArriveDuringAReadShareTheNextOne() throws Exception {
    CompletableFuture<Integer> first = ask();
    Awaitility.await().until(() -> pending.get() == 1);
    List<CompletableFuture<Integer>> later = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      later.add(ask());
    }
    ends.add(true);
    assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(1);
    ends.add(true);
    for (CompletableFuture<Integer> each : later) {
      assertThat(each.get(10, TimeUnit.SECONDS)).as("not the one that ran before").isEqualTo(2);
    }
    assertThat(pending).hasValue(2);
  }

  @Test
  void aCallerWhoseSharedReadFailedReadsItself() throws Exception {
    CompletableFuture<Integer> first = ask();
    Awaitility.await().until(() -> pending.get() == 1);
    CompletableFuture<Integer> second = ask();
    CompletableFuture<Integer> third = ask();
    ends.add(true);
    assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(1);
    ends.add(false);
    ends.add(true);
    CompletableFuture<Object> either = CompletableFuture.anyOf(second, third);
    assertThatThrownBy(() -> CompletableFuture.allOf(second, third).get(10, TimeUnit.SECONDS))
        .hasRootCauseMessage("read 2");
    assertThat(either).isDone();
    assertThat(List.of(second, third))
        .filteredOn(each -> !each.isCompletedExceptionally())
        .singleElement()
        .satisfies(each -> assertThat(each.get()).isEqualTo(3));
  }

  @Test
  void afterAFailureTheNextCallerReads() {
    ends.add(false);
    ends.add(true);
    assertThatThrownBy(() -> shared.get(Deadline.NEVER)).isInstanceOf(StorageException.class);
    assertThat(shared.get(Deadline.NEVER)).isEqualTo(2);
  }

  /** Calls get on a new thread, and returns once that thread waits or reads. */
  private CompletableFuture<Integer> ask() {
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                answer.complete(shared.get(Deadline.NEVER));
              } catch (StorageException e) {
                answer.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    Awaitility.await()
        .until(
            () ->
                thread.getState() == Thread.State.WAITING
                    || thread.getState() == Thread.State.TIMED_WAITING);
    return answer;
  }
}
