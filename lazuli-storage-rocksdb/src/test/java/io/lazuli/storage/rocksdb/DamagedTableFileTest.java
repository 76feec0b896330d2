package io.lazuli.storage.rocksdb;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.await;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static io.lazuli.storage.contract.EngineFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;

/**
 * A flipped bit in one of RocksDB's table files: records and blobs up to 64 KiB are in such files.
 * Reads and scans fail or are right. They are never wrong, and a scan never ends early.
 */
final class DamagedTableFileTest {
  private static final int ROWS = 400;

  @TempDir Path folder;
  private final Random random = new Random(5);
  private Partition partition;
  private byte[][] values;
  private Path tableFile;
  private byte[] original;

  @BeforeEach
  void writeTableFile() throws IOException, RocksDBException {
    values = new byte[ROWS][];
    try (RocksDbEngine engine = open()) {
      partition =
          new Partition(
              new Space(
                  EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME),
              bytes("p"));
      for (int i = 0; i < ROWS; i++) {
        byte[] value = new byte[1_000];
        random.nextBytes(value);
        values[i] = value;
      }
      await(
          engine.transact(
              partition,
              List.of(),
              Deadline.NEVER,
              view -> {
                for (int i = 0; i < ROWS; i++) {
                  view.put(numbered(i), values[i]);
                }
                return null;
              }));
      engine.store().flush();
    }
    try (Stream<Path> files = Files.walk(folder.resolve("rocksdb"))) {
      tableFile =
          files
              .filter(file -> file.toString().endsWith(".sst"))
              .max(Comparator.comparingLong(file -> file.toFile().length()))
              .orElseThrow();
    }
    original = Files.readAllBytes(tableFile);
    assertThat(original.length).isGreaterThan(ROWS * 1_000);
  }

  @Test
  void checksumsAreVerifiedByDefault() {
    try (ReadOptions options = new ReadOptions()) {
      assertThat(options.verifyChecksums()).isTrue();
    }
  }

  @Test
  void aDamagedBlockIsAFaultAndOtherBlocksAreRead() throws IOException {
    damage(original.length / 2);
    try (RocksDbEngine engine = open()) {
      assertThat(engine.state().fault()).isEmpty();
      int failed = 0;
      for (int i = 0; i < ROWS; i++) {
        failed += isReadOrCorrupt(engine, i) ? 0 : 1;
      }
      assertThat(failed).isBetween(1, ROWS / 10);
      for (Direction direction : Direction.values()) {
        AtomicInteger seen = new AtomicInteger();
        assertThatThrownBy(() -> scan(engine, direction, seen))
            .isInstanceOfSatisfying(
                StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT));
        assertThat(seen.get()).isLessThan(ROWS - failed);
      }
      assertThat(engine.state().writable()).isTrue();
      assertThat(engine.state().fault())
          .contains("damaged records")
          .contains(tableFile.getFileName().toString())
          .contains("checksum mismatch");
    }
  }

  /** The damage may be in data, index, filter, properties or footer. */
  @Test
  void aBitAnywhereNeverChangesAnAnswer() throws IOException {
    int refused = 0;
    int failed = 0;
    for (int i = 0; i < 24; i++) {
      // The end of the file has the index, the filter and the footer.
      int from = i % 2 == 0 ? 0 : original.length - 4_000;
      damage(from + random.nextInt(original.length - from));
      try (RocksDbEngine engine = open()) {
        AtomicInteger seen = new AtomicInteger();
        try {
          scan(engine, Direction.FORWARD, seen);
          assertThat(seen).hasValue(ROWS);
        } catch (StorageException e) {
          assertThat(e.kind()).isEqualTo(Kind.CORRUPT);
          failed++;
        }
        isReadOrCorrupt(engine, random.nextInt(ROWS));
      } catch (EngineOpenException e) {
        refused++;
      }
    }
    assertThat(refused + failed).isGreaterThan(12);
  }

  /** A compaction of damaged data fails and keeps the file. */
  @Test
  void aCompactionDoesNotHideDamage() throws IOException {
    damage(original.length / 2);
    try (RocksDbEngine engine = open();
        CompactRangeOptions all =
            new CompactRangeOptions()
                .setBottommostLevelCompaction(BottommostLevelCompaction.kForce)) {
      NativeStore store = engine.store();
      assertThatThrownBy(
              () -> store.db().compactRange(store.handle(Family.TABLES), null, null, all))
          .isInstanceOf(RocksDBException.class)
          .hasMessageContaining("checksum mismatch");
      assertThat(tableFile).exists();
      assertThat(isReadOrCorrupt(engine, 0)).isTrue();
      assertThatThrownBy(() -> scan(engine, Direction.FORWARD, new AtomicInteger()))
          .isInstanceOf(StorageException.class);
    }
  }

  private boolean isReadOrCorrupt(RocksDbEngine engine, int row) {
    try {
      assertThat(EngineFixture.await(engine.read(partition.row(numbered(row)), Deadline.NEVER)))
          .isEqualTo(values[row]);
      return true;
    } catch (StorageException e) {
      assertThat(e.kind()).isEqualTo(Kind.CORRUPT);
      return false;
    }
  }

  private void scan(RocksDbEngine engine, Direction direction, AtomicInteger seen) {
    EngineFixture.await(
        engine.scan(
            partition.space(),
            List.of(KeyRange.ALL),
            direction,
            Deadline.NEVER,
            record -> {
              int at = seen.getAndIncrement();
              int row = direction == Direction.FORWARD ? at : ROWS - 1 - at;
              assertThat(record.value().copy()).isEqualTo(values[row]);
              return Visit.CONTINUE;
            }));
  }

  private void damage(int at) throws IOException {
    byte[] damaged = original.clone();
    damaged[at] ^= (byte) (1 << random.nextInt(8));
    Files.write(tableFile, damaged);
  }

  private RocksDbEngine open() {
    return RocksDbEngine.open(EngineConfig.of(folder).withMemoryBytes(32 << 20));
  }
}
