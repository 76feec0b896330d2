package io.lazuli.storage.hbase.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.StoredCell;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Servers that compete for a record in memory, each with its own clock. */
class LeadershipTest {
  private final AtomicLong firstNanos = new AtomicLong(5);
  private final AtomicLong secondNanos = new AtomicLong(1L << 40);
  private final Leadership first = new Leadership(this::change, firstNanos::get);
  private final Leadership second = new Leadership(this::change, secondNanos::get);
  private StoredCell cell = StoredCell.ABSENT;
  private long writes;
  private boolean away;

  private boolean change(Function<StoredCell, Optional<byte[]>> change) {
    if (away) {
      throw new StorageException(StorageException.Kind.TIMEOUT, "nobody answers");
    }
    Optional<byte[]> made = change.apply(cell);
    made.ifPresent(value -> cell = new StoredCell(StoredCell.encode(1, ++writes, value), 1));
    return made.isPresent();
  }

  @Test
  void theFirstServerLeadsAndOthersWatch() {
    first.renew();
    second.renew();
    first.renew();
    assertThat(first.isLeader()).isTrue();
    assertThat(second.isLeader()).isFalse();
  }

  @Test
  void aLeaderThatRenewsStaysLeader() {
    for (int turn = 0; turn < 10; turn++) {
      first.renew();
      second.renew();
      pass(Leadership.RENEWAL.toNanos());
    }
    assertThat(first.isLeader()).isTrue();
    assertThat(second.isLeader()).isFalse();
  }

  @Test
  void aLeaderThatDoesNotRenewIsReplacedAfterItsLease() {
    first.renew();
    second.renew();
    pass(Leadership.LEASE.toNanos());
    second.renew();
    assertThat(second.isLeader()).as("not yet").isFalse();
    pass(1);
    second.renew();
    assertThat(second.isLeader()).isTrue();
    first.renew();
    assertThat(first.isLeader()).as("the one that stood still").isFalse();
  }

  @Test
  void aLeaseBeginsWhenTheRivalFirstSeesIt() {
    first.renew();
    pass(10 * Leadership.LEASE.toNanos());
    second.renew();
    assertThat(second.isLeader()).isFalse();
  }

  @Test
  void aLeaderThatResignsIsReplacedAtOnce() {
    first.renew();
    second.renew();
    first.resign();
    assertThat(first.isLeader()).isFalse();
    second.renew();
    assertThat(second.isLeader()).isTrue();
  }

  @Test
  void aLateResignationDoesNotEndTheNextLeadership() {
    first.renew();
    second.renew();
    pass(Leadership.LEASE.toNanos() + 1);
    second.renew();
    first.resign();
    second.renew();
    assertThat(second.isLeader()).isTrue();
    first.renew();
    assertThat(first.isLeader()).isFalse();
  }

  @Test
  void aServerThatCannotRenewDoesNotLead() {
    first.renew();
    away = true;
    first.renew();
    assertThat(first.isLeader()).isFalse();
    away = false;
    first.renew();
    assertThat(first.isLeader()).isTrue();
  }

  private void pass(long nanos) {
    firstNanos.addAndGet(nanos);
    secondNanos.addAndGet(nanos);
  }
}
