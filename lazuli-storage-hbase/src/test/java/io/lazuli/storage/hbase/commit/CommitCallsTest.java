package io.lazuli.storage.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.commit.FakeRegions.Batch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commits that share calls, on regions that answer when the test lets them. */
class CommitCallsTest {
  private FakeStore store = new FakeStore(GatherRule.DEFAULT);

  @AfterEach
  void close() {
    store.regions.handle(Batch::process);
    store.close();
  }

  @Test
  void aCommitGoesOutAtOnceIfNoneIsUnderWay() {
    CompletableFuture<Long> first = store.increment("p", "a");
    batch(0).process();
    assertThat(join(first)).isEqualTo(1);
    CompletableFuture<Long> second = store.increment("p", "a");
    batch(1).process();
    assertThat(join(second)).isEqualTo(2);
  }

  @Test
  void commitsThatGatherShareACall() {
    List<CompletableFuture<Long>> all = gathered(5);
    batch(0).process();
    assertThat(batch(1).mutations()).isEqualTo(5);
    batch(1).process();
    all.forEach(each -> assertThat(join(each)).isEqualTo(1));
    assertThat(store.regions.batches()).hasSize(2);
  }

  @Test
  void commitsOfOtherRegionsDoNotWait() {
    store.regions.split(
        row ->
            row.length < 2 ? new byte[0] : Arrays.copyOfRange(row, row.length - 2, row.length - 1));
    List<CompletableFuture<Long>> all =
        List.of(store.increment("a", "r"), store.increment("b", "r"));
    batch(1);
    store.regions.batches().forEach(Batch::process);
    all.forEach(each -> assertThat(join(each)).isEqualTo(1));
  }

