package io.lazuli.storage.contract;

import static io.lazuli.storage.contract.EngineFixture.await;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.Visit;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Futures: they carry every failure as it is, and those of a local engine are complete. */
interface FutureContract extends EngineUnderTest {
  @Test
  default void aLocalEngineReturnsCompletedFutures() {
    Partition partition = fixture().newPartition();
    fixture().fill(partition, 3, bytes("v"));
    boolean local = !fixture().engine().isShared();
    List<CompletableFuture<?>> futures =
        List.of(
            fixture().engine().read(partition.row(bytes("a")), Deadline.NEVER),
            fixture().engine().exists(partition.space(), Deadline.NEVER),
            fixture().engine().newSpace(SpaceKind.TABLE, Deadline.NEVER),
            fixture().engine().partitionMap(),
            scan(partition, record -> Visit.CONTINUE));
    futures.forEach(future -> complete(future, local));
  }

  @Test
  default void aFailureIsInTheFutureAndNotWrapped() {
    Partition partition = fixture().newPartition();
    Deadline passed = Deadline.after(Duration.ofSeconds(-1));
    List<CompletableFuture<?>> late =
        List.of(
            fixture().engine().read(partition.row(bytes("a")), passed),
            fixture().engine().exists(partition.space(), passed),
            fixture().engine().newSpace(SpaceKind.TABLE, passed),
            fixture().engine().transact(partition, List.of(bytes("a")), passed, view -> 1),
            fixture()
                .engine()
                .scan(
                    partition.space(),
                    List.of(KeyRange.ALL),
                    Direction.FORWARD,
                    passed,
                    record -> Visit.CONTINUE));
    for (CompletableFuture<?> future : late) {
      assertThat(failure(future))
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMEOUT));
    }
  }

  @Test
  default void refusedArgumentsFailTheFuture() {
    Partition partition = fixture().newPartition();
    KeyRange first = KeyRange.ofPartition(bytes("a"));
    KeyRange second = KeyRange.ofPartition(bytes("b"));
    CompletableFuture<?> scan =
        fixture()
            .engine()
            .scan(
                partition.space(),
                List.of(second, first),
                Direction.FORWARD,
                Deadline.NEVER,
                record -> Visit.CONTINUE);
    assertThat(failure(scan)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  default void whateverAVisitorThrowsEndsTheScanAndFailsTheFuture() {
    Partition partition = fixture().newPartition();
    fixture().fill(partition, 5, bytes("v"));
    for (Throwable thrown : List.of(new IllegalStateException("no"), new AssertionError("no"))) {
      int[] shown = new int[1];
      CompletableFuture<?> scan =
          scan(
              partition,
              record -> {
                if (++shown[0] == 2) {
                  throwAsIs(thrown);
                }
                return Visit.CONTINUE;
              });
      assertThat(failure(scan)).isSameAs(thrown);
      assertThat(shown[0]).isEqualTo(2);
    }
  }

  @Test
  default void codeAfterAScanSeesEverythingThatItsVisitorDid() {
    Partition partition = fixture().newPartition();
    fixture().fill(partition, 2_500, bytes("v"));
    // Without a guard on purpose: the engine orders the calls and the completion.
    int[] shown = new int[1];
    Bytes[] last = new Bytes[1];
    RecordVisitor visitor =
        record -> {
          shown[0]++;
          last[0] = Bytes.of(record.row().copy());
          return Visit.CONTINUE;
        };
    String seen = await(scan(partition, visitor).thenApply(done -> shown[0] + " " + last[0]));
    assertThat(seen).isEqualTo("2500 " + EngineFixture.numbered(2_499));
  }

  /** Continuations of remote engines run on its threads; such a thread can go on with a call. */
  @Test
  default void aCallMayFollowACallWithoutWaiting() {
    Partition partition = fixture().newPartition();
    fixture().fill(partition, 20, bytes("v"));
    CompletableFuture<Integer> found = CompletableFuture.completedFuture(0);
    for (int i = 0; i < 20; i++) {
      Bytes row = EngineFixture.numbered(i);
      found =
          found.thenCompose(
              count ->
                  fixture()
                      .engine()
                      .read(partition.row(row), Deadline.NEVER)
                      .thenApply(value -> value == null ? count : count + 1));
    }
    assertThat(await(found)).isEqualTo(20);
  }

  @Test
  default void aLocalStoreOfChunksReturnsCompletedFutures() {
    boolean local = !fixture().engine().isShared();
    Chunks chunks = fixture().chunks();
    byte[] content = Chunks.content(3_000_000, 1);
    ByteBuffer bytes = ByteBuffer.wrap(content);
    ChunkWriter writer = complete(chunks.store().append(chunks.owner()), local);
    complete(writer.write(bytes), local);
    assertThat(bytes.hasRemaining()).isFalse();
    ChunkRef ref = complete(writer.complete(), local);
    try (ChunkReader reader = complete(chunks.store().open(ref), local)) {
      complete(reader.verify(0), local);
      ByteBuffer target = ByteBuffer.allocate(1_000);
      assertThat(complete(reader.read(1_000_000, target), local)).isEqualTo(target.position());
    }
    ChunkRef copy = complete(chunks.store().copy(ref, chunks.owner()), local);
    assertThat(complete(chunks.store().list(null, 10), local)).hasSize(2);
    complete(chunks.store().delete(List.of(ref, copy)), local);
  }

  @Test
  default void failuresOfChunksAreInTheFutureAndNotWrapped() {
    Chunks chunks = fixture().chunks();
    ChunkWriter writer = await(chunks.store().append(chunks.owner()));
    writer.close();
    for (CompletableFuture<?> late :
        List.of(writer.write(ByteBuffer.allocate(1)), writer.complete())) {
      assertThat(failure(late))
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));
    }
  }

  /** Waits for a future, which must be complete already if the engine is local. */
  private static <T> T complete(CompletableFuture<T> future, boolean local) {
    assertThat(future.isDone() || !local).isTrue();
    return await(future);
  }

  private CompletableFuture<?> scan(Partition partition, RecordVisitor visitor) {
    Bytes name = partition.name();
    KeyRange all = new KeyRange(Position.startOf(name), Position.endOf(name));
    return fixture()
        .engine()
        .scan(partition.space(), List.of(all), Direction.FORWARD, Deadline.NEVER, visitor);
  }

  /** Returns the failure as a callback of the future gets it. */
  private static Throwable failure(CompletableFuture<?> future) {
    return await(future.handle((result, failure) -> failure));
  }

  /** Throws an exception or an error that needs no declaration. */
  private static void throwAsIs(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) thrown;
  }
}
