package io.lazuli.storage.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases of homes on a real cluster: calls per read, and what a drop costs. */
final class LeaseIT {
  private static final Partition HOME = new Partition(Space.CATALOGUE, bytes("LeaseIT"));
  private static final int READS = 300;
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  @TempDir private Path folder;

  /** The cluster remembers the longest lease, and other tests need short ones. */
  @AfterEach
  void forget() {
    TestCluster.shared().clear();
  }

  @Test
  void aPointReadIsOneCall() {
    try (HBaseEngine engine = open(Duration.ofSeconds(10))) {
      RecordKey key = newRecord(engine);
      read(engine, key).join();
      long before = engine.calls();
      for (int i = 0; i < READS; i++) {
        read(engine, key).join();
      }
      long calls = engine.calls() - before;
      System.out.printf("%d point reads took %d calls%n", READS, calls);
      // Renewals and the tasks of the engine make a few calls as well.
      assertThat(calls).isBetween((long) READS, READS + READS / 10L);
    }
  }

  @Test
  void whetherASpaceExistsIsKnownWithoutACall() {
    try (HBaseEngine engine = open(Duration.ofSeconds(10))) {
      Space space = new Space(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER).join(), HOME);
      assertThat(engine.exists(space, Deadline.after(TIMEOUT)).join()).isTrue();
      long before = engine.calls();
      for (int i = 0; i < READS; i++) {
        assertThat(engine.exists(space, Deadline.after(TIMEOUT)).join()).isTrue();
      }
      assertThat(engine.calls() - before).isLessThan(READS / 10);
      drop(engine, space, TIMEOUT).join();
      assertThat(engine.exists(space, Deadline.after(TIMEOUT)).join()).isFalse();
    }
  }

  @Test
  void withoutLeasesAPointReadIsTwoCalls() {
    try (HBaseEngine engine = open(Duration.ZERO)) {
      RecordKey key = newRecord(engine);
      long before = engine.calls();
      for (int i = 0; i < READS; i++) {
        read(engine, key).join();
      }
      assertThat(engine.calls() - before).isGreaterThanOrEqualTo(2L * READS);
    }
  }

  @Test
  void aDropWaitsForTheLongestLeaseOfAnyServer() {
    Duration lease = Duration.ofMillis(500);
    try (HBaseEngine longest = open(lease);
        HBaseEngine dropping = open(Duration.ofMillis(10))) {
      RecordKey key = newRecord(longest);
      long began = System.nanoTime();
      drop(dropping, key.partition().space(), TIMEOUT).join();
      assertThat(System.nanoTime() - began).isGreaterThan(lease.toNanos());
      assertGone(longest, key);
      assertGone(dropping, key);
    }
  }

  /** For the other server this is the same as if the dropping server had died. */
  @Test
  void aDropThatIsGivenUpHalfwayChangesNothingAndTheNextOneSucceeds() {
    try (HBaseEngine one = open(Duration.ofSeconds(3));
        HBaseEngine two = open(Duration.ofMillis(10))) {
      RecordKey key = newRecord(two);
      assertThatThrownBy(() -> drop(one, key.partition().space(), Duration.ofSeconds(3)).join())
          .cause()
          .isInstanceOfSatisfying(
              StorageException.class,
              e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.TIMEOUT));
      assertThat(read(one, key).join()).isNotNull();
      assertThat(read(two, key).join()).isNotNull();
      write(one, key).join();
      write(two, key).join();
      drop(two, key.partition().space(), TIMEOUT).join();
      assertGone(one, key);
      assertGone(two, key);
    }
  }

  @Test
  @Tag("long")
  void otherTransactionsOfTheHomeDoNotWaitForADrop() {
    TestCluster cluster = TestCluster.shared();
    HBaseSettings settings =
        HBaseSettings.DEFAULT.withTransactions(1).withLease(Duration.ofSeconds(10));
    try (HBaseEngine engine = HBaseEngine.open(EngineConfig.of(folder), cluster.site(), settings)) {
      Space space = newRecord(engine).partition().space();
      CompletableFuture<Boolean> drop = drop(engine, space, TIMEOUT);
      write(engine, HOME.row(bytes("another name"))).join();
      assertThat(drop).isNotDone();
      drop.join();
    }
  }

  private HBaseEngine open(Duration lease) {
    return HBaseEngine.open(
        EngineConfig.of(folder),
        TestCluster.shared().site(),
        HBaseSettings.DEFAULT.withLease(lease));
  }

  private static RecordKey newRecord(HBaseEngine engine) {
    Space space = new Space(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER).join(), HOME);
    RecordKey key = new Partition(space, bytes("p")).row(bytes("r"));
    write(engine, key).join();
    return key;
  }

  private static CompletableFuture<byte[]> read(HBaseEngine engine, RecordKey key) {
    return engine.read(key, Deadline.after(TIMEOUT));
  }

  private static CompletableFuture<Boolean> write(HBaseEngine engine, RecordKey key) {
    return engine.transact(
        key.partition(),
        List.of(),
        Deadline.after(TIMEOUT),
        view -> {
          view.put(key.row(), new byte[] {1});
          return true;
        });
  }

  private static CompletableFuture<Boolean> drop(
      HBaseEngine engine, Space space, Duration timeout) {
    return engine.transact(
        HOME,
        List.of(),
        Deadline.after(timeout),
        view -> {
          view.drop(space);
          return true;
        });
  }

  private static void assertGone(HBaseEngine engine, RecordKey key) {
    for (CompletableFuture<?> call : List.of(read(engine, key), write(engine, key))) {
      assertThatThrownBy(call::join)
          .cause()
          .isInstanceOfSatisfying(
              StorageException.class,
              e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.SPACE_GONE));
    }
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }
}
