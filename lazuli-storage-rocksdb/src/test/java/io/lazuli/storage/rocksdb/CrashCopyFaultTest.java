package io.lazuli.storage.rocksdb;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.await;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static io.lazuli.storage.contract.EngineFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.contract.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The engine's own records survive a crash, simulated by a copy of the files of a running engine.
 */
final class CrashCopyFaultTest {
  @TempDir Path root;
  private final ManualClock clock = new ManualClock();
  private int copies;
  private RocksDbEngine engine;

  @BeforeEach
  void open() {
    engine = open(root.resolve("data"));
  }

  @Test
  void timestampsGoOnAboveThoseBeforeTheCrashThoughTheClockWentBack() throws IOException {
    Partition partition = new Partition(Space.CATALOGUE, bytes("p"));
    long last = 0;
    for (int crash = 0; crash < 4; crash++) {
      for (int i = 0; i < 5; i++) {
        clock.move(Duration.ofMillis(700));
        long next = transact(partition, view -> view.timestamp(bytes("row")));
        assertThat(next).isGreaterThan(last);
        last = next;
      }
      clock.move(Duration.ofHours(-1));
      crash();
      assertThat(engine.now()).isGreaterThanOrEqualTo(last);
    }
    engine.close();
  }

  @Test
  void numbersOfSpacesAreNotGivenAgain() throws IOException {
    Set<Long> numbers = new HashSet<>();
    for (int crash = 0; crash < 4; crash++) {
      for (int i = 0; i < 1_500; i++) {
        assertThat(
                numbers.add(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER))))
            .isTrue();
      }
      crash();
    }
    engine.close();
  }

  @Test
  void aDropBeforeTheCrashIsReclaimedAfterIt() throws IOException {
    Space space =
        new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME);
    transact(
        new Partition(space, bytes("p")),
        view -> {
          for (int i = 0; i < 5_000; i++) {
            view.put(numbered(i), new byte[20]);
          }
          return null;
        });
    long before = Stored.records(engine.store(), space.number());
    transact(
        HOME,
        view -> {
          view.drop(space);
          return null;
        });
    // The copy holds the drop and, unless the reclaimer was faster, most of the records.
    crash();
    assertThat(before).isEqualTo(5_000);
    Awaitility.await().until(() -> Stored.records(engine.store(), space.number()) == 0);
    assertThat(Drop.findAll(engine.store())).hasSize(1);
    engine.close();
  }

  private void crash() throws IOException {
    Path copy = root.resolve("copy" + copies++);
    copyFiles(root.resolve(copies == 1 ? "data" : "copy" + (copies - 2)), copy);
    engine.close();
    engine = open(copy);
  }

  private RocksDbEngine open(Path folder) {
    return RocksDbEngine.open(EngineConfig.of(folder).withMemoryBytes(32 << 20).withTicks(clock));
  }

  private <R> R transact(Partition partition, TransactionBody<R> body) {
    return await(engine.transact(partition, List.of(), Deadline.NEVER, body));
  }

  /** The mark comes first: it may be older than the log, as after a crash, but not newer. */
  private static void copyFiles(Path from, Path to) throws IOException {
    byte[] mark = Files.readAllBytes(from.resolve("rocksdb/LAZULI-MARK"));
    LoggedWrites.copy(from, to);
    Files.write(to.resolve("rocksdb/LAZULI-MARK"), mark);
  }
}
