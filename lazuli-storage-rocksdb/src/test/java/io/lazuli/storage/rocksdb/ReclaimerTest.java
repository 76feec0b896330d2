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
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.contract.ManualClock;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TableProperties;
import org.rocksdb.TickerType;

final class ReclaimerTest {
  private static final int LARGE = Reclaimer.SMALL_SPACE_RECORDS_MAX + 5_000;

  @TempDir Path folder;
  private final ManualClock clock = new ManualClock();
  private RocksDbEngine engine;

  @BeforeEach
  void open() {
    engine = RocksDbEngine.open(EngineConfig.of(folder).withMemoryBytes(32 << 20).withTicks(clock));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void largeSpacesGoAsARangeAndTheirNeighboursStay() throws RocksDBException {
    Space below = newSpace(SpaceKind.TABLE);
    Space dropped = new Space(below.number() + 1, HOME);
    Space above = new Space(below.number() + 2, HOME);
    for (Space space : List.of(below, dropped, above)) {
      fill(space, LARGE);
    }
    flushTables();
    fill(dropped, 10);
    drop(dropped);
    awaitFreed(dropped);
    assertThat(stored(below)).isEqualTo(LARGE);
    assertThat(stored(above)).isEqualTo(LARGE);
  }

  /** A range tombstone for each dropped table would slow every read of other tables. */
  @Test
  void smallAndEmptySpacesLeaveNoRangeTombstone() throws RocksDBException {
    List<Space> spaces = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Space space = newSpace(SpaceKind.TABLE);
      fill(space, i % 2 == 0 ? 0 : 20);
      spaces.add(space);
    }
    spaces.forEach(this::drop);
    spaces.forEach(this::awaitFreed);
    flushTables();
    assertThat(rangeTombstones()).isZero();

    Space large = newSpace(SpaceKind.TABLE);
    fill(large, LARGE);
    drop(large);
    awaitFreed(large);
    Awaitility.await().until(() -> isCompacted());
  }

  /** A space of few but large records. */
  @Test
  void theDiskOfLargeSpacesIsGivenBack() {
    Space few = newSpace(SpaceKind.TABLE);
    Space many = newSpace(SpaceKind.TABLE);
    Space kept = newSpace(SpaceKind.TABLE);
    fill(kept, 100);
    long before = diskBytes();
    fill(many, 2 * LARGE);
    fill(few, 2_000, 8 << 10);
    long full = diskBytes() - before;
    assertThat(full).isGreaterThan(Reclaimer.SMALL_SPACE_BYTES_MAX);
    drop(few);
    drop(many);
    Awaitility.await().until(() -> diskBytes() - before < full / 10);
    assertThat(stored(kept)).isEqualTo(100);
  }

  @Test
  void anEngineClosesWhileItCompacts() throws RocksDBException {
    for (int i = 0; i < 3; i++) {
      Space space = newSpace(SpaceKind.TABLE);
      fill(space, LARGE);
      flushTables();
      drop(space);
      reopen();
      awaitFreed(space);
    }
  }

  @Test
  void aFailedReclaimerIsReported() {
    assertThat(engine.state().fault()).isEmpty();
    engine.reclaimer().add(new Drop(7L << 60, bytes("no such kind"), 0));
    Awaitility.await().until(() -> !engine.state().fault().isEmpty());
    assertThat(engine.state().fault())
        .isEqualTo("dropped tables are not freed: no such kind of space: 7");
    assertThat(engine.state().writable()).isTrue();
    put(new Partition(newSpace(SpaceKind.TABLE), bytes("p")), "row");
    reopen();
    assertThat(engine.state().fault()).isEmpty();
  }

  /** Before, one failure ended the thread, and nothing was freed until a restart. */
  @Test
  void aFailedReclaimerFreesOtherSpaces() {
    Space space = newSpace(SpaceKind.TABLE);
    fill(space, 300);
    engine.reclaimer().add(new Drop(7L << 60, bytes("no such kind"), 0));
    Awaitility.await().until(() -> !engine.state().fault().isEmpty());
    drop(space);
    awaitFreed(space);
    assertThat(engine.state().fault()).isNotEmpty();
  }

  @Test
  void everyKindOfSpaceIsFreed() {
    for (SpaceKind kind :
        List.of(SpaceKind.TABLE, SpaceKind.QUEUE, SpaceKind.CONTAINER, SpaceKind.CHUNKS)) {
      Space space = newSpace(kind);
      fill(space, 300);
      assertThat(stored(space)).isEqualTo(300);
      drop(space);
      awaitFreed(space);
    }
  }

  @Test
  void aDropStaysRecordedForADayAndIsThenForgotten() {
    Space first = newSpace(SpaceKind.TABLE);
    fill(first, 10);
    drop(first);
    awaitFreed(first);
    clock.move(Duration.ofHours(23));
    drop(newSpace(SpaceKind.TABLE));
    assertThat(recordedDrops()).hasSize(2).contains(first.number());

    reopen();
    clock.move(Duration.ofMinutes(61));
    drop(newSpace(SpaceKind.TABLE));
    Awaitility.await().until(() -> !recordedDrops().contains(first.number()));
    assertThat(recordedDrops()).hasSize(2);
  }

