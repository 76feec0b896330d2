package io.lazuli.storage.rocksdb;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.contract.Chunks;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.rocksdb.chunk.ChunkFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens only to files: a full disk, damage, and files that a crash leaves. */
final class ChunkFilesTest {
  private static final int MIB = 1 << 20;
  private static final int BLOCK_BYTES = 512;

  @TempDir Path folder;
  private RocksDbEngine engine;
  private Chunks chunks;

  /** The number of free bytes on the simulated disk. */
  private long roomBytes = Long.MAX_VALUE;

  /** Simulates a file system that opens files for direct writes and then refuses the writes. */
  private boolean refusesBlocks;

  @BeforeEach
  void open() {
    engine =
        RocksDbEngine.open(
            EngineConfig.of(folder).withMemoryBytes(32 << 20),
            null,
            log -> log,
            this::writeWhileThereIsRoom);
    Space space =
        new Space(EngineFixture.await(engine.newSpace(SpaceKind.CONTAINER, Deadline.NEVER)), HOME);
    chunks = new Chunks(engine.chunks(), new Partition(space, bytes("blob")));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aChunkIsOneFileTwoFoldersDeepAndACopyIsALinkToIt() throws IOException {
    ChunkRef ref = chunks.append(Chunks.content(MIB + 1, 1));
    ChunkRef copy = EngineFixture.await(chunks.store().copy(ref, chunks.owner()));
    Path file = folder.resolve("chunks/0000/000").resolve(name(ref));
    assertThat(files()).containsExactlyInAnyOrder(file, file.resolveSibling(name(copy)));
    assertThat(file).hasBinaryContent(Chunks.content(MIB + 1, 1));
    assertThat(Files.isSameFile(file, file.resolveSibling(name(copy)))).isTrue();
    EngineFixture.await(chunks.store().delete(List.of(ref)));
    assertThat(files()).containsExactly(file.resolveSibling(name(copy)));
  }

  @Test
  void aFullDiskIsReportedAndNothingIsLeft() throws IOException {
    roomBytes = 300_000;
    ChunkWriter writer = EngineFixture.await(chunks.store().append(chunks.owner()));
    EngineFixture.await(writer.write(ByteBuffer.allocate(200_000)));
    assertThatThrownBy(() -> EngineFixture.await(writer.write(ByteBuffer.allocate(200_000))))
        .hasMessageContaining("No space left on device");
    assertKind(Kind.UNAVAILABLE, () -> EngineFixture.await(writer.write(ByteBuffer.allocate(1))));
    assertKind(Kind.UNAVAILABLE, () -> EngineFixture.await(writer.complete()));
    assertThat(files()).isEmpty();
    assertThat(chunks.list()).isEmpty();
    roomBytes = Long.MAX_VALUE;
    assertThat(chunks.read(chunks.append(new byte[200_000]))).hasSize(200_000);
  }

  @Test
  void aLargePieceIsWrittenWholeWhateverItsEndIs() {
    for (int length : new int[] {MIB, 2 * MIB + 1, 3 * MIB - 1}) {
      byte[] content = Chunks.content(length, length);
      ChunkWriter writer = EngineFixture.await(chunks.store().append(chunks.owner()));
      EngineFixture.await(writer.write(ByteBuffer.wrap(content)));
      EngineFixture.await(writer.write(ByteBuffer.wrap(content)));
      ChunkRef ref = EngineFixture.await(writer.complete());
      assertThat(chunks.read(ref, 0, length, MIB)).isEqualTo(content);
      assertThat(chunks.read(ref, length, length, MIB)).isEqualTo(content);
    }
  }

  @Test
  void aDiskThatTakesNoBlocksGetsBytes() {
    refusesBlocks = true;
    byte[] content = Chunks.content(2 * MIB + 1, 3);
    assertThat(chunks.read(chunks.append(content))).isEqualTo(content);
  }

  @Test
  void aFullDiskIsAFaultUntilThereIsRoomAgain() {
    roomBytes = 0;
    assertKind(Kind.UNAVAILABLE, () -> chunks.append(new byte[100]));
    assertThat(engine.state().writable()).isTrue();
    assertThat(engine.state().fault()).contains("could not be written: No space left on device");
    roomBytes = Long.MAX_VALUE;
    // Nobody has to write a chunk: the state itself tries it, once a second.
    Awaitility.await().until(() -> engine.state().fault().isEmpty());
    assertThat(folder.resolve("chunks/new")).isEmptyDirectory();
    roomBytes = 0;
    assertKind(Kind.UNAVAILABLE, () -> chunks.append(new byte[100]));
    assertThat(engine.state().fault()).isNotEmpty();
    roomBytes = Long.MAX_VALUE;
    chunks.append(new byte[100]);
    assertThat(engine.state().fault()).isEmpty();
  }

  @Test
  void aShortOrMissingFileIsDamage() throws IOException {
    ChunkRef cut = chunks.append(new byte[100]);
    ChunkRef lost = chunks.append(new byte[100]);
    try (FileChannel file = FileChannel.open(file(cut), StandardOpenOption.WRITE)) {
      file.truncate(99);
    }
    Files.delete(file(lost));
    assertKind(Kind.CORRUPT, () -> EngineFixture.await(chunks.store().open(cut)));
    assertKind(Kind.CORRUPT, () -> EngineFixture.await(chunks.store().open(lost)));
    assertKind(Kind.CORRUPT, () -> EngineFixture.await(chunks.store().copy(lost, chunks.owner())));
    assertThat(chunks.list()).hasSize(2);
    EngineFixture.await(chunks.store().delete(List.of(cut, lost)));
    assertThat(chunks.list()).isEmpty();
  }

  @Test
  void draftsOfWhichNothingWillComeAreRemovedAtTheNextStart() throws IOException {
    ChunkWriter writer = EngineFixture.await(chunks.store().append(chunks.owner()));
    EngineFixture.await(writer.write(ByteBuffer.wrap(new byte[10])));
    ChunkRef announced = chunks.awaitListed().ref();
    Path drafts = folder.resolve("chunks/new");
    Files.write(drafts.resolve("4000000000000123"), new byte[10]);
    ChunkRef complete = chunks.append(new byte[20]);
    Files.createLink(drafts.resolve(name(complete)), file(complete));
    Files.write(drafts.resolve("README"), new byte[10]);
    engine.close();
    open();
    assertThat(files())
        .containsExactlyInAnyOrder(
            drafts.resolve(name(announced)), drafts.resolve("README"), file(complete));
    EngineFixture.await(chunks.store().delete(List.of(announced, complete)));
    assertThat(files()).containsExactly(drafts.resolve("README"));
  }

  @Test
  void writersAreBounded() {
    List<ChunkWriter> writers = new ArrayList<>();
    for (int i = 0; i < ChunkFiles.WRITERS_MAX; i++) {
      writers.add(EngineFixture.await(chunks.store().append(chunks.owner())));
    }
    assertKind(Kind.UNAVAILABLE, () -> EngineFixture.await(chunks.store().append(chunks.owner())));
    writers.remove(0).close();
    EngineFixture.await(writers.remove(0).complete());
    writers.add(EngineFixture.await(chunks.store().append(chunks.owner())));
    writers.add(EngineFixture.await(chunks.store().append(chunks.owner())));
    assertKind(Kind.UNAVAILABLE, () -> EngineFixture.await(chunks.store().append(chunks.owner())));
    writers.forEach(ChunkWriter::close);
    assertThat(chunks.list()).hasSize(1);
  }

  @Test
  void readersAreBounded() {
    ChunkRef ref = chunks.append(new byte[1]);
    List<ChunkReader> readers = new ArrayList<>();
    for (int i = 0; i < ChunkFiles.READERS_MAX; i++) {
      readers.add(EngineFixture.await(chunks.store().open(ref)));
    }
    assertKind(Kind.UNAVAILABLE, () -> EngineFixture.await(chunks.store().open(ref)));
    readers.get(0).close();
    readers.get(0).close();
    readers.set(0, EngineFixture.await(chunks.store().open(ref)));
    assertKind(Kind.UNAVAILABLE, () -> EngineFixture.await(chunks.store().open(ref)));
    readers.forEach(ChunkReader::close);
  }

  private void writeWhileThereIsRoom(FileChannel channel, ByteBuffer bytes) throws IOException {
    if (roomBytes <= 0) {
      throw new IOException("No space left on device");
    }
    if (refusesBlocks && bytes.remaining() % BLOCK_BYTES == 0) {
      throw new IOException("Invalid argument");
    }
    int part = (int) Math.min(roomBytes, bytes.remaining());
    roomBytes -= channel.write(bytes.slice(bytes.position(), part));
    bytes.position(bytes.position() + part);
  }

  private Path file(ChunkRef ref) {
    return folder.resolve("chunks/0000/000").resolve(name(ref));
  }

  private static String name(ChunkRef ref) {
    return HexFormat.of().toHexDigits(ref.number());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("chunks"))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static void assertKind(Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(StorageException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
