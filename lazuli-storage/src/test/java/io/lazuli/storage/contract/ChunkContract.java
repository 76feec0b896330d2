package io.lazuli.storage.contract;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.StoredChunk;
import io.lazuli.storage.Ticks;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks: written, read, copied, deleted, listed. */
interface ChunkContract extends EngineUnderTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_536, 65_537, 1 << 20, (5 << 20) + 7})
  default void aChunkIsWhatWasWritten(int length) {
    byte[] content = Chunks.content(length, length);
    ChunkRef ref = chunks().append(content);
    assertThat(chunks().read(ref)).isEqualTo(content);
    assertThat(chunks().read(ref, 0, length, 1_000)).isEqualTo(content);
  }

  @Test
  default void writesOfAnySizeAreOneChunk() {
    byte[] content = Chunks.content(3 << 20, 1);
    Random random = new Random(1);
    ChunkRef ref;
    try (ChunkWriter writer = EngineFixture.await(chunks().store().append(chunks().owner()))) {
      for (int at = 0; at < content.length; ) {
        int part = Math.min(content.length - at, random.nextInt(200_000));
        ByteBuffer direct = ByteBuffer.allocateDirect(part + 2).position(1);
        direct.put(content, at, part).flip().position(1);
        EngineFixture.await(writer.write(direct));
        assertThat(direct.hasRemaining()).isFalse();
        at += part;
        assertThat(writer.length()).isEqualTo(at);
      }
      ref = EngineFixture.await(writer.complete());
    }
    assertThat(chunks().read(ref)).isEqualTo(content);
  }

  @Test
  default void rangesAreRead() {
    int length = (2 << 20) + 11;
    byte[] content = Chunks.content(length, 2);
    ChunkRef ref = chunks().append(content);
    int[][] ranges = {
      {0, 1}, {1, 1}, {65_535, 2}, {(1 << 20) - 1, 3}, {length - 1, 1}, {100, 1 << 20}, {5, length}
    };
    for (int[] range : ranges) {
      int end = Math.min(length, range[0] + range[1]);
      assertThat(chunks().read(ref, range[0], range[1], 70_000))
          .isEqualTo(Arrays.copyOfRange(content, range[0], end));
    }
    try (ChunkReader reader = EngineFixture.await(chunks().store().open(ref))) {
      assertThat(reader.length()).isEqualTo(length);
      assertThat(EngineFixture.await(reader.read(length, ByteBuffer.allocate(1)))).isEqualTo(-1);
      assertThat(EngineFixture.await(reader.read(Long.MAX_VALUE, ByteBuffer.allocate(1))))
          .isEqualTo(-1);
    }
  }

  @Test
  default void theOwnerHasNoGate() {
    Partition owner = chunks().owner();
    long gate = Space.number(SpaceKind.GATE, 1);
    Partition gated =
        new Partition(new Space(owner.space().number(), owner.space().home(), gate), owner.name());
    try (ChunkWriter writer = EngineFixture.await(chunks().store().append(gated))) {
      EngineFixture.await(writer.write(ByteBuffer.wrap(new byte[1])));
      EngineFixture.await(writer.complete());
    }
    assertThat(chunks().awaitListed().owner().space().gate()).isZero();
  }

  @Test
  default void aChunkIsNotThereBeforeItIsCompleted() {
    try (ChunkWriter writer = EngineFixture.await(chunks().store().append(chunks().owner()))) {
      EngineFixture.await(writer.write(ByteBuffer.wrap(new byte[100])));
      StoredChunk listed = chunks().awaitListed();
      assertThat(listed.complete()).isFalse();
      assertThat(EngineFixture.await(chunks().store().open(listed.ref()))).isNull();
      assertThat(EngineFixture.await(chunks().store().copy(listed.ref(), chunks().owner())))
          .isNull();
      assertThat(EngineFixture.await(writer.complete())).isEqualTo(listed.ref());
      assertThat(chunks().read(listed.ref())).hasSize(100);
    }
  }

  @Test
  default void nothingIsLeftOfAChunkThatWasGivenUp() {
    ChunkWriter writer = EngineFixture.await(chunks().store().append(chunks().owner()));
    EngineFixture.await(writer.write(ByteBuffer.wrap(new byte[100_000])));
    ChunkRef ref = chunks().awaitListed().ref();
    writer.close();
    writer.close();
    assertThat(chunks().awaitListed(0)).isEmpty();
    assertThat(EngineFixture.await(chunks().store().open(ref))).isNull();
    assertKind(
        Kind.UNAVAILABLE, () -> EngineFixture.await(writer.write(ByteBuffer.wrap(new byte[1]))));
    assertKind(Kind.UNAVAILABLE, () -> EngineFixture.await(writer.complete()));
    assertThat(chunks().list()).isEmpty();
  }

  @Test
  default void aCompletedChunkStaysWhenItsWriterIsClosed() {
    ChunkWriter writer = EngineFixture.await(chunks().store().append(chunks().owner()));
    EngineFixture.await(writer.write(ByteBuffer.wrap(new byte[10])));
    ChunkRef ref = EngineFixture.await(writer.complete());
    writer.close();
    assertThat(chunks().read(ref)).hasSize(10);
  }

  @Test
  default void aCopyIsIndependentOfItsOriginal() {
    byte[] content = Chunks.content(200_000, 3);
    Partition other = new Partition(chunks().owner().space(), bytes("other"));
    ChunkRef ref = chunks().append(content);
    ChunkRef copy = EngineFixture.await(chunks().store().copy(ref, other));
    ChunkRef copyOfCopy = EngineFixture.await(chunks().store().copy(copy, chunks().owner()));
    assertThat(List.of(ref, copy, copyOfCopy)).doesNotHaveDuplicates();
    assertThat(chunks().list())
        .extracting(StoredChunk::owner)
        .containsExactlyInAnyOrder(chunks().owner(), other, chunks().owner());
    EngineFixture.await(chunks().store().delete(List.of(ref)));
    assertThat(chunks().read(copy)).isEqualTo(content);
    EngineFixture.await(chunks().store().delete(List.of(copy)));
    assertThat(chunks().read(copyOfCopy)).isEqualTo(content);
    assertThat(EngineFixture.await(chunks().store().copy(ref, other))).isNull();
  }

  @Test
  default void deletedChunksAreGoneAndMayBeDeletedAgain() {
    List<ChunkRef> refs = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      refs.add(chunks().append(Chunks.content(1_000, i)));
    }
    List<ChunkRef> deleted = refs.subList(0, 9);
    for (int i = 0; i < 2; i++) {
      EngineFixture.await(chunks().store().delete(deleted));
      assertThat(chunks().list()).extracting(StoredChunk::ref).containsExactly(refs.get(9));
    }
    for (ChunkRef ref : deleted) {
      assertThat(EngineFixture.await(chunks().store().open(ref))).isNull();
    }
    assertThat(chunks().read(refs.get(9))).isEqualTo(Chunks.content(1_000, 9));
  }

  @Test
  default void aReaderIsNotDisturbedByTheDeletionOfItsChunk() {
    byte[] content = Chunks.content(3 << 20, 4);
    ChunkRef ref = chunks().append(content);
    try (ChunkReader reader = EngineFixture.await(chunks().store().open(ref))) {
      ByteBuffer target = ByteBuffer.allocate(content.length);
      target.limit(100_000);
      Chunks.fill(reader, 0, target);
      EngineFixture.await(chunks().store().delete(List.of(ref)));
      assertThat(EngineFixture.await(chunks().store().open(ref))).isNull();
      target.limit(content.length);
      Chunks.fill(reader, 100_000, target);
      assertThat(target.array()).isEqualTo(content);
    }
  }

  @Test
  default void aWriterOfADeletedChunkFails() {
    ChunkWriter writer = EngineFixture.await(chunks().store().append(chunks().owner()));
    EngineFixture.await(writer.write(ByteBuffer.wrap(new byte[100])));
    EngineFixture.await(chunks().store().delete(List.of(chunks().awaitListed().ref())));
    assertKind(
        Kind.UNAVAILABLE,
        () -> {
          EngineFixture.await(writer.write(ByteBuffer.wrap(new byte[100])));
          EngineFixture.await(writer.complete());
        });
    writer.close();
    assertThat(chunks().list()).isEmpty();
  }

  @Test
  default void listsShowOwnersAndTimes() {
    Partition second =
        new Partition(
            new Space(
                EngineFixture.await(
                    fixture().engine().newSpace(SpaceKind.CONTAINER, Deadline.NEVER)),
                HOME),
            bytes(0, 1, 255, 'x'));
    ChunkRef first = chunks().append(new byte[5]);
    long firstTicks = fixture().engine().now();
    fixture().clock().move(Duration.ofHours(2));
    try (ChunkWriter writer = EngineFixture.await(chunks().store().append(second))) {
      fixture().clock().move(Duration.ofHours(3));
      EngineFixture.await(writer.write(ByteBuffer.wrap(new byte[100])));
      long lastByteTicks = fixture().engine().now();
      fixture().clock().move(Duration.ofHours(4));
      List<StoredChunk> both = chunks().awaitListed(2);
      StoredChunk unfinished = both.get(both.get(0).complete() ? 1 : 0);
      assertThat(unfinished)
          .isEqualTo(new StoredChunk(unfinished.ref(), second, false, lastByteTicks, 0));
      EngineFixture.await(writer.complete());
      assertThat(chunks().list())
          .containsExactlyInAnyOrder(
              new StoredChunk(first, chunks().owner(), true, firstTicks, 5),
              new StoredChunk(
                  unfinished.ref(),
                  second,
                  true,
                  lastByteTicks + 4 * 3600 * Ticks.PER_SECOND,
                  100));
    }
  }

  @Test
  default void pagesOfAListShowEveryChunkOnce() {
    List<ChunkRef> refs = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      refs.add(chunks().append(new byte[i]));
    }
    assertThat(EngineFixture.await(chunks().store().list(null, 25))).hasSize(25);
    List<ChunkRef> seen = new ArrayList<>();
    List<StoredChunk> page = EngineFixture.await(chunks().store().list(null, 7));
    while (!page.isEmpty()) {
      page.forEach(chunk -> seen.add(chunk.ref()));
      ChunkRef last = page.get(page.size() - 1).ref();
      // A listing can continue after a chunk that was deleted.
      EngineFixture.await(chunks().store().delete(List.of(last)));
      page = EngineFixture.await(chunks().store().list(last, 7));
    }
    assertThat(seen).containsExactlyInAnyOrderElementsOf(refs);
  }

  @Test
  default void chunksAreNotDroppedWithTheSpaceOfTheirOwner() {
    ChunkRef ref = chunks().append(new byte[100]);
    fixture().drop(chunks().owner().space());
    assertThat(chunks().read(ref)).hasSize(100);
    assertThat(chunks().list()).hasSize(1);
  }

  @Test
  default void manyThreadsWriteReadCopyAndDelete() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    Chunks chunks = chunks();
    List<Callable<List<ChunkRef>>> tasks = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int seed = i;
      tasks.add(() -> keepEveryThird(chunks, seed));
    }
    List<ChunkRef> kept = new ArrayList<>();
    for (Future<List<ChunkRef>> task : threads.invokeAll(tasks)) {
      kept.addAll(task.get(30, TimeUnit.SECONDS));
    }
    threads.shutdown();
    assertThat(kept).hasSize(8 * 10).doesNotHaveDuplicates();
    assertThat(chunks().list())
        .extracting(StoredChunk::ref)
        .containsExactlyInAnyOrderElementsOf(kept);
  }

  private static List<ChunkRef> keepEveryThird(Chunks chunks, int seed) {
    List<ChunkRef> kept = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      byte[] content = Chunks.content(1 + 10_000 * (i % 10), 100 * seed + i);
      ChunkRef ref = chunks.append(content);
      ChunkRef copy = EngineFixture.await(chunks.store().copy(ref, chunks.owner()));
      EngineFixture.await(chunks.store().delete(List.of(ref)));
      assertThat(chunks.read(copy)).isEqualTo(content);
      if (i % 3 == 0) {
        kept.add(copy);
      } else {
        EngineFixture.await(chunks.store().delete(List.of(copy)));
      }
    }
    return kept;
  }

  @Test
  default void aClosedEngineHasNoChunks() {
    ChunkRef ref = chunks().append(new byte[10]);
    Chunks chunks = chunks();
    ChunkWriter writer = EngineFixture.await(chunks.store().append(chunks.owner()));
    fixture().engine().close();
    assertKind(Kind.CLOSED, () -> EngineFixture.await(chunks.store().append(chunks.owner())));
    assertKind(Kind.CLOSED, () -> EngineFixture.await(chunks.store().open(ref)));
    assertKind(Kind.CLOSED, () -> EngineFixture.await(chunks.store().copy(ref, chunks.owner())));
    assertKind(Kind.CLOSED, () -> EngineFixture.await(chunks.store().delete(List.of(ref))));
    assertKind(Kind.CLOSED, () -> EngineFixture.await(chunks.store().list(null, 1)));
    assertKind(Kind.CLOSED, () -> EngineFixture.await(writer.write(ByteBuffer.wrap(new byte[1]))));
    writer.close();
  }

  /** The chunks of this test's engine. */
  default Chunks chunks() {
    return fixture().chunks();
  }

  private static void assertKind(Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(StorageException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
