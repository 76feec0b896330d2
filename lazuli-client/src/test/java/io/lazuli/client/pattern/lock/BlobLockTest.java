package io.lazuli.client.pattern.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.options.BlobBreakLeaseOptions;
import com.azure.storage.blob.specialized.BlobLeaseClientBuilder;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.fault.BlockingThreads;
import io.lazuli.client.fault.Concurrently;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.LostResponse;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.lock.AsyncBlobLock.LeaseTimes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

class BlobLockTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final Duration LEASE = Duration.ofSeconds(60);

  private final TestClient client = TestClient.of(ACCOUNT);
  private final String container = client.newContainer();

  @Test
  void oneHolderAtATime() {
    BlobLock payroll = BlobLock.of(client.container(container), "payroll");
    long first;
    try (HeldLock held = payroll.acquire(Duration.ZERO)) {
      first = held.token();
      assertThat(held.isHeld()).isTrue();
      assertThat(payroll.tryAcquire()).isEmpty();
      assertThatThrownBy(() -> payroll.acquire(Duration.ofMillis(100)))
          .isInstanceOf(LockNotAcquired.class)
          .hasMessageContaining("payroll")
          .hasMessageContaining("PT0.1S");
    }
    try (HeldLock held = payroll.tryAcquire().orElseThrow()) {
      assertThat(held.token()).isGreaterThan(first);
    }
  }

  @Test
  void locksOfDifferentNamesAreIndependent() {
    try (HeldLock one = BlobLock.of(client.container(container), "one").acquire(Duration.ZERO);
        HeldLock two = BlobLock.of(client.container(container), "two").acquire(Duration.ZERO)) {
      assertThat(one.isHeld()).isTrue();
      assertThat(two.isHeld()).isTrue();
    }
  }

  @Test
  void aWaitingProcessGetsTheLockWhenItIsReleased() throws Exception {
    BlobLock lock = BlobLock.of(client.container(container), "payroll");
    HeldLock held = lock.acquire(Duration.ZERO);
    CompletableFuture<HeldLock> waiting = lock.async().acquire(Duration.ofMinutes(1)).toFuture();
    held.close();
    try (HeldLock next = waiting.get()) {
      assertThat(next.token()).isGreaterThan(held.token());
    }
    assertThat(held.isHeld()).isFalse();
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void acquiringSendsThreeRequestsAndReleasingOne() {
    BlobLock lock = BlobLock.of(client.container(container), "payroll");
    assertThat(client.count(() -> lock.acquire(Duration.ZERO).close())).isEqualTo(5 + 1);
    assertThat(client.count(() -> lock.acquire(Duration.ZERO).close())).isEqualTo(3 + 1);
    try (HeldLock held = lock.acquire(Duration.ZERO)) {
      assertThat(client.count(lock::tryAcquire)).isEqualTo(1);
      assertThat(held.isHeld()).isTrue();
    }
  }

  @Test
  void aHeldLockIsRenewed() {
    TestClient holder = TestClient.of(ACCOUNT);
    try (HeldLock held = renewing(holder, Duration.ofMillis(200)).acquire(Duration.ZERO)) {
      int before = holder.requests().size();
      Awaitility.await().until(() -> holder.requests().size() >= before + 2);
      assertThat(held.isHeld()).isTrue();
    }
    int after = holder.requests().size();
    assertThat(holder.requests().subList(after - 1, after))
        .as("nothing follows the release")
        .allMatch(request -> request.startsWith("PUT"));
  }

  @Test
  void aLockThatTheServiceEndedIsReportedAsLost() {
    HeldLock held = renewing(client, Duration.ofMillis(200)).acquire(Duration.ZERO);
    held.requireHeld();
    breakLease(client.container(container), "payroll");
    held.lost().block();
    assertThat(held.isHeld()).isFalse();
    assertThatThrownBy(held::requireHeld)
        .isInstanceOf(LockLost.class)
        .hasMessageContaining(String.valueOf(held.token()));
    held.close();
    held.close();
  }

  @Test
  void aLockThatWasNotRenewedInTimeIsLostWithoutARequest() {
    AtomicLong time = new AtomicLong(Long.MAX_VALUE - 1);
    HeldLock held = timed(client, time).acquire(Duration.ZERO);
    time.addAndGet(LEASE.toNanos() - 1);
    assertThat(held.isHeld()).isTrue();
    time.incrementAndGet();
    assertThat(client.count(() -> assertThat(held.isHeld()).isFalse())).isZero();
    held.lost().block();
    time.addAndGet(-LEASE.toNanos());
    assertThat(held.isHeld()).as("a lost lock is never held again").isFalse();
    held.close();
  }

  @Test
  void aReleasedLockWasNotLost() {
    HeldLock held = BlobLock.of(client.container(container), "payroll").acquire(Duration.ZERO);
    CompletableFuture<Void> lost = held.lost().toFuture();
    held.close();
    assertThat(held.isHeld()).isFalse();
    assertThat(lost).isNotDone();
  }

  @Test
  @NotRehearsed("loses chosen responses itself")
  void everyResponseMayBeLost() {
    long token = 0;
    for (int request = 1; request <= 5; request++) {
      String name = "lock" + request;
      LostResponse losing = new LostResponse(request);
      BlobContainerAsyncClient there = losing.blobs(ACCOUNT).getBlobContainerAsyncClient(container);
      try (HeldLock held = BlobLock.of(there, name).acquire(Duration.ZERO)) {
        assertThat(held.isHeld()).isTrue();
        assertThat(BlobLock.of(client.container(container), name).tryAcquire()).isEmpty();
        token = held.token();
      }
      try (HeldLock next = BlobLock.of(client.container(container), name).acquire(Duration.ZERO)) {
        assertThat(next.token()).as("after a lost response %d", request).isGreaterThan(token);
      }
    }
  }

  @Test
  void aDeadHolderBlocksNobodyAfterItsLease() {
    Faults.in(ACCOUNT, TestClient::newContainer)
        .forEveryCut(
            (here, mortal) ->
                BlobLock.of(mortal.container(here), "payroll").acquire(Duration.ZERO).close(),
            (here, live) -> breakLease(live.container(here), "payroll"),
            (here, live) -> {
              try (HeldLock next =
                  BlobLock.of(live.container(here), "payroll").acquire(Duration.ZERO)) {
                assertThat(next.isHeld()).isTrue();
              }
            });
  }

  @Test
  void manyProcessesHaveTheLockOneAfterTheOther() {
    AtomicLong holders = new AtomicLong();
    AtomicLong lastToken = new AtomicLong();
    Concurrently.run(
        4,
        process -> {
          BlobLock lock = BlobLock.of(client.container(container), "payroll");
          try (HeldLock held = lock.acquire(Duration.ofMinutes(1))) {
            assertThat(holders.incrementAndGet()).isEqualTo(1);
            assertThat(lastToken.getAndSet(held.token())).isLessThan(held.token());
            holders.decrementAndGet();
          }
        });
    assertThat(holders).hasValue(0);
  }

  @Test
  void tokensGrowAlsoIfTheBlobIsDeleted() {
    BlobLock lock = BlobLock.of(client.container(container), "payroll");
    HeldLock first = lock.acquire(Duration.ZERO);
    first.close();
    client.container(container).getBlobAsyncClient("payroll").delete().block();
    Awaitility.await().until(() -> System.currentTimeMillis() > first.token());
    try (HeldLock second = lock.acquire(Duration.ZERO)) {
      assertThat(second.token()).isGreaterThan(first.token());
    }
  }

  @Test
  void faultyArgumentsAreRejected() {
    BlobContainerAsyncClient there = client.container(container);
    for (int seconds : new int[] {14, 61}) {
      Duration lease = Duration.ofSeconds(seconds);
      assertThatThrownBy(() -> BlobLock.of(there, "payroll", lease))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("15 to 60 seconds");
    }
    assertThatThrownBy(() -> BlobLock.of(there, "a/b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> BlobLock.of(client.container("missing"), "payroll").acquire(Duration.ofHours(1)))
        .isInstanceOf(BlobStorageException.class)
        .hasMessageContaining("ContainerNotFound");
  }

  private BlobLock renewing(TestClient holder, Duration every) {
    LeaseTimes times = new LeaseTimes(LEASE, every, System::nanoTime);
    return new AsyncBlobLock(holder.container(container), "payroll", times).blocking();
  }

  private BlobLock timed(TestClient holder, AtomicLong time) {
    LeaseTimes times = new LeaseTimes(LEASE, LEASE, time::get);
    return new AsyncBlobLock(holder.container(container), "payroll", times).blocking();
  }

  /** Ends a lease at once, as the service does after its duration; does nothing without a lease. */
  static void breakLease(BlobContainerAsyncClient container, String name) {
    new BlobLeaseClientBuilder()
        .blobAsyncClient(container.getBlobAsyncClient(name))
        .buildAsyncClient()
        .breakLeaseWithResponse(new BlobBreakLeaseOptions().setBreakPeriod(Duration.ZERO))
        .onErrorResume(BlobStorageException.class, none -> Mono.empty())
        .subscribeOn(BlockingThreads.get())
        .block();
  }
}
