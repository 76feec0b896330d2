package io.lazuli.storage.rocksdb;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.await;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.rocksdb.disk.DataFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** A damaged record is reported and never returned. */
final class DamagedRecordTest {
  @TempDir Path folder;
  private RocksDbEngine engine;
  private Partition partition;

  @BeforeEach
  void write() {
    engine = open();
    partition =
        new Partition(
            new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME),
            bytes("p"));
    for (String row : List.of("a", "b", "c")) {
      put(row, "value of " + row);
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void everyFlippedByteIsSeen() throws RocksDBException {
    byte[] stored = stored("b");
    assertThat(stored).hasSize("value of b".length() + RecordSeal.BYTES);
    for (int i = 0; i < stored.length; i++) {
      byte[] damaged = stored.clone();
      damaged[i] ^= 0x10;
      store("b", damaged);
      assertCorrupt(
          () -> EngineFixture.await(engine.read(partition.row(bytes("b")), Deadline.NEVER)));
    }
  }

  @Test
  void aValueThatWasCutIsSeen() throws RocksDBException {
    byte[] stored = stored("b");
    for (int length = 0; length < stored.length; length++) {
      store("b", Arrays.copyOf(stored, length));
      assertCorrupt(
          () -> EngineFixture.await(engine.read(partition.row(bytes("b")), Deadline.NEVER)));
    }
  }

  @Test
  void aValueUnderAnotherKeyIsSeen() throws RocksDBException {
    store("b", stored("a"));
    assertCorrupt(
        () -> EngineFixture.await(engine.read(partition.row(bytes("b")), Deadline.NEVER)));
  }

  @Test
  void aScanShowsWhatLiesBeforeTheDamageAndThenFails() throws RocksDBException {
    damage("b");
    for (Direction direction : Direction.values()) {
      List<Bytes> shown = new ArrayList<>();
      assertCorrupt(
          () ->
              EngineFixture.await(
                  engine.scan(
                      partition.space(),
                      List.of(KeyRange.ALL),
                      direction,
                      Deadline.NEVER,
                      record -> {
                        shown.add(Bytes.of(record.row().copy()));
                        return Visit.CONTINUE;
                      })));
      assertThat(shown).containsExactly(bytes(direction == Direction.FORWARD ? "a" : "c"));
    }
  }

  @Test
  void aBodyThatReadsItFailsAndWritesNothing() throws RocksDBException {
    damage("b");
    assertCorrupt(
        () ->
            await(
                engine.transact(
                    partition,
                    List.of(bytes("b")),
                    Deadline.NEVER,
                    view -> {
                      view.put(bytes("a"), new byte[1]);
                      return view.read(bytes("b"));
                    })));
    assertCorrupt(
        () ->
            await(
                engine.transact(
                    partition,
                    List.of(),
                    Deadline.NEVER,
                    view -> {
                      view.put(bytes("d"), new byte[1]);
                      view.scan(Bytes.EMPTY, null, 10, (row, value) -> true);
                      return null;
                    })));
    assertThat(EngineFixture.await(engine.read(partition.row(bytes("a")), Deadline.NEVER)))
        .isEqualTo(bytes("value of a").array());
    assertThat(EngineFixture.await(engine.read(partition.row(bytes("d")), Deadline.NEVER)))
        .isNull();
  }

  @Test
  void aDamagedRecordCanBeOverwritten() throws RocksDBException {
    damage("b");
    put("b", "new");
    assertThat(EngineFixture.await(engine.read(partition.row(bytes("b")), Deadline.NEVER)))
        .isEqualTo(bytes("new").array());
  }

  /** Continuing without these records would assign numbers and timestamps a second time. */
  @Test
  void damagedRecordsOfTheEngineItselfKeepItFromOpening() throws RocksDBException {
    for (byte key = 1; key <= 2; key++) {
      byte[] before = rawGet(Family.CATALOGUE, new byte[] {key});
      byte[] damaged = before.clone();
      damaged[0] ^= 1;
      rawPut(Family.CATALOGUE, new byte[] {key}, damaged);
      engine.close();
      assertThatThrownBy(this::open)
          .isInstanceOf(EngineOpenException.class)
          .hasMessageContaining("the store in " + folder + " is damaged");
      repair(key, before);
      engine = open();
    }
  }

  private void repair(byte key, byte[] value) throws RocksDBException {
    try (DataFolder locked = DataFolder.open(folder);
        NativeStore store =
            NativeStore.open(
                locked.database(), EngineConfig.of(folder).durability(), 32 << 20, null)) {
      store.db().put(store.handle(Family.CATALOGUE), new byte[] {key}, value);
    }
  }

  private RocksDbEngine open() {
    return RocksDbEngine.open(EngineConfig.of(folder).withMemoryBytes(32 << 20));
  }

  private void put(String row, String value) {
    await(
        engine.transact(
            partition,
            List.of(),
            Deadline.NEVER,
            view -> {
              view.timestamp(bytes(row));
              view.put(bytes(row), bytes(value).array());
              return null;
            }));
  }

  private void damage(String row) throws RocksDBException {
    byte[] stored = stored(row);
    stored[2] ^= 1;
    store(row, stored);
  }

  private byte[] stored(String row) throws RocksDBException {
    return rawGet(Family.TABLES, KeyCodec.encode(partition.row(bytes(row))));
  }

  private void store(String row, byte[] value) throws RocksDBException {
    rawPut(Family.TABLES, KeyCodec.encode(partition.row(bytes(row))), value);
  }

  private byte[] rawGet(Family family, byte[] key) throws RocksDBException {
    return engine.store().db().get(engine.store().handle(family), key);
  }

  private void rawPut(Family family, byte[] key, byte[] value) throws RocksDBException {
    engine.store().db().put(engine.store().handle(family), key, value);
  }

  private static void assertCorrupt(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.CORRUPT));
  }
}
