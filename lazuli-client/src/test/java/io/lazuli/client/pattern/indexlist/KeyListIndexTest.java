package io.lazuli.client.pattern.indexlist;

import static io.lazuli.client.pattern.indexlist.Named.JONES;
import static io.lazuli.client.pattern.indexlist.Named.OTHER_JONES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.azure.storage.blob.BlobContainerAsyncClient;
import io.lazuli.client.MadeOnce;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.BlockingThreads;
import io.lazuli.client.fault.Concurrently;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
import io.lazuli.client.pattern.outbox.Index;
import io.lazuli.client.pattern.outbox.Outbox;
import io.lazuli.client.pattern.outbox.OutboxWorker;
import io.lazuli.client.pattern.outbox.Primary;
import io.lazuli.client.pattern.outbox.Work;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

/** Lists in blobs and lists in another table have the same guarantees. */
@MadeOnce
class KeyListIndexTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final EntityKey JONESES = new EntityKey("Sales", "Jones");
  private static final EntityKey SMITHS = new EntityKey("Sales", "Smith");

  private final TestClient client = TestClient.of(ACCOUNT);

  /** Employees, and their lists in both kinds of storage. */
  private record World(Work work, String table, String lists, String container) {
    static World fresh(TestClient client) {
      return new World(
          Work.fresh(client), client.newTable(), client.newTable(), client.newContainer());
    }

    static World withJones(TestClient client) {
      World world = fresh(client);
      world.employees(client).insert(JONES).block();
      world.runUntilEmpty(client);
      return world;
    }

    static World withRename(TestClient client) {
      World world = withJones(client);
      world.rename(client, "Smith");
      return world;
    }

    AsyncPrimaryTable<Named> plain(TestClient client) {
      return AsyncPrimaryTable.of(
          "employee", AsyncTable.of(client.table(table), Named.class), work.outbox(client));
    }

    AsyncPrimaryTable<Named> employees(TestClient client) {
      return plain(client).indexedBy(tableIndex(client)).indexedBy(blobIndex(client));
    }

    private Index<Named, AsyncKeyListIndex<Named>> tableIndex(TestClient client) {
      return AsyncKeyListIndex.inTable("table", client.table(lists), KeyListIndexTest::list);
    }

    private Index<Named, AsyncKeyListIndex<Named>> blobIndex(TestClient client) {
      return AsyncKeyListIndex.inBlobs(
          "blobs", client.container(container), KeyListIndexTest::list);
    }

    AsyncKeyListIndex<Named> inTable(TestClient client) {
      return employees(client).by(tableIndex(client));
    }

    AsyncKeyListIndex<Named> inBlobs(TestClient client) {
      return employees(client).by(blobIndex(client));
    }

    void rename(TestClient client, String name) {
      employees(client).update(JONES.key(), jones -> jones.withName(name)).block();
    }

    void runUntilEmpty(TestClient client) {
      work.runUntilEmpty(client, worker(client));
    }

    void workOnce(TestClient client) {
      worker(client).runUntilEmpty().block();
    }

    private OutboxWorker worker(TestClient client) {
      return work.patientWorker(client, employees(client).step());
    }

    /** Checks that the lists match the primaries, in both kinds of storage. */
    void agree(TestClient client) {
      for (EntityKey list : List.of(JONESES, SMITHS)) {
        List<EntityKey> expected =
            List.of(JONES, OTHER_JONES).stream()
                .filter(employee -> isOn(list, employee.key(), client))
                .map(Named::key)
                .toList();
        assertThat(inTable(client).blocking().keys(list))
            .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(inBlobs(client).blocking().keys(list))
            .containsExactlyInAnyOrderElementsOf(expected);
      }
      assertThat(work.poisoned(client)).isZero();
    }

    private boolean isOn(EntityKey list, EntityKey employee, TestClient client) {
      return plain(client)
          .find(employee)
          .blockOptional()
          .flatMap(KeyListIndexTest::list)
          .filter(list::equals)
          .isPresent();
    }
  }

  private static Optional<EntityKey> list(Named employee) {
    return Optional.of(new EntityKey(employee.department(), employee.lastName()));
  }

  @Test
  void employeesAreFoundByLastNameInAnotherPartition() {
    World world = World.fresh(client);
    AsyncTable<Named> table = AsyncTable.of(client.table(world.table()), Named.class);
    Outbox outbox = world.work().outbox(client);
    BlobContainerAsyncClient container = client.container(world.container());
    // snippet
    Index<Named, AsyncKeyListIndex<Named>> byLastName =
        AsyncKeyListIndex.inBlobs(
            "lastname",
            container,
            employee -> Optional.of(new EntityKey("Sales", employee.lastName())));
    AsyncPrimaryTable<Named> listed =
        AsyncPrimaryTable.of("employee", table, outbox).indexedBy(byLastName);
    listed.blocking().insert(new Named("Sales", "000152", "Jones", 40));
    // end
    listed.insert(OTHER_JONES).block();
    world.work().runUntilEmpty(client, listed.step());
    KeyListIndex<Named> lists = listed.by(byLastName).blocking();
    assertThat(lists.find(JONESES)).containsExactlyInAnyOrder(JONES, OTHER_JONES);
    assertThat(lists.keys(SMITHS)).isEmpty();
    listed.delete(JONES.key()).block();
    assertThat(lists.find(JONESES)).containsExactly(OTHER_JONES);
    world.work().runUntilEmpty(client, listed.step());
    assertThat(lists.keys(JONESES)).containsExactly(OTHER_JONES.key());
  }

  @Test
  void listsInTheTableOfThePrimariesAreNotValues() {
    World world = World.fresh(client);
    Index<Named, AsyncKeyListIndex<Named>> byLastName =
        AsyncKeyListIndex.inTable(
            "lists",
            client.table(world.table()),
            employee -> Optional.of(new EntityKey("A", employee.lastName())));
    AsyncPrimaryTable<Named> employees = world.plain(client).indexedBy(byLastName);
    employees.insert(JONES).block();
    world.work().runUntilEmpty(client, employees.step());
    assertThat(employees.query(Query.all().top(1)).toStream()).containsExactly(JONES);
    assertThat(employees.by(byLastName).blocking().find(new EntityKey("A", "Jones")))
        .containsExactly(JONES);
  }

  @Test
  void aRenameReachesTheListsWhereverTheClientDies() {
    int requests =
        Faults.in(ACCOUNT, World::withJones)
            .forEveryCut(
                (world, mortal) -> world.rename(mortal, "Smith"),
                World::runUntilEmpty,
                World::agree);
    assertThat(requests).isEqualTo(4);
  }

  @Test
  void aRenameReachesTheListsWhereverTheWorkerDies() {
    int requests =
        Faults.in(ACCOUNT, World::withRename)
            .forEveryCut(World::workOnce, World::runUntilEmpty, World::agree);
    assertThat(requests)
        .as("receive, read, 3 for each of 4 lists, settle, delete, empty receive")
        .isEqualTo(2 + 4 * 3 + 3);
  }

  @Test
  void concurrentClientsAndWorkersLeaveListsThatAgree() {
    World world = World.fresh(client);
    long seed = System.nanoTime();
    Concurrently.run(
        4,
        actor -> {
          TestClient mine = TestClient.of(ACCOUNT);
          Random random = new Random(seed + actor);
          for (int i = 0; i < 6; i++) {
            if (actor < 2) {
              act(random, world.employees(mine));
            } else {
              world.workOnce(mine);
            }
          }
        });
    world.runUntilEmpty(client);
    assertThatCode(() -> world.agree(client)).as("seed %d", seed).doesNotThrowAnyException();
  }

  /** Includes messages that are repeated or arrive late. */
  private static void act(Random random, AsyncPrimaryTable<Named> employees) {
    Named employee = random.nextBoolean() ? JONES : OTHER_JONES;
    String name = random.nextBoolean() ? "Jones" : "Smith";
    switch (random.nextInt(5)) {
      case 0 -> employees.delete(employee.key()).block();
      case 1 -> employees.refresh(employee.key()).block();
      default -> employees.put(employee.withName(name)).block();
    }
  }

  @Test
  void aMessageOfAnOlderVersionChangesNothing() {
    World world = World.withRename(client);
    world.runUntilEmpty(client);
    Primary<Named> older = new Primary<>(JONES.key(), 1, Optional.of(JONES));
    world.inTable(client).update(older).block();
    world.inBlobs(client).update(older).block();
    world.inTable(client).removeCopy(SMITHS, older).block();
    world.inBlobs(client).removeCopy(SMITHS, older).block();
    world.agree(client);
    assertThat(world.inTable(client).blocking().keys(SMITHS)).containsExactly(JONES.key());
  }

  /** Lists that run an event once between reading the primary and writing the list. */
  private record Interrupted(KeyLists lists, AtomicBoolean once, Runnable event)
      implements KeyLists {
    @Override
    public Mono<Stored> read(EntityKey list) {
      return lists.read(list);
    }

    @Override
    public Mono<Boolean> write(EntityKey list, Stored before, KeyList next) {
      Mono<?> first =
          Mono.fromRunnable(once.getAndSet(false) ? event : () -> {})
              .subscribeOn(BlockingThreads.get());
      return first.then(Mono.defer(() -> lists.write(list, before, next)));
    }

    @Override
    public Mono<Long> sweep(Duration age) {
      return lists.sweep(age);
    }
  }

  private static List<Function<World, KeyLists>> storages(TestClient client) {
    return List.of(
        world ->
            new TableKeyLists(
                AsyncTable.of(client.table(world.lists()), EntityCodec.dynamic()),
                "table",
                new ListEntities(Optional.empty()),
                Clock.systemUTC()),
        world -> new BlobKeyLists(client.container(world.container()), Clock.systemUTC()));
  }

  /** Runs a worker for a list, with an event between its reading and its writing. */
  private void slowly(World world, KeyLists lists, Runnable event) {
    Primary<Named> primary = new Primary<>(JONES.key(), 1, Optional.of(JONES));
    new AsyncKeyListIndex<>(
            world.plain(client),
            "slow",
            new Interrupted(lists, new AtomicBoolean(true), event),
            KeyListIndexTest::list)
        .removeCopy(JONESES, primary)
        .block();
    world.agree(client);
  }

  @Test
  void aWorkerThatReadThePrimaryBeforeARenameDoesNotUndoIt() {
    for (Function<World, KeyLists> lists : storages(client)) {
      World world = World.fresh(client);
      world.employees(client).insert(JONES).block();
      slowly(
          world,
          lists.apply(world),
          () -> {
            world.rename(client, "Smith");
            world.runUntilEmpty(client);
          });
    }
  }

  @Test
  void aWorkerThatReadThePrimaryAfterARenameDoesNotUndoTheNextOne() {
    for (Function<World, KeyLists> lists : storages(client)) {
      World world = World.withJones(client);
      world.rename(client, "Smith");
      slowly(
          world,
          lists.apply(world),
          () -> {
            world.rename(client, "Jones");
            world.runUntilEmpty(client);
          });
    }
  }

  @Test
  void emptyListsAreSweptWhenTheyAreOld() {
    World world = World.withRename(client);
    world.runUntilEmpty(client);
    AsyncKeyListIndex<Named> inTable = world.inTable(client);
    AsyncKeyListIndex<Named> inBlobs = world.inBlobs(client);
    assertThat(inTable.sweep(Duration.ofHours(1)).block()).isZero();
    assertThat(inBlobs.sweep(Duration.ofHours(1)).block()).isZero();
    Duration inAnHour = Duration.ofHours(-1);
    assertThat(inTable.sweep(inAnHour).block()).isEqualTo(1);
    assertThat(inBlobs.sweep(inAnHour).block()).isEqualTo(1);
    world.agree(client);
    assertThat(inTable.collect().block()).isZero();
  }
}
