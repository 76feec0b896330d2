package io.lazuli.storage.hbase;

import static java.util.Objects.requireNonNull;
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
import io.lazuli.storage.StoredChunk;
import io.lazuli.storage.contract.Chunks;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.contract.ManualClock;
import io.lazuli.storage.hbase.chunk.HBaseChunkStore;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cases that the contract does not cover: the remains of chunks in the cluster, and two servers.
 */
@Timeout(300)
class EngineChunksIT {
  private static final int MIB = 1 << 20;
  private static final long DIRECTORY = Space.number(SpaceKind.CHUNKS, 0);
  private static final long TOMBSTONES = DIRECTORY + 1;

  private final ManualClock clock = new ManualClock();
  private EngineConfig config;

  /** Keeps deleted chunks for the default grace period. */
  private HBaseEngine slowServer;

  /** Another server, which removes deleted chunks at its next step. */
  private HBaseEngine fastServer;

  private Chunks chunks;

  @BeforeEach
  void openTwoServers(@TempDir Path folder) {
    TestCluster.shared().clear();
    config = EngineConfig.of(folder).withTicks(clock);
    slowServer = open(HBaseSettings.DEFAULT.chunkGrace());
    fastServer = open(Duration.ZERO);
    Space owner =
        new Space(
            EngineFixture.await(slowServer.newSpace(SpaceKind.CONTAINER, Deadline.NEVER)),
            EngineFixture.HOME);
    chunks = new Chunks(slowServer.chunks(), new Partition(owner, EngineFixture.bytes("blob")));
  }

  @AfterEach
  void closeBoth() {
    slowServer.close();
    fastServer.close();
  }

  @Test
  void nothingIsLeftOfADeletedChunkAfterTheGrace() {
    ChunkRef complete = chunks.append(new byte[3 * MIB + 1]);
    ChunkRef empty = chunks.append(new byte[0]);
    ChunkWriter writer = EngineFixture.await(chunks.store().append(chunks.owner()));
    EngineFixture.await(writer.write(ByteBuffer.allocate(3 * MIB)));
    ChunkRef unfinished =
        chunks.list().stream().filter(chunk -> !chunk.complete()).findFirst().orElseThrow().ref();
    EngineFixture.await(chunks.store().delete(List.of(complete, empty, unfinished)));
    assertThat(slowServer.chunks().reclaim()).isFalse();
    assertThat(slowServer.storedRecords(complete.number())).isEqualTo(4);
    assertThat(slowServer.storedRecords(DIRECTORY)).isZero();
    assertThat(slowServer.storedRecords(TOMBSTONES)).isEqualTo(3);

    reclaimAll();
    assertThat(slowServer.storedRecords(complete.number())).isZero();
    assertThat(slowServer.storedRecords(unfinished.number())).isZero();
    assertThat(slowServer.storedRecords(TOMBSTONES)).isZero();
    writer.close();
  }

  @Test
  void aChunkThatIsGivenUpLeavesNoCells() {
    ChunkWriter writer = EngineFixture.await(chunks.store().append(chunks.owner()));
    EngineFixture.await(writer.write(ByteBuffer.allocate(4 * MIB + 1)));
    ChunkRef ref = chunks.awaitListed().ref();
    writer.close();
    Awaitility.await().until(() -> slowServer.storedRecords(DIRECTORY) == 0);
    assertThat(slowServer.storedRecords(ref.number())).isZero();
    assertThat(slowServer.storedRecords(TOMBSTONES)).isZero();
  }

  @Test
  void aReaderThatIsSlowerThanTheGraceIsCutOff() {
    ChunkRef ref = chunks.append(Chunks.content(3 * MIB, 1));
    try (ChunkReader reader = requireNonNull(EngineFixture.await(chunks.store().open(ref)))) {
      assertThat(EngineFixture.await(reader.read(0, ByteBuffer.allocate(10)))).isEqualTo(10);
      EngineFixture.await(fastServer.chunks().delete(List.of(ref)));
      reclaimAll();
      assertUnavailable(() -> EngineFixture.await(reader.read(2 * MIB, ByteBuffer.allocate(10))));
    }
  }

