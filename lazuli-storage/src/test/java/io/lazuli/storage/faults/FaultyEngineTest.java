package io.lazuli.storage.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.faults.FaultyEngine.Call;
import io.lazuli.storage.memory.InMemoryEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FaultyEngineTest {
  private static final Partition PARTITION = new Partition(Space.CATALOGUE, Bytes.EMPTY);
  private static final Bytes ROW = Bytes.of(new byte[] {'r'});

  private final FaultyEngine engine =
      new FaultyEngine(new InMemoryEngine(EngineConfig.of(Path.of("unused"))));

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aPlannedFaultIsUsedOnce() {
    engine.failNext(Call.READ, Kind.CORRUPT);
    engine.failNext(Call.SCAN, Kind.TIMEOUT);
    engine.failNext(Call.NEW_SPACE, Kind.UNAVAILABLE);
    assertFails(Kind.CORRUPT, this::read);
    assertFails(Kind.TIMEOUT, this::scan);
    assertFails(
        Kind.UNAVAILABLE,
        () -> EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)));
    assertThat(read()).isNull();
    scan();
    assertThat(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER))).isPositive();
  }

  @Test
  void aFailedTransactionWritesNothingAndALostReplyWrites() {
    engine.failNext(Call.TRANSACT, Kind.UNAVAILABLE, 2);
    assertFails(Kind.UNAVAILABLE, () -> join(put()));
    assertFails(Kind.UNAVAILABLE, () -> join(put()));
    assertThat(read()).isNull();
    engine.failNext(Call.TRANSACT_REPLY, Kind.UNKNOWN_OUTCOME);
    assertFails(Kind.UNKNOWN_OUTCOME, () -> join(put()));
    assertThat(read()).hasSize(1);
  }

  @Test
  void plannedFaultsCanBeForgotten() {
    engine.failNext(Call.READ, Kind.CORRUPT);
    engine.report(new EngineState(false, "read-only"));
    assertThat(engine.state().writable()).isFalse();
    engine.failNoMore();
    assertThat(read()).isNull();
    assertThat(engine.state().writable()).isTrue();
  }

  private byte[] read() {
    return EngineFixture.await(engine.read(PARTITION.row(ROW), Deadline.NEVER));
  }

  private void scan() {
    EngineFixture.await(
        engine.scan(
            Space.CATALOGUE,
            List.of(KeyRange.ALL),
            Direction.FORWARD,
            Deadline.NEVER,
            record -> Visit.CONTINUE));
  }

  private CompletableFuture<Integer> put() {
    return engine.transact(
        PARTITION,
        List.of(),
        Deadline.NEVER,
        view -> {
          view.put(ROW, new byte[1]);
          return 1;
        });
  }

  private static void join(CompletableFuture<?> future) {
    try {
      future.join();
    } catch (CompletionException e) {
      throw (RuntimeException) e.getCause();
    }
  }

  private static void assertFails(Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(StorageException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
