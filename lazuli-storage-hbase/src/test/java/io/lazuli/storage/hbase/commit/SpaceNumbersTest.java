package io.lazuli.storage.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Numbers from blocks that the test hands out. */
class SpaceNumbersTest {
  private static final int CALLERS = 8;

  @Test
  void numbersContinueFromBlockToBlock() {
    AtomicLong end = new AtomicLong(1);
    SpaceNumbers numbers = new SpaceNumbers(() -> end.addAndGet(SpaceNumbers.BLOCK));
    Set<Long> given = new HashSet<>();
    for (int i = 0; i < 2 * SpaceNumbers.BLOCK; i++) {
      given.add(numbers.next(SpaceKind.TABLE));
    }
    assertThat(given).hasSize(2 * SpaceNumbers.BLOCK).contains(Space.number(SpaceKind.TABLE, 1));
    assertThat(end).hasValue(1 + 2 * SpaceNumbers.BLOCK);
  }

  /** Otherwise each thread would try for half a minute after the others. */
  @Test
  void threadsThatWaitForABlockShareItsFailure() throws Exception {
    AtomicInteger reserves = new AtomicInteger();
    CountDownLatch away = new CountDownLatch(1);
    SpaceNumbers numbers =
        new SpaceNumbers(
            () -> {
              reserves.incrementAndGet();
              awaitUninterrupted(away);
              throw new StorageException(StorageException.Kind.TIMEOUT, "nobody answers");
            });
    List<Thread> threads = new ArrayList<>();
    List<CompletableFuture<StorageException>> failures = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      CompletableFuture<StorageException> failure = new CompletableFuture<>();
      failures.add(failure);
      Thread thread = new Thread(() -> failure.complete(failure(numbers)));
      threads.add(thread);
      thread.start();
    }
    Awaitility.await()
        .until(() -> threads.stream().allMatch(each -> each.getState() == Thread.State.WAITING));
    away.countDown();
    for (CompletableFuture<StorageException> failure : failures) {
      assertThat(failure.get().kind()).isEqualTo(StorageException.Kind.UNAVAILABLE);
      assertThat(failure.get()).hasMessage("no number could be reserved: nobody answers");
    }
    assertThat(reserves).hasValue(1);
  }

  @Test
  void afterAFailureTheNextCallTriesAgain() {
    AtomicInteger reserves = new AtomicInteger();
    SpaceNumbers numbers =
        new SpaceNumbers(
            () -> {
              if (reserves.getAndIncrement() == 0) {
                throw new StorageException(StorageException.Kind.TIMEOUT, "nobody answers");
              }
              return 1 + SpaceNumbers.BLOCK;
            });
    assertThat(failure(numbers)).isNotNull();
    assertThat(numbers.next(SpaceKind.QUEUE)).isEqualTo(Space.number(SpaceKind.QUEUE, 1));
  }

  private static StorageException failure(SpaceNumbers numbers) {
    try {
      numbers.next(SpaceKind.TABLE);
      throw new AssertionError("a number was given");
    } catch (StorageException e) {
      return e;
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
