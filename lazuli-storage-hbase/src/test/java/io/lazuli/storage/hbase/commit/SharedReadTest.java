package io.lazuli.storage.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Numbered reads that end when the test lets them. */
class SharedReadTest {
  private final List<CompletableFuture<Integer>> reads = new ArrayList<>();
  private final List<Deadline> deadlines = new ArrayList<>();
  private final SharedRead<Integer> shared = new SharedRead<>(this::read);

  private CompletableFuture<Integer> read(Deadline deadline) {
    CompletableFuture<Integer> read = new CompletableFuture<>();
    reads.add(read);
    deadlines.add(deadline);
    return read;
  }

  private void end(int number) {
    reads.get(number - 1).complete(number);
  }

  private void fail(int number) {
    reads
        .get(number - 1)
        .completeExceptionally(
            new StorageException(StorageException.Kind.TIMEOUT, "read " + number));
  }

  @Test
  void aSingleCallerReads() {
    CompletableFuture<Integer> first = shared.get(Deadline.NEVER);
    end(1);
    assertThat(first).isCompletedWithValue(1);
    CompletableFuture<Integer> second = shared.get(Deadline.NEVER);
    end(2);
    assertThat(second).isCompletedWithValue(2);
  }

  @Test
  void callersThatArriveDuringAReadShareTheNextOne() {
    CompletableFuture<Integer> first = shared.get(Deadline.NEVER);
    List<CompletableFuture<Integer>> later = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      later.add(shared.get(Deadline.NEVER));
    }
    assertThat(reads).hasSize(1);
    end(1);
    assertThat(first).isCompletedWithValue(1);
    assertThat(later).as("not the one that ran before").noneMatch(CompletableFuture::isDone);
    end(2);
    assertThat(later).allSatisfy(each -> assertThat(each).isCompletedWithValue(2));
    assertThat(reads).hasSize(2);
  }

  @Test
  void aSharedReadHasTheLatestDeadlineOfItsCallers() {
    Deadline latest = Deadline.after(Duration.ofSeconds(100));
    List<CompletableFuture<Integer>> callers =
        Stream.of(
                Deadline.NEVER,
                Deadline.after(Duration.ofSeconds(1)),
                latest,
                Deadline.after(Duration.ofSeconds(10)))
            .map(shared::get)
            .toList();
    assertThat(callers).noneMatch(CompletableFuture::isDone);
    end(1);
    assertThat(deadlines).containsExactly(Deadline.NEVER, latest);
  }

  @Test
  void callersShareTheFailureOfTheirRead() {
    CompletableFuture<Integer> first = shared.get(Deadline.NEVER);
    CompletableFuture<Integer> second = shared.get(Deadline.NEVER);
    CompletableFuture<Integer> third = shared.get(Deadline.NEVER);
    fail(1);
    assertThat(first).isCompletedExceptionally();
    fail(2);
    assertThat(second).isCompletedExceptionally();
    assertThat(third).isCompletedExceptionally();
  }

  @Test
  void afterAFailureTheNextCallerReads() {
    CompletableFuture<Integer> first = shared.get(Deadline.NEVER);
    fail(1);
    assertThat(first).isCompletedExceptionally();
    CompletableFuture<Integer> second = shared.get(Deadline.NEVER);
    end(2);
    assertThat(second).isCompletedWithValue(2);
  }
}
