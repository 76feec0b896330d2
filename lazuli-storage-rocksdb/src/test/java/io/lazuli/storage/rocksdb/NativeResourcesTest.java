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
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/** Memory outside the heap: it is released, it is bounded, and nobody uses it after its release. */
final class NativeResourcesTest {
  private static final int ROWS = 20_000;
  private static final int ROW_BYTES = 400;

  @TempDir Path folder;
  private Space space;

  @BeforeEach
  void fill() {
    try (RocksDbEngine engine = open(null)) {
      space =
          new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME);
      Random random = new Random(1);
      List<CompletableFuture<Object>> futures = new ArrayList<>();
      for (int begin = 0; begin < ROWS; begin += 1_000) {
        int from = begin;
        futures.add(
            engine.transact(
                new Partition(space, bytes("p" + begin / 1_000 % 4)),
                List.of(),
                Deadline.NEVER,
                view -> {
                  for (int i = from; i < from + 1_000; i++) {
                    byte[] value = new byte[ROW_BYTES];
                    random.nextBytes(value);
                    view.put(numbered(i), value);
                  }
                  return null;
                }));
      }
      futures.forEach(future -> await(future));
    }
  }

  /** A version of the family stays alive as long as an iterator uses it. */
  @Test
  void scansGiveTheirIteratorsBackHoweverTheyEnd() throws RocksDBException {
    try (RocksDbEngine engine = open(null)) {
      for (int i = 0; i < 200; i++) {
        scan(engine, KeyRange.ofPartition(bytes("p0")), record -> Visit.STOP);
        assertThatThrownBy(() -> scan(engine, KeyRange.ALL, record -> fail()))
            .hasMessage("on purpose");
        Partition partition = new Partition(space, bytes("p1"));
        assertThatThrownBy(
                () ->
                    await(
                        engine.transact(
                            partition,
                            List.of(),
                            Deadline.NEVER,
                            view -> {
                              view.scan(Bytes.EMPTY, null, 10, (row, value) -> fail() == null);
                              return null;
                            })))
            .hasMessage("on purpose");
      }
      assertVersionsAliveAfterAFlush(engine, "1");
      // The control: the figure does show an iterator that was left open.
      try (RecordCursor open =
          new RecordCursor(
              engine.store(), Family.TABLES, new byte[1], new byte[] {(byte) 0xff}, true)) {
        open.seek(new byte[1]);
        assertVersionsAliveAfterAFlush(engine, "2");
      }
    }
  }

  @Test
  void closingUnderReadsAndScansEndsThemWithClosed() throws Exception {
    for (int round = 0; round < 5; round++) {
      RocksDbEngine engine = open(null);
      ExecutorService threads = Executors.newFixedThreadPool(4);
      CountDownLatch running = new CountDownLatch(4);
      List<Future<StorageException>> ends = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        boolean scans = i % 2 == 0;
        ends.add(threads.submit(() -> useUntilClosed(engine, scans, running)));
      }
      running.await();
      engine.close();
      for (Future<StorageException> end : ends) {
        assertThat(end.get(30, TimeUnit.SECONDS).kind()).isEqualTo(StorageException.Kind.CLOSED);
      }
      engine.close();
      threads.shutdown();
    }
  }

  @Test
  void aLongScanLeavesTheCacheToPointReads() {
    try (Statistics statistics = new Statistics();
        RocksDbEngine engine = open(statistics)) {
      long before = blocksCached(statistics);
      KeyRange nearlyAll = new KeyRange(new Position(bytes("p0"), numbered(1)), null);
      scan(engine, nearlyAll, record -> Visit.CONTINUE);
      assertThat(blocksCached(statistics)).isEqualTo(before);
      int[] shown = new int[1];
      scan(
          engine,
          KeyRange.ALL,
          record -> {
            shown[0]++;
            return Visit.CONTINUE;
          });
      assertThat(shown[0]).isEqualTo(ROWS);
      // The cache keeps the first page: 1,024 records of 400 bytes in blocks of 16 KiB.
      assertThat(blocksCached(statistics)).isBetween(before + 20, before + 40);
      scan(engine, KeyRange.ofPartition(bytes("p0")), record -> Visit.CONTINUE);
      assertThat(blocksCached(statistics)).isGreaterThan(before + 50);
    }
  }

  @Test
  void aScanThatIsSmallForTheCacheIsKeptInIt() {
    try (Statistics statistics = new Statistics();
        RocksDbEngine engine =
            RocksDbEngine.open(
                EngineConfig.of(folder).withMemoryBytes(512 << 20), statistics, log -> log)) {
      long before = blocksCached(statistics);
      scan(engine, KeyRange.ALL, record -> Visit.CONTINUE);
      assertThat(blocksCached(statistics)).isGreaterThan(before + 200);
    }
  }

  private StorageException useUntilClosed(
      RocksDbEngine engine, boolean scans, CountDownLatch running) {
    try {
      for (int i = 0; ; i++) {
        if (scans) {
          scan(engine, KeyRange.ALL, record -> Visit.CONTINUE);
        } else {
          EngineFixture.await(
              engine.read(
                  new Partition(space, bytes("p0")).row(numbered(i % ROWS)), Deadline.NEVER));
        }
        running.countDown();
      }
    } catch (StorageException e) {
      return e;
    }
  }

  /** Opens an engine with little memory, so that 8 MB of rows are a large scan. */
  private RocksDbEngine open(Statistics statistics) {
    EngineConfig config = EngineConfig.of(folder).withMemoryBytes(24 << 20);
    return RocksDbEngine.open(config, statistics, log -> log);
  }

  private void scan(RocksDbEngine engine, KeyRange range, RecordVisitor visitor) {
    EngineFixture.await(
        engine.scan(space, List.of(range), Direction.FORWARD, Deadline.NEVER, visitor));
  }

  /** A compaction that the flush may start also holds a version until it ends. */
  private void assertVersionsAliveAfterAFlush(RocksDbEngine engine, String count)
      throws RocksDBException {
    NativeStore store = engine.store();
    await(
        engine.transact(
            new Partition(space, bytes("p")),
            List.of(),
            Deadline.NEVER,
            view -> {
              view.put(bytes("new"), new byte[1]);
              return null;
            }));
    try (FlushOptions options = new FlushOptions()) {
      store.db().flush(options, store.handle(Family.TABLES));
    }
    Awaitility.await().untilAsserted(() -> assertThat(versionsAlive(store)).isEqualTo(count));
  }

  private static String versionsAlive(NativeStore store) throws RocksDBException {
    return store.db().getProperty(store.handle(Family.TABLES), "rocksdb.num-live-versions");
  }

  private static long blocksCached(Statistics statistics) {
    return statistics.getTickerCount(TickerType.BLOCK_CACHE_DATA_ADD);
  }

  private static Visit fail() {
    throw new IllegalStateException("on purpose");
  }
}
