package io.lazuli.storage.hbase.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.lease.HomeRecord.Announcement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a server needs a call to decide that a space exists, with a clock that the test sets. */
final class HomeLeaseTest {
  private static final long SPACE = 5;
  private static final Duration LENGTH = Duration.ofSeconds(1);

  private final FakeRows rows = new FakeRows();
  private long nanos;
  private final HomeLease lease = new HomeLease(rows, LENGTH, () -> nanos);

  @Test
  void withALeaseNoCheckNeedsACall() {
    learn();
    int calls = rows.calls;
    nanos += Duration.ofMillis(300).toNanos();
    for (int i = 0; i < 1_000; i++) {
      lease.prepare();
      assertThat(lease.check(SPACE)).isCompletedWithValue(true);
    }
    assertThat(rows.calls).isEqualTo(calls);
  }

  @Test
  void anOlderLeaseIsRenewedWithoutAWait() {
    learn();
    nanos += Duration.ofMillis(500).toNanos();
    rows.hold = true;
    lease.prepare();
    assertThat(rows.held).hasSize(1);
    assertThat(lease.check(SPACE)).isCompletedWithValue(true);
    lease.prepare();
    assertThat(rows.held).as("one renewal at a time").hasSize(1);
    rows.answerHeld();
    nanos += Duration.ofMillis(900).toNanos();
    assertThat(lease.check(SPACE)).as("valid since the renewal").isCompletedWithValue(true);
    assertThat(rows.held).isEmpty();
  }

  @Test
  void afterTheEndACheckReadsTheHome() {
    learn();
    nanos += LENGTH.toNanos();
    rows.hold = true;
    CompletableFuture<Boolean> check = lease.check(SPACE);
    assertThat(check).isNotDone();
    rows.answerHeld();
    assertThat(check).isCompletedWithValue(true);
  }

  @Test
  void aLeaseCountsFromTheMomentWhenItsReadWasSent() {
    learn();
    nanos += LENGTH.toNanos();
    rows.hold = true;
    lease.prepare();
    nanos += LENGTH.toNanos();
    rows.answerHeld();
    assertThat(lease.check(SPACE)).isNotDone();
  }

  @Test
  void anAnnouncedSpaceIsCheckedAfterTheData() {
    learn();
    rows.record = rows.record.announce(List.of(SPACE));
    renew();
    rows.hold = true;
    CompletableFuture<Boolean> check = lease.check(SPACE);
    assertThat(check).isNotDone();
    rows.answerHeld();
    assertThat(check).isCompletedWithValue(true);
    assertThat(lease.check(SPACE)).as("every time").isNotDone();
  }

  @Test
  void aReadThatBeganBeforeTheDataDoesNotCountForAnAnnouncedSpace() {
    learn();
    rows.record = rows.record.announce(List.of(SPACE));
    renew();
    nanos += Duration.ofMillis(500).toNanos();
    rows.hold = true;
    lease.prepare();
    CompletableFuture<Boolean> check = lease.check(SPACE);
    rows.answerHeld();
    assertThat(check).as("waits for the next read").isNotDone();
    rows.answerHeld();
    assertThat(check).isCompletedWithValue(true);
  }

  @Test
  void aDroppedSpaceIsGone() {
    learn();
    rows.record = rows.record.announce(List.of(SPACE));
    renew();
    rows.drop(SPACE);
    assertThatThrownBy(() -> lease.check(SPACE).join())
        .cause()
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.SPACE_GONE));
  }

  @Test
  void aDropOfAnotherSpaceCostsNothingWhileTheLeaseIsValid() {
    learn();
    rows.record = rows.record.announce(List.of(6L));
    renew();
    rows.drop(6);
    renew();
    int calls = rows.calls;
    assertThat(lease.check(SPACE)).isCompletedWithValue(true);
    assertThat(rows.calls).isEqualTo(calls);
  }

  @Test
  void afterADropThatTheLeaseDidNotCoverSpacesAreReadAgain() {
    learn();
    nanos += LENGTH.toNanos();
    rows.drop(6);
    int calls = rows.calls;
    assertThat(lease.check(SPACE)).isCompletedWithValue(true);
    assertThat(rows.calls).isEqualTo(calls + 2);
  }

  @Test
  void withoutLeasesEveryCheckReadsTheHome() {
    HomeLease none = new HomeLease(rows, Duration.ZERO, () -> nanos);
    assertThat(none.check(SPACE)).isCompletedWithValue(true);
    int calls = rows.calls;
    none.prepare();
    assertThat(none.check(SPACE)).isCompletedWithValue(true);
    assertThat(none.check(SPACE)).isCompletedWithValue(true);
    assertThat(rows.calls).isEqualTo(calls + 2);
  }

  @Test
  void aFailedReadFailsTheCheckAndTheNextOneReadsAgain() {
    learn();
    nanos += LENGTH.toNanos();
    rows.hold = true;
    CompletableFuture<Boolean> check = lease.check(SPACE);
    rows.held.remove().completeExceptionally(new IllegalStateException("on purpose"));
    assertThat(check).isCompletedExceptionally();
    CompletableFuture<Boolean> again = lease.check(SPACE);
    rows.answerHeld();
    assertThat(again).isCompletedWithValue(true);
  }

  @Test
  void anAnnouncementThatStaysForAMinuteIsWithdrawn() {
    rows.record = rows.record.announce(List.of(6L));
    learn();
    nanos += HomeLease.ABANDONED_AFTER.minusSeconds(1).toNanos();
    renew();
    assertThat(rows.withdrawn).isEmpty();
    nanos += Duration.ofSeconds(1).toNanos();
    renew();
    assertThat(rows.withdrawn).containsExactly(new Announcement(6, 1));
    rows.withdrawn.clear();
    renew();
    assertThat(rows.withdrawn).as("not again at once").isEmpty();
  }

  private void learn() {
    lease.prepare();
    assertThat(lease.check(SPACE)).isCompletedWithValue(true);
  }

  /** Renews the lease after nearly half of its length. */
  private void renew() {
    nanos += Duration.ofMillis(400).toNanos();
    lease.prepare();
  }

  /** A home whose answers come at once, or when the test wants them. */
  private static final class FakeRows implements HomeStore {
    private HomeRecord record = HomeRecord.EMPTY;
    private final Set<Long> dropped = new HashSet<>();
    private final Set<Announcement> withdrawn = new HashSet<>();
    private final Queue<CompletableFuture<HomeRecord>> held = new ArrayDeque<>();
    private boolean hold;
    private int calls;

    void drop(long space) {
      dropped.add(space);
      record = record.drop(Set.copyOf(record.announced()));
    }

    void answerHeld() {
      held.remove().complete(record);
    }

    @Override
    public CompletableFuture<HomeRecord> read() {
      calls++;
      CompletableFuture<HomeRecord> answer = new CompletableFuture<>();
      held.add(answer);
      if (!hold) {
        answerHeld();
      }
      return answer;
    }

    @Override
    public CompletableFuture<Boolean> isDropped(long space) {
      calls++;
      return CompletableFuture.completedFuture(dropped.contains(space));
    }

    @Override
    public void withdraw(Set<Announcement> abandoned) {
      withdrawn.addAll(abandoned);
    }
  }
}
