package io.lazuli.storage.rocksdb;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.contract.Chunks;
import io.lazuli.storage.contract.EngineFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No read returns a byte of a damaged block, however it reads and whatever was read before. */
final class DamagedChunkTest {
  private static final int MIB = 1 << 20;
  private static final int LENGTH = 3 * MIB + 100;
  private static final byte[] CONTENT = Chunks.content(LENGTH, 2);

  @TempDir Path folder;
  private RocksDbEngine engine;
  private Chunks chunks;
  private ChunkRef ref;

  @BeforeEach
  void write() {
    engine =
        RocksDbEngine.open(
            EngineConfig.of(folder).withMemoryBytes(32 << 20).withDurability(Durability.RELAXED));
    Space space =
        new Space(EngineFixture.await(engine.newSpace(SpaceKind.CONTAINER, Deadline.NEVER)), HOME);
    chunks = new Chunks(engine.chunks(), new Partition(space, bytes("blob")));
    ref = chunks.append(CONTENT);
    assertThat(chunks.read(ref)).isEqualTo(CONTENT);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void everyRangeOfADamagedBlockFailsAndEveryOtherIsRead() throws IOException {
    flip(MIB + 500);
    flip(LENGTH - 1);
    for (int part : new int[] {7, 1_000, 64 << 10, 70_000, MIB, LENGTH}) {
      assertRead(0, MIB, part);
      assertRead(2 * MIB + 5, MIB - 5, part);
      for (int[] range :
          new int[][] {{MIB, 1}, {MIB + 499, 2}, {2 * MIB - 1, 1}, {LENGTH - 1, 1}}) {
        assertCorrupt(() -> chunks.read(ref, range[0], range[1], part));
      }
      assertCorrupt(() -> chunks.read(ref, 0, LENGTH, part));
    }
  }

  @Test
  void nothingOfADamagedBlockIsReturned() throws IOException {
    for (int part : new int[] {1_000, 64 << 10, MIB}) {
      flip(2 * MIB - 1);
      ByteBuffer read = ByteBuffer.allocate(LENGTH);
      try (ChunkReader reader = EngineFixture.await(chunks.store().open(ref))) {
        assertCorrupt(() -> readInParts(reader, read, part));
      }
      assertThat(read.position()).isEqualTo(MIB);
      flip(2 * MIB - 1);
      assertRead(0, LENGTH, part);
    }
  }

  /** The block was checked when its first bytes were read, and changes on disk after that. */
  @Test
  void damageWhileABlockIsReadIsSeen() throws IOException {
    try (ChunkReader reader = EngineFixture.await(chunks.store().open(ref))) {
      ByteBuffer piece = ByteBuffer.allocateDirect(64 << 10);
      assertThat(EngineFixture.await(reader.read(0, piece))).isEqualTo(64 << 10);
      flip(500_000);
      assertCorrupt(() -> readInParts(reader, ByteBuffer.allocate(MIB), 64 << 10));
    }
  }

  @Test
  void theBlockOfTheFirstByteCanBeCheckedBeforeAnythingIsRead() throws IOException {
    flip(MIB + 1);
    try (ChunkReader reader = EngineFixture.await(chunks.store().open(ref))) {
      EngineFixture.await(reader.verify(0));
      EngineFixture.await(reader.verify(LENGTH - 1));
      EngineFixture.await(reader.verify(LENGTH));
      assertCorrupt(() -> EngineFixture.await(reader.verify(2 * MIB - 1)));
    }
  }

  @Test
  void noCopyIsMadeOfADamagedChunk() throws IOException {
    ChunkRef copy = EngineFixture.await(chunks.store().copy(ref, chunks.owner()));
    flip(LENGTH - 1);
    assertCorrupt(() -> EngineFixture.await(chunks.store().copy(ref, chunks.owner())));
    // The copy is a link to the same file.
    assertCorrupt(() -> chunks.read(copy, LENGTH - 1, 1, 1));
    assertThat(chunks.list()).hasSize(2);
  }

  @Test
  void aFileThatIsCutWhileItIsOpenIsDamage() throws IOException {
    try (ChunkReader reader = EngineFixture.await(chunks.store().open(ref));
        FileChannel file = FileChannel.open(file(), StandardOpenOption.WRITE)) {
      file.truncate(2 * MIB + 5);
      EngineFixture.await(reader.verify(0));
      assertCorrupt(() -> EngineFixture.await(reader.verify(2 * MIB)));
    }
  }

  @Test
  void damageIsAFaultUntilTheChunkIsDeleted() throws IOException {
    assertThat(engine.state().fault()).isEmpty();
    flip(MIB + 500);
    assertCorrupt(() -> chunks.read(ref));
    assertCorrupt(() -> chunks.read(ref));
    assertThat(engine.state().writable()).isTrue();
    assertThat(engine.state().fault())
        .contains("1 damaged chunks, found 2 times: chunk ")
        .contains(file().toString())
        .contains("offset " + MIB);
    chunks.append(new byte[10]);
    assertThat(engine.state().fault()).isNotEmpty();
    EngineFixture.await(chunks.store().delete(List.of(ref)));
    assertThat(engine.state().fault()).isEmpty();
  }

  @Test
  void everyFlippedBitIsSeen() throws IOException {
    long seed = Long.getLong("lazuli.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      int at = random.nextInt(LENGTH);
      int from = at - random.nextInt(Math.min(at + 1, MIB));
      flip(at);
      assertThatThrownBy(() -> chunks.read(ref, from, LENGTH - from, 1 + random.nextInt(200_000)))
          .as("bit in byte %d, read from %d, -Dlazuli.seed=%d", at, from, seed)
          .isInstanceOf(StorageException.class);
      flip(at);
    }
    assertRead(0, LENGTH, MIB);
  }

  private static void readInParts(ChunkReader reader, ByteBuffer target, int part) {
    while (target.hasRemaining()) {
      target.limit(Math.min(target.capacity(), target.position() + part));
      int read = EngineFixture.await(reader.read(target.position(), target));
      target.limit(target.capacity());
      assertThat(read).isPositive();
    }
  }

  private void assertRead(int from, int length, int part) {
    assertThat(chunks.read(ref, from, length, part))
        .isEqualTo(Arrays.copyOfRange(CONTENT, from, from + length));
  }

  private void flip(long at) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, at);
      one.put(0, (byte) (one.get(0) ^ 4));
      channel.write(one.flip(), at);
    }
  }

  private Path file() {
    return folder.resolve("chunks/0000/000").resolve(HexFormat.of().toHexDigits(ref.number()));
  }

  private static void assertCorrupt(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT));
  }
}
