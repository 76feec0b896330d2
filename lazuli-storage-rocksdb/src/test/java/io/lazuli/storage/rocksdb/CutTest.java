package io.lazuli.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoreCut;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cut has the data of its moment, whatever happens to the store while it is open. */
class CutTest {
  private static final Partition HOME = new Partition(Space.CATALOGUE, Bytes.of(new byte[] {'h'}));

  private static final Partition OWNER =
      new Partition(new Space(Space.number(SpaceKind.CONTAINER, 1), HOME), Bytes.EMPTY);

  @TempDir private Path folder;
  private RocksDbEngine engine;

  @BeforeEach
  void open() {
    engine = RocksDbEngine.open(EngineConfig.of(folder.resolve("data")));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aCutHasEverythingBeforeItAndNothingAfterIt() throws IOException {
    put("before", "1");
    ChunkRef kept = chunk("kept");
    ChunkRef deleted = chunk("deleted");
    try (StoreCut cut = engine.cut()) {
      put("before", "2");
      put("after", "3");
      ChunkRef later = chunk("later");
      engine.chunks().delete(List.of(deleted)).join();
      assertThat(engine.chunks().open(deleted).join()).isNull();
      copy(cut, folder.resolve("copy"));
      List<String> names = new ArrayList<>();
      cut.forEach(file -> names.add(file.name()));
      assertThat(names).isSorted().contains("FORMAT");
      try (RocksDbEngine copy = RocksDbEngine.open(EngineConfig.of(folder.resolve("copy")))) {
        assertThat(read(copy, "before")).isEqualTo("1");
        assertThat(read(copy, "after")).isNull();
        assertThat(read(copy, kept)).isEqualTo("kept");
        assertThat(read(copy, deleted)).isEqualTo("deleted");
        assertThat(copy.chunks().open(later).join()).isNull();
      }
    }
    assertThat(read(engine, "before")).isEqualTo("2");
    assertThat(folder.resolve("data/cut")).doesNotExist();
    assertThat(folder.resolve("data/chunks/held")).doesNotExist();
  }

  @Test
  void lastingFilesKeepTheirVersionAndACopyIsAnotherStore() throws IOException {
    put("a", "1");
    chunk("content");
    List<StoreCut.File> first = new ArrayList<>();
    List<StoreCut.File> second = new ArrayList<>();
    String store;
    try (StoreCut cut = engine.cut()) {
      store = cut.store();
      cut.forEach(first::add);
      copy(cut, folder.resolve("copy"));
    }
    try (StoreCut cut = engine.cut()) {
      assertThat(cut.store()).isEqualTo(store);
      cut.forEach(second::add);
    }
    List<StoreCut.File> lasting = first.stream().filter(StoreCut.File::isLasting).toList();
    assertThat(lasting).isNotEmpty();
    assertThat(second).containsAll(lasting);
    try (RocksDbEngine copy = RocksDbEngine.open(EngineConfig.of(folder.resolve("copy")));
        StoreCut cut = copy.cut()) {
      assertThat(cut.store()).isNotEqualTo(store);
    }
  }

  @Test
  void thereIsOneCutAtATime() throws IOException {
    try (StoreCut cut = engine.cut()) {
      assertThat(cut.ticks()).isPositive();
      assertThatThrownBy(() -> engine.cut()).isInstanceOf(StorageException.class);
    }
    engine.cut().close();
  }

  @Test
  void aStartRemovesTheCutOfAKilledProcess() throws IOException {
    engine.close();
    Files.createDirectories(folder.resolve("data/cut/rocksdb"));
    Files.writeString(folder.resolve("data/cut/rocksdb/000001.sst"), "left");
    Files.createDirectories(folder.resolve("data/chunks/held"));
    Files.writeString(folder.resolve("data/chunks/held/4000000000000001"), "left");
    open();
    assertThat(folder.resolve("data/cut")).doesNotExist();
    assertThat(folder.resolve("data/chunks/held")).doesNotExist();
  }

  @Test
  void anUnfinishedRestoreIsNotOpened() throws IOException {
    Path other = Files.createDirectories(folder.resolve("other"));
    Files.createFile(other.resolve(StoreCut.UNFINISHED));
    assertThatThrownBy(() -> RocksDbEngine.open(EngineConfig.of(other)))
        .isInstanceOf(EngineOpenException.class)
        .hasMessageContaining("has not finished");
    assertThat(other).isDirectoryContaining("glob:**/" + StoreCut.UNFINISHED);
  }

  private static void copy(StoreCut cut, Path to) throws IOException {
    cut.forEach(
        file -> {
          Path written = to.resolve(file.name());
          Files.createDirectories(written.getParent());
          try (ReadableByteChannel in = cut.open(file)) {
            Files.copy(Channels.newInputStream(in), written);
          }
        });
  }

  private void put(String row, String value) {
    engine
        .transact(
            HOME,
            List.of(),
            Deadline.NEVER,
            view -> {
              view.put(bytes(row), value.getBytes(StandardCharsets.UTF_8));
              return true;
            })
        .join();
  }

  private static String read(RocksDbEngine from, String row) {
    byte[] value = from.read(HOME.row(bytes(row)), Deadline.NEVER).join();
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  private ChunkRef chunk(String content) {
    ChunkWriter writer = engine.chunks().append(OWNER).join();
    writer.write(ByteBuffer.wrap(bytes(content).array())).join();
    return writer.complete().join();
  }

  private static String read(RocksDbEngine from, ChunkRef ref) {
    try (ChunkReader reader = from.chunks().open(ref).join()) {
      ByteBuffer content = ByteBuffer.allocate(100);
      reader.read(0, content).join();
      content.flip();
      return StandardCharsets.UTF_8.decode(content).toString();
    }
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