  @Test
  void dropsOfManyHomesAreFoundAgain() {
    List<Space> dropped = new ArrayList<>();
    List<Partition> homes = new ArrayList<>();
    for (String name : List.of("", "a", "a\0", "a\0b", "a\1", "b")) {
      Partition home = new Partition(Space.CATALOGUE, bytes(name));
      homes.add(home);
      put(home, "");
      put(home, "name");
      Space space =
          new Space(EngineFixture.await(engine.newSpace(SpaceKind.QUEUE, Deadline.NEVER)), home);
      fill(space, 5);
      dropped.add(space);
    }
    dropped.forEach(this::drop);
    reopen();
    assertThat(recordedDrops())
        .containsExactlyInAnyOrderElementsOf(dropped.stream().map(Space::number).toList());
    dropped.forEach(this::awaitFreed);
    for (Partition home : homes) {
      assertThat(EngineFixture.await(engine.read(home.row(bytes("name")), Deadline.NEVER)))
          .isNotNull();
    }
  }

  @Test
  void commitsGoOnWhileALargeSpaceIsFreed() {
    Space large = newSpace(SpaceKind.TABLE);
    fill(large, LARGE);
    Space other = newSpace(SpaceKind.TABLE);
    drop(large);
    for (int i = 0; i < 200; i++) {
      put(new Partition(other, bytes("p")), "row" + i);
    }
    awaitFreed(large);
    assertThat(stored(other)).isEqualTo(200);
  }

  @Test
  void tombstonesInMemoryAreBounded() throws RocksDBException {
    try (Statistics statistics = new Statistics()) {
      engine.close();
      engine =
          RocksDbEngine.open(
              EngineConfig.of(folder).withMemoryBytes(32 << 20), statistics, log -> log);
      NativeStore store = engine.store();
      for (int i = 0; i < 100; i++) {
        byte[] key = {(byte) 0x90, (byte) i};
        store.db().deleteRange(store.handle(Family.TABLES), key, new byte[] {(byte) 0x91});
      }
      Awaitility.await()
          .until(
              () ->
                  statistics.getTickerCount(TickerType.FLUSH_REASON_MEMTABLE_MAX_RANGE_DELETIONS)
                      > 0);
    }
  }

  private void reopen() {
    engine.close();
    open();
  }

  private Space newSpace(SpaceKind kind) {
    return new Space(EngineFixture.await(engine.newSpace(kind, Deadline.NEVER)), HOME);
  }

  private boolean isCompacted() throws RocksDBException {
    flushTables();
    return rangeTombstones() == 0;
  }

  private long diskBytes() {
    return diskBytes(folder.toFile());
  }

  /** Files may disappear during the walk; they count as empty. */
  private static long diskBytes(File file) {
    File[] inside = file.listFiles();
    return inside == null
        ? file.length()
        : Stream.of(inside).mapToLong(ReclaimerTest::diskBytes).sum();
  }

  private void fill(Space space, int rows) {
    fill(space, rows, 50);
  }

  private void fill(Space space, int rows, int rowBytes) {
    List<CompletableFuture<Object>> futures = new ArrayList<>();
    for (int begin = 0; begin < rows; begin += 1_000) {
      int from = begin;
      futures.add(
          engine.transact(
              new Partition(space, bytes("p")),
              List.of(),
              Deadline.NEVER,
              view -> {
                for (int i = from; i < Math.min(rows, from + 1_000); i++) {
                  view.put(numbered(i), random(rowBytes));
                }
                return null;
              }));
    }
    futures.forEach(future -> await(future));
  }

  private static byte[] random(int bytes) {
    byte[] value = new byte[bytes];
    ThreadLocalRandom.current().nextBytes(value);
    return value;
  }

  private void put(Partition partition, String row) {
    await(
        engine.transact(
            partition,
            List.of(),
            Deadline.NEVER,
            view -> {
              view.put(bytes(row), new byte[1]);
              return null;
            }));
  }

  private void drop(Space space) {
    await(
        engine.transact(
            space.requireHome(),
            List.of(),
            Deadline.NEVER,
            view -> {
              view.drop(space);
              return null;
            }));
  }

  private long stored(Space space) {
    return Stored.records(engine.store(), space.number());
  }

  private void awaitFreed(Space space) {
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> stored(space) == 0);
  }

  private List<Long> recordedDrops() {
    return Drop.findAll(engine.store()).stream().map(Drop::space).toList();
  }

  private void flushTables() throws RocksDBException {
    NativeStore store = engine.store();
    try (FlushOptions options = new FlushOptions()) {
      store.db().flush(options, store.handle(Family.TABLES));
    }
  }

  private long rangeTombstones() throws RocksDBException {
    NativeStore store = engine.store();
    return store.db().getPropertiesOfAllTables(store.handle(Family.TABLES)).values().stream()
        .mapToLong(TableProperties::getNumRangeDeletions)
        .sum();
  }
}
