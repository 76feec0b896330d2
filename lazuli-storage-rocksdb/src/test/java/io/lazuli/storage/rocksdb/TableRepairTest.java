package io.lazuli.storage.rocksdb;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.await;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static io.lazuli.storage.contract.EngineFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.DamageVisitor;
import io.lazuli.storage.DamagedRecords;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StoreReport;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.keys.KeyCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.RocksDBException;

/**
 * Damaged table files: a scan for checks shows everything around the damage, and a repair keeps
 * exactly what it does not list. Records exist in several versions, on two levels and in the log.
 */
final class TableRepairTest {
  private static final int ROWS = 3_000;
  private static final Pattern RANGE = Pattern.compile("\"from\":\"(\\w*)\",\"to\":\"(\\w*)\"");
  private static final Pattern RECORD = Pattern.compile("\"key\":\"(\\w*)\"");

  @TempDir Path folder;
  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private final Map<Bytes, byte[]> model = new TreeMap<>();
  private Partition partition;

  @BeforeEach
  void write() throws RocksDBException {
    try (RocksDbEngine engine = open();
        CompactRangeOptions all = new CompactRangeOptions()) {
      Space space =
          new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME);
      partition = new Partition(space, bytes("p"));
      change(engine, ROWS, 0);
      engine.store().flush();
      engine.store().db().compactRange(engine.store().handle(Family.TABLES), null, null, all);
      change(engine, ROWS / 4, ROWS / 8);
      engine.store().flush();
      change(engine, ROWS / 20, ROWS / 20);
    }
  }

  @Test
  void aScanForChecksShowsEverythingAroundTheDamage() throws IOException {
    List<Path> tables = tables();
    Path largest = tables.get(tables.size() - 1);
    byte[] bytes = Files.readAllBytes(largest);
    for (int i = 1; i <= 3; i++) {
      bytes[bytes.length * i / 5] ^= 1;
    }
    Files.write(largest, bytes);
    try (StorageEngine engine = new RocksDbEngineProvider().openToRead(config())) {
      Reading reading = read(engine);
      assertThat(reading.damage).as("seed " + seed).hasSize(3);
      assertThat(reading.shown)
          .isNotEmpty()
          .allSatisfy((row, value) -> assertThat(value).isEqualTo(model.get(row)));
      model.forEach(
          (row, value) ->
              assertThat(reading.shown.containsKey(row) || reading.covers(row))
                  .as("row %s, seed %d", row, seed)
                  .isTrue());
      assertThat(reading.shown.size()).isGreaterThan(model.size() / 2);
    }
  }

  @Test
  void aRepairLosesExactlyWhatItLists() throws IOException {
    for (int round = 0; round < 3; round++) {
      List<Path> tables = tables();
      Path table = tables.get(random.nextInt(tables.size()));
      byte[] bytes = Files.readAllBytes(table);
      for (int i = 0; i <= random.nextInt(3); i++) {
        // Mostly data; the last round may also hit the index, the filter or the footer.
        int bound = round == 2 ? bytes.length : bytes.length / 2;
        bytes[random.nextInt(bound)] ^= (byte) (1 << random.nextInt(8));
      }
      Files.write(table, bytes);
      checkRepair(table);
    }
  }

  @Test
  void aTableThatCannotBeOpenedIsListedAsAWhole() throws IOException {
    Path table = tables().get(0);
    byte[] bytes = Files.readAllBytes(table);
    bytes[bytes.length - 10] ^= 1;
    Files.write(table, bytes);
    checkRepair(table);
  }

  @Test
  void aRepairThatWasInterruptedIsRunAgain() throws IOException {
    Path table = tables().get(0);
    byte[] bytes = Files.readAllBytes(table);
    bytes[bytes.length / 3] ^= 1;
    Files.write(table, bytes);
    Files.createDirectories(folder.resolve("repair-work"));
    Files.writeString(folder.resolve("repair-work").resolve("000001.sst"), "left by a crash");
    Files.createDirectories(folder.resolve("damaged-tables-1"));
    checkRepair(table);
    assertThat(folder.resolve("repair-work")).doesNotExist();
  }

  private void checkRepair(Path table) throws IOException {
    RocksDbEngineProvider provider = new RocksDbEngineProvider();
    StoreReport dry = provider.repair(config(), false);
    assertThat(dry.damage()).as("seed " + seed).hasSize(1);
    assertThat(dry.damage().get(0).file()).isEqualTo(table);
    StoreReport done = provider.repair(config(), true);
    assertThat(done.damage()).as("seed " + seed).isEmpty();
    List<String> lost = lost();
    try (StorageEngine engine = provider.openToRead(config())) {
      Reading reading = read(engine);
      assertThat(reading.damage).isEmpty();
      reading.shown.forEach(
          (row, value) -> assertThat(value).as("seed " + seed).isEqualTo(model.get(row)));
      model
          .keySet()
          .removeIf(
              row -> {
                if (!reading.shown.containsKey(row)) {
                  assertThat(isListed(row, lost)).as("row %s, seed %d", row, seed).isTrue();
                  return true;
                }
                return false;
              });
    }
    try (RocksDbEngine engine = open()) {
      assertThat(engine.state().fault()).isEmpty();
      change(engine, 10, 0);
    }
    assertThat(provider.repair(config(), true).notes()).contains("no table file is damaged");
  }

  private List<String> lost() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      Path last =
          files
              .map(file -> file.resolve("records.jsonl"))
              .filter(Files::exists)
              .max(Comparator.comparing(Path::toString))
              .orElseThrow();
      return Files.readAllLines(last);
    }
  }

  private boolean isListed(Bytes row, List<String> lost) {
    byte[] key = KeyCodec.encode(partition.row(row));
    for (String line : lost) {
      Matcher range = RANGE.matcher(line);
      Matcher record = RECORD.matcher(line);
      if (range.find()) {
        boolean inside =
            Arrays.compareUnsigned(HexFormat.of().parseHex(range.group(1)), key) <= 0
                && Arrays.compareUnsigned(key, HexFormat.of().parseHex(range.group(2))) < 0;
        if (inside) {
          return true;
        }
      } else if (record.find() && Arrays.equals(HexFormat.of().parseHex(record.group(1)), key)) {
        return true;
      }
    }
    return false;
  }

  private Reading read(StorageEngine engine) {
    Reading reading = new Reading();
    EngineFixture.await(
        engine.scan(
            partition.space(), List.of(KeyRange.ALL), Direction.FORWARD, Deadline.NEVER, reading));
    return reading;
  }

  /** What a scan for checks shows. */
  private static final class Reading implements DamageVisitor {
    private final Map<Bytes, byte[]> shown = new TreeMap<>();
    private final List<DamagedRecords> damage = new ArrayList<>();

    @Override
    public Visit visit(LentRecord record) {
      shown.put(Bytes.of(record.row().copy()), record.value().copy());
      return Visit.CONTINUE;
    }

    @Override
    public Visit damaged(DamagedRecords found) {
      damage.add(found);
      return Visit.CONTINUE;
    }

    boolean covers(Bytes row) {
      Position at = new Position(bytes("p"), row);
      return damage.stream()
          .anyMatch(
              range ->
                  range.from().compareTo(at) <= 0
                      && (range.to() == null || at.compareTo(range.to()) < 0));
    }
  }

  /** Puts and deletes random rows. */
  private void change(RocksDbEngine engine, int puts, int deletes) {
    Map<Bytes, byte[]> changes = new TreeMap<>();
    for (int i = 0; i < puts + deletes; i++) {
      byte[] value = new byte[random.nextInt(200)];
      random.nextBytes(value);
      changes.put(numbered(random.nextInt(ROWS)), i < puts ? value : new byte[0]);
    }
    List<Map.Entry<Bytes, byte[]>> all = List.copyOf(changes.entrySet());
    for (int at = 0; at < all.size(); at += 500) {
      List<Map.Entry<Bytes, byte[]>> some = all.subList(at, Math.min(all.size(), at + 500));
      await(
          engine.transact(
              partition,
              List.of(),
              Deadline.NEVER,
              view -> {
                for (Map.Entry<Bytes, byte[]> change : some) {
                  if (change.getValue().length == 0) {
                    view.delete(change.getKey());
                  } else {
                    view.put(change.getKey(), change.getValue());
                  }
                }
                return null;
              }));
    }
    changes.forEach(
        (row, value) -> {
          if (value.length == 0) {
            model.remove(row);
          } else {
            model.put(row, value);
          }
        });
  }

  /** Returns the table files of the family of tables, smallest first. */
  private List<Path> tables() {
    try (NativeStore store =
        NativeStore.openReadOnly(folder.resolve("rocksdb"), config().memoryBytes())) {
      return new TableFiles(store)
          .live().entrySet().stream()
              .filter(
                  each -> Arrays.equals(each.getValue().columnFamilyName(), Family.TABLES.label()))
              .sorted(Comparator.comparingLong(each -> each.getValue().size()))
              .map(each -> folder.resolve("rocksdb").resolve(each.getKey()))
              .toList();
    }
  }

  private EngineConfig config() {
    return EngineConfig.of(folder).withMemoryBytes(32 << 20);
  }

  private RocksDbEngine open() {
    return RocksDbEngine.open(config());
  }
}
