package io.lazuli.storage.rocksdb;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.await;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static io.lazuli.storage.contract.EngineFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.rocksdb.log.LogWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** A failed write to the log makes the store read-only, and callers learn no more than is known. */
final class FailedLogTest {
  @TempDir Path folder;
  private final AtomicBoolean broken = new AtomicBoolean();

  /** The number of writes until the log breaks. */
  private final AtomicInteger writesLeft = new AtomicInteger(Integer.MAX_VALUE);

  private RocksDbEngine engine;
  private Partition partition;

  @BeforeEach
  void open() {
    EngineConfig config = EngineConfig.of(folder).withMemoryBytes(32 << 20);
    engine = RocksDbEngine.open(config, null, log -> batch -> write(log, batch));
    partition =
        new Partition(
            new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME),
            bytes("p"));
    await(put("before"));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void theBatchEndsUnknownAndEverythingLaterUnavailable() {
    breakLog();
    assertThat(engine.state().writable()).isFalse();
    assertThat(engine.state().detail()).contains("disk full");
    assertKind(Kind.UNAVAILABLE, () -> await(put("later")));
    assertKind(Kind.UNAVAILABLE, () -> await(transact(view -> "writes nothing")));
  }

  @Test
  void readsGoOnAndShowNothingOfTheFailedBatch() {
    breakLog();
    assertThat(EngineFixture.await(engine.read(partition.row(bytes("before")), Deadline.NEVER)))
        .isNotNull();
    assertThat(EngineFixture.await(engine.read(partition.row(bytes("during")), Deadline.NEVER)))
        .isNull();
    List<byte[]> rows = new ArrayList<>();
    EngineFixture.await(
        engine.scan(
            partition.space(),
            List.of(KeyRange.ALL),
            Direction.FORWARD,
            Deadline.NEVER,
            record -> {
              rows.add(record.row().copy());
              return Visit.CONTINUE;
            }));
    assertThat(rows).containsExactly(bytes("before").array());
  }

  /** All of them ran in one drain, so each result may depend on lost changes. */
  @Test
  void whateverRanInTheFailedDrainEndsUnknown() {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<Object> stall =
        transact(
            view -> {
              started.countDown();
              waitFor(release);
              return null;
            });
    waitFor(started);
    CompletableFuture<Object> write = put("during");
    CompletableFuture<byte[]> read = transact(view -> view.read(bytes("during")));
    CompletableFuture<Object> drop =
        engine.transact(
            HOME,
            List.of(),
            Deadline.NEVER,
            view -> {
              view.drop(partition.space());
              return null;
            });
    CompletableFuture<Object> afterDrop = put("on a space whose drop failed");
    broken.set(true);
    release.countDown();
    await(stall);
    for (CompletableFuture<?> future : List.of(write, read, drop, afterDrop)) {
      assertKind(Kind.UNKNOWN_OUTCOME, () -> await(future));
    }
    assertThat(EngineFixture.await(engine.read(partition.row(bytes("before")), Deadline.NEVER)))
        .isNotNull();
  }

  @Test
  void bodiesThatHadNotRunEndUnavailable() {
    CompletableFuture<Object> released = new CompletableFuture<>();
    CompletableFuture<Object> stall = transact(view -> await(released));
    List<CompletableFuture<Object>> writes = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Bytes row = numbered(i);
      writes.add(
          transact(
              view -> {
                view.put(row, new byte[1 << 20]);
                return null;
              }));
    }
    broken.set(true);
    released.complete("go on");
    // The drain ends at 4 MiB: the first part reached the log, the rest did not run.
    assertKind(Kind.UNKNOWN_OUTCOME, () -> await(writes.get(0)));
    assertKind(Kind.UNAVAILABLE, () -> await(writes.get(11)));
    assertThat(stall).isDone();
  }

  @Test
  void noSpaceIsGivenWithoutALog() {
    broken.set(true);
    assertKind(
        Kind.UNAVAILABLE,
        () -> {
          // Numbers of the block that is already reserved may still be assigned.
          for (int i = 0; i < 5_000; i++) {
            EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER));
          }
        });
    breakLog();
    assertKind(
        Kind.UNAVAILABLE,
        () -> EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)));
  }

  /** RocksDB refuses every write after a failed one, whichever thread made it. */
  @Test
  void theStoreIsReadOnlyOnceTheReclaimerMetTheFailedLog() {
    writesLeft.set(1);
    await(
        engine.transact(
            HOME,
            List.of(),
            Deadline.NEVER,
            view -> {
              view.drop(partition.space());
              return null;
            }));
    Awaitility.await().until(() -> !engine.state().writable());
    assertThat(engine.state().detail()).contains("disk full");
    assertKind(Kind.UNAVAILABLE, () -> await(put("later")));
  }

  @Test
  void aRestartMakesItWritableAgain() {
    breakLog();
    engine.close();
    assertKind(Kind.CLOSED, () -> await(put("after close")));
    broken.set(false);
    open();
    assertThat(engine.state().writable()).isTrue();
  }

  private void breakLog() {
    broken.set(true);
    assertKind(Kind.UNKNOWN_OUTCOME, () -> await(put("during")));
  }

  private void write(LogWriter log, WriteBatch batch) throws RocksDBException {
    if (broken.get() || writesLeft.getAndDecrement() <= 0) {
      throw new RocksDBException("disk full");
    }
    log.write(batch);
  }

  private CompletableFuture<Object> put(String row) {
    return transact(
        view -> {
          view.put(bytes(row), new byte[10]);
          return null;
        });
  }

  private <R> CompletableFuture<R> transact(TransactionBody<R> body) {
    return engine.transact(partition, List.of(), Deadline.NEVER, body);
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertKind(Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(StorageException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
