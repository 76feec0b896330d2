package io.lazuli.storage.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Numbers from blocks that the test hands out. */
class SpaceNumbersTest {
  private static final int CALLERS = 8;

  private final List<CompletableFuture<Long>> reserves = new ArrayList<>();
  private final SpaceNumbers numbers =
      new SpaceNumbers(
          () -> {
            CompletableFuture<Long> reserve = new CompletableFuture<>();
            reserves.add(reserve);
            return reserve;
          });

  @Test
  void numbersContinueFromBlockToBlock() {
    List<CompletableFuture<Long>> coming = new ArrayList<>();
    for (int i = 0; i < 2 * SpaceNumbers.BLOCK; i++) {
      coming.add(numbers.next(SpaceKind.TABLE, Deadline.NEVER));
    }
    assertThat(reserves).hasSize(1);
    reserves.get(0).complete(1L + SpaceNumbers.BLOCK);
    assertThat(reserves).as("half of the callers need another block").hasSize(2);
    reserves.get(1).complete(1L + 2 * SpaceNumbers.BLOCK);
    Set<Long> given = new HashSet<>();
    coming.forEach(number -> given.add(number.join()));
    assertThat(given).hasSize(2 * SpaceNumbers.BLOCK).contains(Space.number(SpaceKind.TABLE, 1));
  }

  /** Otherwise each caller would try for half a minute after the others. */
  @Test
  void callersThatWaitForABlockShareItsFailure() {
    List<CompletableFuture<Long>> coming = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      coming.add(numbers.next(SpaceKind.TABLE, Deadline.NEVER));
    }
    fail(0);
    for (CompletableFuture<Long> number : coming) {
      assertThatThrownBy(number::join)
          .hasCauseInstanceOf(StorageException.class)
          .hasRootCauseMessage("no number could be reserved: nobody answers");
    }
    assertThat(reserves).hasSize(1);
  }

  @Test
  void afterAFailureTheNextCallTriesAgain() {
    CompletableFuture<Long> first = numbers.next(SpaceKind.QUEUE, Deadline.NEVER);
    fail(0);
    assertThat(first).isCompletedExceptionally();
    CompletableFuture<Long> second = numbers.next(SpaceKind.QUEUE, Deadline.NEVER);
    reserves.get(1).complete(1L + SpaceNumbers.BLOCK);
    assertThat(second).isCompletedWithValue(Space.number(SpaceKind.QUEUE, 1));
  }

  @Test
  void aCallerWaitsUntilItsOwnDeadline() {
    CompletableFuture<Long> patient = numbers.next(SpaceKind.TABLE, Deadline.NEVER);
    CompletableFuture<Long> late =
        numbers.next(SpaceKind.TABLE, Deadline.after(Duration.ofMillis(1)));
    assertThatThrownBy(late::join)
        .cause()
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.TIMEOUT));
    assertThat(patient).isNotDone();
    reserves.get(0).complete(1L + SpaceNumbers.BLOCK);
    assertThat(patient).isCompletedWithValue(Space.number(SpaceKind.TABLE, 1));
  }

  private void fail(int reserve) {
    reserves
        .get(reserve)
        .completeExceptionally(
            new StorageException(StorageException.Kind.TIMEOUT, "nobody answers"));
  }
}