  @Test
  void commitsWithACommonRowNeverShareACall() {
    CompletableFuture<Long> running = store.increment("p", "running");
    batch(0);
    List<CompletableFuture<Long>> common = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      common.add(store.increment("p", "common"));
    }
    CompletableFuture<Long> other = store.increment("p", "other");
    awaitGathered(4);
    batch(0).process();
    assertThat(batch(1).mutations()).as("one of the three, and the other").isEqualTo(2);
    store.regions.handle(Batch::process);
    batch(1).process();
    List<Long> numbers = common.stream().map(CommitCallsTest::join).sorted().toList();
    assertThat(numbers).containsExactly(1L, 2L, 3L);
    assertThat(join(other)).isEqualTo(1);
    assertThat(join(running)).isEqualTo(1);
    assertThat(store.counter("p", "common")).isEqualTo(3);
  }

  @Test
  void aRefusedCommitDoesNotRefuseOthers() {
    List<CompletableFuture<Long>> all = gathered(5);
    store.overwrite("p", "r3", 40);
    store.regions.handle(Batch::process);
    batch(0).process();
    for (int i = 0; i < all.size(); i++) {
      assertThat(join(all.get(i))).isEqualTo(i == 3 ? 41 : 1);
    }
    // The first call, all five, their halves, the guilty half again in halves, and the repetition.
    assertThat(store.regions.batches()).hasSizeLessThanOrEqualTo(10);
  }

  @Test
  void everyCommitFindsItsOwnWriteIdWhenAnAnswerIsLost() {
    List<CompletableFuture<Long>> all = gathered(4);
    batch(0).process();
    Batch shared = batch(1);
    assertThat(shared.carryOut()).isTrue();
    shared.lose();
    all.forEach(each -> assertThat(join(each)).isEqualTo(1));
    assertThat(store.regions.batches()).as("nothing is sent again").hasSize(2);
    assertThat(shared.carryOut()).as("a copy that arrives late").isFalse();
  }

  @Test
  void aCallThatWasLostIsRepeatedForEachCommitAlone() {
    List<CompletableFuture<Long>> all = gathered(4);
    batch(0).process();
    Batch shared = batch(1);
    store.regions.handle(
        batch -> {
          assertThat(batch.mutations()).isEqualTo(1);
          batch.process();
        });
    shared.lose();
    all.forEach(each -> assertThat(join(each)).isEqualTo(1));
    assertThat(shared.carryOut()).as("a copy that arrives late").isFalse();
    assertCounters(4, 1);
  }

  @Test
  void aCopyThatArrivesBeforeTheRepetitionCountsOnce() {
    List<CompletableFuture<Long>> all = gathered(4);
    batch(0).process();
    Batch shared = batch(1);
    shared.lose();
    Batch last = batch(5);
    assertThat(shared.carryOut()).as("a copy that arrives late").isTrue();
    store.regions.handle(Batch::process);
    store.regions.batches().subList(2, 6).forEach(Batch::process);
    assertThat(last.mutations()).isEqualTo(1);
    all.forEach(each -> assertThat(join(each)).isEqualTo(1));
    assertCounters(4, 1);
  }

  @Test
  void aLostAnswerIsUnknownOnlyForTheCommitWithARival() {
    List<CompletableFuture<Long>> all = gathered(3);
    batch(0).process();
    Batch shared = batch(1);
    assertThat(shared.carryOut()).isTrue();
    store.overwrite("p", "r1", 40);
    shared.lose();
    assertThat(join(all.get(0))).isEqualTo(1);
    assertKind(StorageException.Kind.UNKNOWN_OUTCOME, all.get(1));
    assertThat(join(all.get(2))).isEqualTo(1);
  }

  @Test
  void commitsWhoseRegionWasSplitAreSentAlone() {
    List<CompletableFuture<Long>> all = gathered(4);
    store.regions.handle(
        batch -> {
          if (batch.mutations() > 1) {
            batch.fail(new DoNotRetryIOException("Requested row out of range 'x'"));
          } else {
            batch.process();
          }
        });
    batch(0).process();
    all.forEach(each -> assertThat(join(each)).isEqualTo(1));
    assertThat(batch(1).mutations()).isEqualTo(4);
    assertCounters(4, 1);
  }

  @Test
  void commitsWhoseRegionHasMovedAreSentAgain() {
    List<CompletableFuture<Long>> all = gathered(4);
    batch(0).process();
    Batch shared = batch(1);
    store.regions.handle(Batch::process);
    shared.fail(new NotServingRegionException("moved"));
    all.forEach(each -> assertThat(join(each)).isEqualTo(1));
    assertCounters(4, 1);
  }

  @Test
  void theNumberOfCommitsInACallIsBounded() {
    reopen(new GatherRule(3, 100, 1 << 20, GatherRule.DEFAULT.collide()));
    List<CompletableFuture<Long>> all = gathered(7);
    store.regions.handle(Batch::process);
    batch(0).process();
    all.forEach(CommitCallsTest::join);
    assertThat(store.regions.batches().stream().map(Batch::mutations)).containsExactly(1, 3, 3, 1);
  }

  @Test
  void theNumberOfRowsInACallIsBounded() {
    reopen(new GatherRule(100, 2, 1 << 20, GatherRule.DEFAULT.collide()));
    List<CompletableFuture<Long>> all = gathered(5);
    store.regions.handle(Batch::process);
    batch(0).process();
    all.forEach(CommitCallsTest::join);
    assertThat(store.regions.batches().stream().map(Batch::mutations)).containsExactly(1, 2, 2, 1);
  }

  @Test
  void theBytesOfACallAreBoundedAndLongCommitsAreNotOvertakenForEver() {
    reopen(new GatherRule(100, 100, 1_000, GatherRule.DEFAULT.collide()));
    CompletableFuture<Long> running = store.increment("p", "running");
    batch(0);
    List<CompletableFuture<Boolean>> inserts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      inserts.add(store.insert("p", "long" + i, new byte[2_000]));
      awaitGathered(2 * i + 1);
      inserts.add(store.insert("p", "short" + i, new byte[10]));
      awaitGathered(2 * i + 2);
    }
    store.regions.handle(Batch::process);
    batch(0).process();
    inserts.forEach(each -> assertThat(join(each)).isTrue());
    assertThat(join(running)).isEqualTo(1);
    // The first long one, then the next long one without the short ones that were faster, and so
    // on.
    assertThat(store.regions.batches()).hasSizeBetween(5, 9);
  }

  @Test
  void aCommitEndsAtItsDeadlineWhileItWaits() {
    CompletableFuture<Long> running = store.increment("p", "running");
    batch(0);
    CompletableFuture<Long> hurried =
        store.increment("p", "hurried", Deadline.after(Duration.ofMillis(200)));
    CompletableFuture<Long> patient = store.increment("p", "patient");
    assertKind(StorageException.Kind.UNAVAILABLE, hurried);
    assertThat(patient).isNotDone();
    store.regions.handle(Batch::process);
    batch(0).process();
    assertThat(join(patient)).isEqualTo(1);
    assertThat(join(running)).isEqualTo(1);
    assertThat(store.counter("p", "hurried")).isZero();
  }

  @Test
  void aBoundedNumberOfCommitsWaits() {
    CompletableFuture<Long> running = store.increment("p", "running");
    batch(0);
    List<CompletableFuture<Boolean>> inserts = new ArrayList<>();
    for (int i = 0; i < CommitCalls.WAITING_MAX + 10; i++) {
      inserts.add(store.insert("p", "r" + i, new byte[1]));
    }
    await(() -> inserts.stream().filter(CompletableFuture::isDone).count() == 10);
    inserts.stream()
        .filter(CompletableFuture::isDone)
        .forEach(each -> assertKind(StorageException.Kind.UNAVAILABLE, each));
    store.regions.handle(Batch::process);
    batch(0).process();
    assertThat(join(running)).isEqualTo(1);
    await(() -> inserts.stream().allMatch(CompletableFuture::isDone));
    assertThat(inserts.stream().filter(each -> !each.isCompletedExceptionally()))
        .hasSize(CommitCalls.WAITING_MAX);
  }

  @Test
  void anInsertNeedsNoReadAndFindsWhatExists() {
    store.regions.handle(Batch::process);
    assertThat(join(store.insert("p", "a", new byte[1]))).isTrue();
    assertThat(store.regions.batches()).hasSize(1);
    assertThat(join(store.insert("p", "a", new byte[1]))).isFalse();
    assertThat(store.regions.batches()).as("the guess was refused").hasSize(2);
    for (int i = 0; i < Guesses.READS_AFTER_WRONG; i++) {
      assertThat(join(store.insert("p", "a", new byte[1]))).isFalse();
    }
    assertThat(store.regions.batches()).as("the others have read first").hasSize(2);
  }

  /** Begins a commit, and increments of other rows that wait for its end. */
  private List<CompletableFuture<Long>> gathered(int count) {
    CompletableFuture<Long> running = store.increment("p", "running");
    batch(0);
    List<CompletableFuture<Long>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(store.increment("p", "r" + i));
      awaitGathered(i + 1);
    }
    assertThat(running).isNotDone();
    return all;
  }

  private void awaitGathered(int count) {
    await(() -> store.waiting() == count);
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2)).until(condition);
  }

  private Batch batch(int index) {
    await(() -> store.regions.batches().size() > index);
    return store.regions.batches().get(index);
  }

  private void reopen(GatherRule rule) {
    store.close();
    store = new FakeStore(rule);
  }

  private void assertCounters(int count, long expected) {
    for (int i = 0; i < count; i++) {
      assertThat(store.counter("p", "r" + i)).isEqualTo(expected);
    }
  }

  private static <T> T join(CompletableFuture<T> future) {
    return future.orTimeout(20, TimeUnit.SECONDS).join();
  }

  private static void assertKind(StorageException.Kind kind, CompletableFuture<?> result) {
    assertThatThrownBy(() -> result.get(20, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(StorageException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