  @Test
  void aWriterWhoseChunkAnotherServerDeletedFailsWithinAMinute() {
    ChunkWriter writer = EngineFixture.await(chunks.store().append(chunks.owner()));
    EngineFixture.await(writer.write(ByteBuffer.allocate(2 * MIB)));
    ChunkRef ref = chunks.awaitListed().ref();
    EngineFixture.await(fastServer.chunks().delete(List.of(ref)));
    reclaimAll();
    clock.move(Duration.ofMinutes(1));
    assertUnavailable(() -> EngineFixture.await(writer.write(ByteBuffer.allocate(2 * MIB))));
    Awaitility.await().until(() -> slowServer.storedRecords(ref.number()) == 0);
  }

  @Test
  void aWriterRenewsItsHeaderForOtherServers() {
    try (ChunkWriter writer = EngineFixture.await(chunks.store().append(chunks.owner()))) {
      clock.move(Duration.ofHours(30));
      long before = slowServer.now();
      EngineFixture.await(writer.write(ByteBuffer.allocate(1)));
      StoredChunk seen = EngineFixture.await(fastServer.chunks().list(null, 1)).get(0);
      assertThat(seen.ticks()).isBetween(before, slowServer.now());
    }
  }

  @Test
  void serversSeeEachOthersChunks() {
    byte[] content = Chunks.content(MIB + 5, 2);
    ChunkRef ref = chunks.append(content);
    Chunks other = new Chunks(fastServer.chunks(), chunks.owner());
    assertThat(other.list()).isEqualTo(chunks.list()).hasSize(1);
    assertThat(other.read(ref)).isEqualTo(content);
    ChunkRef copy = EngineFixture.await(other.store().copy(ref, chunks.owner()));
    EngineFixture.await(other.store().delete(List.of(ref)));
    assertThat(EngineFixture.await(chunks.store().open(ref))).isNull();
    assertThat(chunks.read(copy)).isEqualTo(content);
  }

  @Test
  void aChunkOfSeveralPartitionsIsWhatWasWritten() {
    int length = 70 * MIB + 3;
    ChunkRef ref = appendRandom(length, 7);
    assertThat(slowServer.storedRecords(ref.number())).isEqualTo(71);
    Random expected = new Random(7);
    byte[] part = new byte[MIB - 13];
    try (ChunkReader reader = requireNonNull(EngineFixture.await(fastServer.chunks().open(ref)))) {
      for (int at = 0; at < length; at += part.length) {
        expected.nextBytes(part);
        ByteBuffer read = ByteBuffer.allocate(Math.min(part.length, length - at));
        while (read.hasRemaining()) {
          EngineFixture.await(reader.read(at + read.position(), read));
        }
        assertThat(read.flip()).isEqualTo(ByteBuffer.wrap(part, 0, read.limit()));
      }
    }
    EngineFixture.await(chunks.store().delete(List.of(ref)));
    reclaimAll();
    assertThat(slowServer.storedRecords(ref.number())).isZero();
  }

  @Test
  void oneWriterTooManyIsRefusedUntilAPermitIsFree() {
    List<ChunkWriter> writers = new ArrayList<>();
    for (int i = 0; i < HBaseChunkStore.WRITERS_MAX; i++) {
      writers.add(EngineFixture.await(chunks.store().append(chunks.owner())));
    }
    assertUnavailable(() -> EngineFixture.await(chunks.store().append(chunks.owner())));
    EngineFixture.await(writers.get(0).complete());
    writers.set(0, EngineFixture.await(chunks.store().append(chunks.owner())));
    writers.forEach(ChunkWriter::close);
    Awaitility.await().until(() -> chunks.list().size() == 1);
  }

  private ChunkRef appendRandom(int length, long seed) {
    Random random = new Random(seed);
    byte[] part = new byte[MIB - 13];
    try (ChunkWriter writer = EngineFixture.await(chunks.store().append(chunks.owner()))) {
      while (writer.length() < length) {
        random.nextBytes(part);
        int some = (int) Math.min(part.length, length - writer.length());
        EngineFixture.await(writer.write(ByteBuffer.wrap(part, 0, some)));
      }
      return EngineFixture.await(writer.complete());
    }
  }

  private void reclaimAll() {
    while (fastServer.chunks().reclaim()) {
      assertThat(fastServer.storedRecords(TOMBSTONES)).isZero();
    }
  }

  private HBaseEngine open(Duration grace) {
    TestCluster cluster = TestCluster.shared();
    HBaseSettings settings = HBaseSettings.of(cluster.site()).withChunkGrace(grace);
    return HBaseEngine.open(config, cluster.site(), settings);
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));
  }
}
