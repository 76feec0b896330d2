package io.lazuli.storage.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngineProvider;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.contract.Chunks;
import io.lazuli.storage.contract.EngineFixture;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The promises of this engine only: its bound in memory, its name. */
final class InMemoryEngineTest {
  private static final Partition HOME = new Partition(Space.CATALOGUE, Bytes.EMPTY);
  private static final Bytes ROW = Bytes.of(new byte[] {'r'});

  private final InMemoryEngine engine =
      new InMemoryEngine(EngineConfig.of(Path.of("unused")).withMemoryBytes(10_000));
  private final Partition partition =
      new Partition(
          new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME),
          ROW);

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void writesPastTheBoundAreRefusedAndDeletesStillPass() {
    change(view -> view.put(ROW, new byte[9_000]));
    assertThatThrownBy(() -> change(view -> view.put(ROW.successor(), new byte[2_000])))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNAVAILABLE));
    assertThat(EngineFixture.await(engine.read(partition.row(ROW.successor()), Deadline.NEVER)))
        .isNull();
    change(view -> view.put(ROW, new byte[8_000]));
    change(view -> view.delete(ROW));
    change(view -> view.put(ROW.successor(), new byte[9_000]));
  }

  @Test
  void aDropMakesRoom() {
    change(view -> view.put(ROW, new byte[9_000]));
    transact(HOME, view -> view.drop(partition.space()));
    await().until(() -> engine.storedRecords(partition.space().number()) == 0);
    Partition other =
        new Partition(
            new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME),
            ROW);
    transact(other, view -> view.put(ROW, new byte[9_000]));
  }

  @Test
  void recordsAndChunksShareTheBound() {
    InMemoryEngine small =
        new InMemoryEngine(EngineConfig.of(Path.of("unused")).withMemoryBytes(200_000));
    Chunks chunks = new Chunks(small.chunks(), partition);
    ChunkRef first = chunks.append(new byte[90_000]);
    ChunkRef second = chunks.append(new byte[60_000]);
    assertThatThrownBy(() -> chunks.append(new byte[60_000])).satisfies(this::isUnavailable);
    assertThatThrownBy(() -> EngineFixture.await(chunks.store().copy(second, partition)))
        .satisfies(this::isUnavailable);
    assertThat(chunks.list()).hasSize(2);
    EngineFixture.await(chunks.store().delete(List.of(first)));
    ChunkRef copy = EngineFixture.await(chunks.store().copy(second, partition));
    assertThat(chunks.read(copy)).hasSize(60_000);
    EngineFixture.await(chunks.store().delete(List.of(second, copy)));
    assertThat(chunks.read(chunks.append(new byte[190_000]))).hasSize(190_000);
    small.close();
  }

  private void isUnavailable(Throwable failure) {
    assertThat(((StorageException) failure).kind()).isEqualTo(StorageException.Kind.UNAVAILABLE);
  }

  @Test
  void aViewIsOfNoUseOnceItsBodyHasReturned() {
    AtomicReference<PartitionView> kept = new AtomicReference<>();
    change(kept::set);
    assertThatThrownBy(() -> kept.get().put(ROW, new byte[1]))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theEngineMayBeClosedByWhatFollowsATransaction() {
    CompletableFuture<Void> closed =
        engine
            .transact(partition, List.of(), Deadline.NEVER, view -> 1)
            .thenAccept(result -> engine.close());
    await().until(closed::isDone);
    assertThat(closed).isCompleted();
  }

  @Test
  void theEngineIsFoundByItsName() {
    assertThat(ServiceLoader.load(StorageEngineProvider.class))
        .extracting(StorageEngineProvider::name)
        .contains("memory");
    try (var opened = new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused")))) {
      assertThat(opened.state().writable()).isTrue();
    }
  }

  @Test
  void unknownSettingsAreRefused() {
    EngineConfig config = EngineConfig.of(Path.of("unused"));
    InMemoryEngineProvider provider = new InMemoryEngineProvider();
    assertThatThrownBy(() -> provider.open(config.withDurability(Durability.REPLICATED)))
        .isInstanceOf(EngineOpenException.class)
        .hasMessage("the engine memory has no durability replicated; it has disk, relaxed");
    assertThatThrownBy(() -> provider.open(config.withEngineConfig(Path.of("site.xml"))))
        .isInstanceOf(EngineOpenException.class)
        .hasMessage("the engine memory reads no settings; leave out site.xml");
  }

  private void change(Consumer<PartitionView> change) {
    transact(partition, change);
  }

  private void transact(Partition where, Consumer<PartitionView> change) {
    try {
      engine
          .transact(
              where,
              List.of(),
              Deadline.NEVER,
              view -> {
                change.accept(view);
                return 1;
              })
          .join();
    } catch (CompletionException e) {
      throw (RuntimeException) e.getCause();
    }
  }
}
