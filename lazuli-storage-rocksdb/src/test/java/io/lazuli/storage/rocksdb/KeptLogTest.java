package io.lazuli.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChangeLog;
import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Replay;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.Ticks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The log gives every change once, across flushes and restarts, and a replay of it is the store.
 */
class KeptLogTest {
  private static final Partition HOME = new Partition(Space.CATALOGUE, Bytes.of(new byte[] {'h'}));

  private static final Partition OWNER =
      new Partition(new Space(Space.number(SpaceKind.CONTAINER, 1), HOME), Bytes.EMPTY);

  @TempDir private Path folder;
  private RocksDbEngine engine;

  @BeforeEach
  void open() {
    engine = RocksDbEngine.open(config());
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aReplayAfterACutIsTheStoreAfterEachChange() throws Exception {
    put("a", "0");
    ChangeLog log = log();
    log.moveToEnd();
    long sequence;
    try (StoreCut cut = engine.cut()) {
      sequence = cut.sequence();
      put("a", "1");
      copy(cut, folder.resolve("copy"));
    }
    long before = Ticks.systemNow();
    put("b", "2");
    long after = Ticks.systemNow();
    ChunkRef chunk = chunk("content");
    ChangeLog.Round round = log.begin();
    List<ChangeLog.Change> changes = changes(log);
    assertThat(changes.get(0).first()).isEqualTo(sequence + 1);
    assertThat(changes.get(changes.size() - 1).last()).isEqualTo(round.last());
    assertThat(changes.get(1).ticks()).isBetween(before, after);
    assertThat(changes.get(changes.size() - 1).chunks()).hasSize(1);
    Files.createFile(folder.resolve("copy").resolve(StoreCut.UNFINISHED));
    EngineConfig copied = EngineConfig.of(folder.resolve("copy"));
    List<StoreCut.File> needed = new ArrayList<>();
    try (Replay replay = new RocksDbEngineProvider().openToReplay(copied)) {
      assertThat(replay.sequence()).isEqualTo(sequence);
      replay.apply(changes.get(0).content());
      assertThatThrownBy(() -> replay.apply(changes.get(0).content()))
          .hasMessageContaining("does not follow");
      for (ChangeLog.Change change : changes.subList(1, changes.size())) {
        replay.apply(change.content());
      }
      assertThat(replay.sequence()).isEqualTo(round.last());
      replay.forEachChunk(needed::add);
      replay.finish();
    }
    assertThat(needed).isEqualTo(changes.get(changes.size() - 1).chunks());
    assertThatThrownBy(() -> RocksDbEngine.open(copied)).isInstanceOf(EngineOpenException.class);
    Path file = folder.resolve("copy").resolve(needed.get(0).name());
    Files.createDirectories(file.getParent());
    try (ReadableByteChannel in = log.open(needed.get(0))) {
      Files.copy(Channels.newInputStream(in), file);
    }
    Files.delete(folder.resolve("copy").resolve(StoreCut.UNFINISHED));
    try (RocksDbEngine copy = RocksDbEngine.open(copied)) {
      assertThat(read(copy, "a")).isEqualTo("1");
      assertThat(read(copy, "b")).isEqualTo("2");
      assertThat(read(copy, chunk)).isEqualTo("content");
    }
  }

  @Test
  void flushesAndRestartsLoseNoChange() throws Exception {
    ChangeLog log = log();
    log.moveToEnd();
    put("a", "1");
    log.begin();
    ChangeLog.Place place = changes(log).get(0).place();
    log.release();
    for (int i = 0; i < 3; i++) {
      put("b", "" + i);
      engine.store().flush();
    }
    engine.close();
    engine = RocksDbEngine.open(config());
    put("c", "1");
    ChangeLog later = log();
    assertThat(later.moveTo(new ChangeLog.Place(place.sequence(), place.checksum() + 1))).isFalse();
    assertThat(later.moveTo(place)).isTrue();
    later.begin();
    List<ChangeLog.Change> changes = changes(later);
    assertThat(changes).hasSizeGreaterThanOrEqualTo(4);
    long next = place.sequence() + 1;
    for (ChangeLog.Change change : changes) {
      assertThat(change.first()).isEqualTo(next);
      next = change.last() + 1;
    }
    later.release();
    assertThat(archived()).hasSizeLessThanOrEqualTo(1);
    put("d", "1");
    later.begin();
    assertThat(changes(later)).hasSize(1);
  }

  @Test
  void aDeletedChunkStaysUntilTheArchiveHasIt() throws Exception {
    put("a", "1");
    ChangeLog.Place place = log().moveToEnd();
    ChunkRef chunk = chunk("content");
    engine.chunks().delete(List.of(chunk)).join();
    engine.close();
    engine = RocksDbEngine.open(config());
    ChangeLog log = log();
    assertThat(log.moveTo(place)).isTrue();
    log.begin();
    List<StoreCut.File> completed =
        changes(log).stream().flatMap(change -> change.chunks().stream()).toList();
    assertThat(completed).hasSize(1);
    try (ReadableByteChannel in = log.open(completed.get(0))) {
      assertThat(Channels.newInputStream(in)).hasContent("content");
    }
    engine.cut().close();
    assertThat(held()).hasSize(1);
    log.release();
    assertThat(held()).isEmpty();
  }

  @Test
  void tooManyChangesAreGivenUpAndThatIsSaid() throws Exception {
    engine.close();
    engine = RocksDbEngine.open(config().withKeptLogBytesMax(1_000));
    ChangeLog log = log();
    ChangeLog.Place place = log.moveToEnd();
    put("a", "x".repeat(2_000));
    engine.store().flush();
    await().until(() -> archived().isEmpty());
    log.begin();
    assertThatThrownBy(log::next).isInstanceOf(ChangeLog.LostException.class);
    assertThat(log.moveTo(place)).isFalse();
    log.moveToEnd();
    // Whoever tries the old place again still learns that changes are missing.
    assertThat(log.moveTo(place)).isFalse();
    log.moveToEnd();
    put("b", "1");
    log.begin();
    assertThat(log.next()).isNotNull();
  }

  @Test
  void withoutAnArchiveNothingIsKept() throws Exception {
    ChangeLog.Place place = log().moveToEnd();
    put("a", "1");
    engine.store().flush();
    assertThat(archived()).isNotEmpty();
    chunk("held");
    engine.close();
    engine = RocksDbEngine.open(EngineConfig.of(folder.resolve("data")));
    assertThat(engine.changes()).isNull();
    assertThat(archived()).isEmpty();
    put("b", "1");
    engine.close();
    engine = RocksDbEngine.open(config());
    ChangeLog log = log();
    if (log.moveTo(place)) {
      log.begin();
      assertThatThrownBy(() -> changes(log)).isInstanceOf(ChangeLog.LostException.class);
    }
  }

  @Test
  void relaxedDurabilityHasNoArchive() {
    EngineConfig relaxed = config().withDurability(Durability.RELAXED).withKeptLogBytesMax(1 << 20);
    assertThatThrownBy(() -> new RocksDbEngineProvider().open(relaxed))
        .isInstanceOf(EngineOpenException.class)
        .hasMessageContaining("durability disk");
  }

  private EngineConfig config() {
    return EngineConfig.of(folder.resolve("data")).withKeptLogBytesMax(64 << 20);
  }

  private ChangeLog log() {
    ChangeLog log = engine.changes();
    if (log == null) {
      throw new AssertionError("the log is not kept");
    }
    return log;
  }

  private static List<ChangeLog.Change> changes(ChangeLog log) throws IOException {
    List<ChangeLog.Change> changes = new ArrayList<>();
    for (ChangeLog.Change next = log.next(); next != null; next = log.next()) {
      changes.add(next);
    }
    return changes;
  }

  private List<Path> archived() throws IOException {
    return files(folder.resolve("data/rocksdb/archive"));
  }

  private List<Path> held() throws IOException {
    return files(folder.resolve("data/chunks/held"));
  }

  private static List<Path> files(Path in) throws IOException {
    if (!Files.isDirectory(in)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(in)) {
      return files.toList();
    }
  }

  private static void copy(StoreCut cut, Path to) throws IOException {
    cut.forEach(
        file -> {
          Path copy = to.resolve(file.name());
          Files.createDirectories(copy.getParent());
          try (ReadableByteChannel in = cut.open(file)) {
            Files.copy(Channels.newInputStream(in), copy);
          }
        });
  }

  private void put(String row, String value) {
    engine
        .transact(
            OWNER,
            List.of(),
            Deadline.NEVER,
            view -> {
              view.put(bytes(row), value.getBytes(StandardCharsets.UTF_8));
              return true;
            })
        .join();
  }

  private static @Nullable String read(RocksDbEngine from, String row) {
    byte[] value = from.read(OWNER.row(bytes(row)), Deadline.NEVER).join();
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  private ChunkRef chunk(String content) {
    try (ChunkWriter writer = engine.chunks().append(OWNER).join()) {
      writer.write(ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8))).join();
      return writer.complete().join();
    }
  }

  private static String read(RocksDbEngine from, ChunkRef ref) {
    try (ChunkReader reader = from.chunks().open(ref).join()) {
      ByteBuffer bytes = ByteBuffer.allocate((int) reader.length());
      reader.read(0, bytes).join();
      return new String(bytes.array(), StandardCharsets.UTF_8);
    }
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
