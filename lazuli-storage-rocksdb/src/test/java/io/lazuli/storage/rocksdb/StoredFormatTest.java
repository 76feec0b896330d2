package io.lazuli.storage.rocksdb;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.await;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.contract.ManualClock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** The bytes on disk are those of docs/formats.md, so that later versions can read them. */
final class StoredFormatTest {
  @TempDir Path folder;
  private final ManualClock clock = new ManualClock();
  private RocksDbEngine engine;

  @BeforeEach
  void open() {
    EngineConfig config = EngineConfig.of(folder).withMemoryBytes(32 << 20).withTicks(clock);
    engine = RocksDbEngine.open(config);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aRecordIsItsValueAndAChecksumOverKeyAndValue() throws RocksDBException {
    Partition partition = new Partition(new Space(1L << 60, HOME), bytes("p"));
    transact(
        partition,
        view -> {
          view.put(bytes("a"), bytes("1").array());
          return null;
        });
    assertThat(stored(Family.TABLES, "908080808080808080" + "70" + "00" + "61"))
        .isEqualTo("31" + "22048dca");
  }

  @Test
  void everyKindOfSpaceHasItsFamily() {
    assertThat(
            List.of(SpaceKind.values()).stream()
                .map(kind -> Family.ofNumber(Space.number(kind, 5))))
        .containsExactly(
            Family.CATALOGUE,
            Family.TABLES,
            Family.QUEUES,
            Family.BLOBS,
            Family.BLOBS,
            Family.BLOBS);
  }

  @Test
  void theMarkOfTimeStandsASecondAhead() throws RocksDBException {
    long timestamp =
        transact(new Partition(Space.CATALOGUE, bytes("p")), view -> view.timestamp(bytes("a")));
    assertThat(number(stored(Family.CATALOGUE, "01"))).isEqualTo(timestamp + Ticks.PER_SECOND);
  }

  @Test
  void spacesAreReservedInBlocks() throws RocksDBException {
    assertThat(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)))
        .isEqualTo(Space.number(SpaceKind.TABLE, 1));
    assertThat(EngineFixture.await(engine.newSpace(SpaceKind.QUEUE, Deadline.NEVER)))
        .isEqualTo(Space.number(SpaceKind.QUEUE, 2));
    assertThat(number(stored(Family.CATALOGUE, "02"))).isEqualTo(1 + 1024);
  }

  @Test
  void aDropIsARowOfItsHome() throws RocksDBException {
    Space space = new Space(0x1234567890abcdefL, new Partition(Space.CATALOGUE, bytes("h")));
    transact(
        space.requireHome(),
        view -> {
          view.drop(space);
          return null;
        });
    String key = "808080808080808080" + "68" + "00" + "0064" + "1234567890abcdef";
    assertThat(number(stored(Family.CATALOGUE, key))).isEqualTo(engine.now());
  }

  private <R> R transact(Partition partition, TransactionBody<R> body) {
    return await(engine.transact(partition, List.of(), Deadline.NEVER, body));
  }

  private String stored(Family family, String key) throws RocksDBException {
    NativeStore store = engine.store();
    byte[] value = store.db().get(store.handle(family), HexFormat.of().parseHex(key));
    return HexFormat.of().formatHex(value);
  }

  private static long number(String sealed) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(sealed)).getLong();
  }
}
