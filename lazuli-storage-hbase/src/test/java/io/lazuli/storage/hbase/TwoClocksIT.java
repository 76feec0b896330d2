package io.lazuli.storage.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.contract.EngineFixture;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers whose clocks differ by a minute, on the same row. */
final class TwoClocksIT {
  private static final Bytes ROW = Bytes.of(new byte[] {'r'});
  private static final int WRITES = 60;

  /**
   * The timestamps of cells differ by two seconds: the next test waits until none is in the future.
   */
  private static final long CELL_PART = 30 * (Ticks.PER_SECOND / 1_000);

  /** How far the first server's clock is ahead of the second's. */
  private final AtomicLong ahead = new AtomicLong();

  private StorageEngine first;
  private StorageEngine second;
  private Partition partition;

  @BeforeEach
  void open(@TempDir Path folder) {
    EngineConfig config = EngineConfig.of(folder);
    TestCluster cluster = TestCluster.shared();
    HBaseSettings settings = TestCluster.SETTINGS;
    first =
        HBaseEngine.open(
            config.withTicks(() -> Ticks.systemNow() + ahead.get()),
            cluster.site(),
            settings,
            () -> System.currentTimeMillis() + ahead.get() / CELL_PART);
    second = HBaseEngine.open(config, cluster.site(), settings);
    Bytes name = Bytes.of("clocks".getBytes(StandardCharsets.UTF_8));
    Space space =
        new Space(
            EngineFixture.await(first.newSpace(SpaceKind.TABLE, Deadline.NEVER)),
            new Partition(Space.CATALOGUE, name));
    partition = new Partition(space, name);
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
  }

  @Test
  void timestampsOfARowRiseAlthoughClocksAreAMinuteApart() {
    List<Long> stamps = new ArrayList<>();
    for (int write = 0; write < WRITES; write++) {
      // The clock jumps while the server runs, before the offset is measured again.
      ahead.set(60 * Ticks.PER_SECOND * (write % 3 - 1));
      StorageEngine engine = write % 2 == 0 ? first : second;
      stamps.add(stamp(engine).join().now());
      if (write % 7 == 0) {
        delete(write % 3 == 0 ? first : second);
      }
    }
    assertThat(stamps).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void timestampsAreUniqueAndRiseUnderContention() {
    ahead.set(60 * Ticks.PER_SECOND);
    List<CompletableFuture<Stamps>> coming = new ArrayList<>();
    for (int write = 0; write < WRITES; write++) {
      coming.add(stamp(write % 2 == 0 ? first : second));
    }
    List<Stamps> all = coming.stream().map(CompletableFuture::join).toList();
    assertThat(all).allMatch(each -> each.now() > each.before());
    assertThat(all.stream().map(Stamps::now)).doesNotHaveDuplicates();
    assertThat(all.stream().map(Stamps::before)).doesNotHaveDuplicates();
  }

  @Test
  void nothingIsLostWhenBothRaiseACounterWithAnEtag() {
    List<CompletableFuture<Void>> rivals = new ArrayList<>();
    for (StorageEngine engine : List.of(first, second, first, second)) {
      rivals.add(CompletableFuture.runAsync(() -> raise(engine), run -> new Thread(run).start()));
    }
    rivals.forEach(CompletableFuture::join);
    assertThat(decode(EngineFixture.await(second.read(partition.row(ROW), Deadline.NEVER))))
        .isEqualTo(rivals.size() * (long) WRITES);
  }

  /**
   * Works like a client: reads, computes, writes if nobody has written since, otherwise repeats.
   */
  private void raise(StorageEngine engine) {
    int done = 0;
    while (done < WRITES) {
      byte[] seen = EngineFixture.await(engine.read(partition.row(ROW), Deadline.NEVER));
      boolean written =
          engine
              .transact(
                  partition,
                  List.of(ROW),
                  Deadline.NEVER,
                  view -> {
                    if (!Arrays.equals(view.read(ROW), seen)) {
                      return false;
                    }
                    view.put(ROW, encode(decode(seen) + 1));
                    return true;
                  })
              .join();
      done += written ? 1 : 0;
    }
  }

  /** The timestamp that a write gave a row, and the one that it found. */
  private record Stamps(long before, long now) {}

  private CompletableFuture<Stamps> stamp(StorageEngine engine) {
    return engine.transact(
        partition,
        List.of(ROW),
        Deadline.NEVER,
        view -> {
          long before = decode(view.read(ROW));
          long now = view.timestamp(ROW);
          view.put(ROW, encode(now));
          return new Stamps(before, now);
        });
  }

  private void delete(StorageEngine engine) {
    engine
        .transact(
            partition,
            List.of(ROW),
            Deadline.NEVER,
            view -> {
              view.delete(ROW);
              return true;
            })
        .join();
  }

  private static byte[] encode(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static long decode(byte @org.jspecify.annotations.Nullable [] value) {
    return value == null ? 0 : ByteBuffer.wrap(value).getLong();
  }
}
