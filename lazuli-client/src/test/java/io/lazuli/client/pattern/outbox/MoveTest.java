package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.storage.queue.QueueAsyncClient;
import io.lazuli.client.MadeOnce;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.NotFound;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@MadeOnce
class MoveTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final EntityKey SALES = Employee.JONES.key();
  private static final EntityKey MARKETING = new EntityKey("Marketing", "000223");
  private static final Employee MOVED = Employee.JONES.withDepartment("Marketing");

  private final TestClient client = TestClient.of(ACCOUNT);

  /** Employees of all departments in one table, with an index by e-mail, and an archive. */
  private record World(Work work, String table, String archive) {
    static World fresh(TestClient client) {
      return new World(Work.fresh(client), client.newTable(), client.newTable());
    }

    static World withJones(TestClient client) {
      World world = fresh(client);
      world.employees(client).insert(Employee.JONES).block();
      world.runUntilEmpty(client);
      return world;
    }

    private AsyncPrimaryTable<Employee> table(TestClient client, String kind, String name) {
      return AsyncPrimaryTable.of(
          kind, AsyncTable.of(client.table(name), Employee.class), work.outbox(client));
    }

    AsyncPrimaryTable<Employee> employees(TestClient client) {
      return table(client, "employee", table)
          .indexedBy(
              "email",
              client.table(table),
              employee -> Optional.of(new EntityKey("email", employee.email())));
    }

    AsyncPartitionIndex<Employee> byEmail(TestClient client) {
      return employees(client).by("email");
    }

    AsyncPrimaryTable<Employee> archive(TestClient client) {
      return table(client, "archive", archive);
    }

    AsyncMove<Employee> transfer(TestClient client) {
      return AsyncMove.of(
          "transfer",
          employees(client),
          employees(client),
          (employee, key) -> employee.withDepartment(key.partitionKey()));
    }

    AsyncMove<Employee> retire(TestClient client) {
      return AsyncMove.archiving("retire", employees(client), archive(client));
    }

    IdempotentStep step(TestClient client) {
      return IdempotentStep.byKind(
          Map.of(
              "employee", employees(client).step(),
              "transfer", transfer(client).step(),
              "retire", retire(client).step()));
    }

    void runUntilEmpty(TestClient client) {
      work.runUntilEmpty(client, step(client));
    }

    void workOnce(TestClient client) {
      work.worker(client, step(client)).runUntilEmpty().block();
    }

    List<Employee> all(TestClient client) {
      return Stream.concat(
              employees(client).query(Query.all()).toStream(),
              archive(client).query(Query.all()).toStream())
          .toList();
    }

    /** Checks that the entity exists once, and that the index has its key. */
    void isOnce(TestClient client) {
      assertThat(all(client)).hasSize(1);
      assertThat(byEmail(client).query(Query.partition("email")).toStream())
          .containsExactlyElementsOf(employees(client).query(Query.all()).toStream().toList());
      assertThat(work.poisoned(client)).isZero();
    }
  }

  private static World decided(TestClient client) {
    World world = World.withJones(client);
    world.transfer(client).move(SALES, MARKETING).block();
    return world;
  }

  @Test
  void anEntityHasOneKeyWhereverTheClientDies() {
    int requests =
        Faults.in(ACCOUNT, World::withJones)
            .forEveryCut(
                (world, mortal) -> world.transfer(mortal).move(SALES, MARKETING).block(),
                World::runUntilEmpty,
                World::isOnce);
    assertThat(requests).isEqualTo(5);
  }

  @Test
  void anEntityHasItsNewKeyWhereverTheWorkerDies() {
    int requests =
        Faults.in(ACCOUNT, MoveTest::decided)
            .forEveryCut(
                World::workOnce,
                World::runUntilEmpty,
                (world, live) -> {
                  world.isOnce(live);
                  assertThat(world.all(live)).containsExactly(MOVED);
                });
    assertThat(requests)
        .as("receive, 4 for the move, 5 and 3 for the indexes, delete, empty receive")
        .isEqualTo(15);
  }

  @Test
  void anArchivedEntityIsInTheArchiveWhereverTheWorkerDies() {
    Faults.in(
            ACCOUNT,
            live -> {
              World world = World.withJones(live);
              world.retire(live).move(SALES).block();
              return world;
            })
        .forEveryCut(
            World::workOnce,
            World::runUntilEmpty,
            (world, live) -> {
              world.isOnce(live);
              assertThat(world.archive(live).find(SALES).blockOptional()).contains(Employee.JONES);
            });
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aMoveWithoutTargetsCostsTheWorkerFourRequestsPlusTheMessage() {
    World world = World.fresh(client);
    AsyncPrimaryTable<Employee> bare = world.table(client, "employee", world.table());
    AsyncMove<Employee> retire = AsyncMove.archiving("retire", bare, world.archive(client));
    bare.insert(Employee.JONES).block();
    world.runUntilEmpty(client);
    assertThat(client.count(() -> retire.move(SALES).block())).isEqualTo(5);
    OutboxWorker worker = world.work().worker(client, retire.step());
    assertThat(client.count(() -> worker.runUntilEmpty().block()))
        .as("and an empty receive")
        .isEqualTo(7);
    assertThat(world.all(client)).containsExactly(Employee.JONES);
  }

  @Test
  void anEntityThatIsBeingMovedIsFrozen() {
    World world = decided(client);
    assertThatThrownBy(() -> world.employees(client).put(Employee.JONES).block())
        .isInstanceOf(MovingFailure.class);
    assertThatThrownBy(() -> world.transfer(client).move(SALES, new EntityKey("IT", "1")).block())
        .isInstanceOf(MovingFailure.class);
    world.transfer(client).move(SALES, MARKETING).block();
    world.runUntilEmpty(client);
    world.isOnce(client);
  }

  @Test
  void anExistingEntityIsMovedToAFreeKeyOnly() {
    World world = World.withJones(client);
    world.employees(client).insert(MOVED.withEmail("other")).block();
    assertThatThrownBy(() -> world.transfer(client).move(SALES, MARKETING).block())
        .isInstanceOf(AlreadyExists.class);
    assertThatThrownBy(
            () -> world.transfer(client).move(new EntityKey("IT", "1"), MARKETING).block())
        .isInstanceOf(NotFound.class);
    assertThatThrownBy(() -> world.transfer(client).move(SALES, SALES).block())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aMoveToAKeyThatIsTakenGoesToThePoisonQueue() {
    World world = decided(client);
    world.employees(client).insert(MOVED.withEmail("other")).block();
    world.work().runUntilPoisoned(client, world.step(client));
    assertThat(world.work().poisoned(client)).satisfies(MoveTest::isOneMessage);
    assertThat(world.employees(client).find(SALES).blockOptional()).contains(Employee.JONES);
    world.employees(client).delete(MARKETING).block();
    assertThat(sentBack(world)).satisfies(MoveTest::isOneMessage);
    world.runUntilEmpty(client);
    world.isOnce(client);
    assertThat(world.all(client)).containsExactly(MOVED);
  }

  /** A message whose response was lost is sent twice. */
  private static void isOneMessage(long messages) {
    assertThat(messages).isBetween(1L, ACCOUNT.isRehearsed() ? Long.MAX_VALUE : 1L);
  }

  /** Empties the poison queue. A message whose delivery was not answered is hidden for a while. */
  private long sentBack(World world) {
    PoisonQueue poison = PoisonQueue.of(client.queue(world.work().poison()));
    QueueAsyncClient workers = client.queue(world.work().queue());
    long sent = poison.sendBack(workers).blockOptional().orElseThrow();
    while (ACCOUNT.isRehearsed() && world.work().poisoned(client) > 0) {
      Awaitility.await().until(() -> poison.peek().hasElements().block(), isVisible -> isVisible);
      sent += poison.sendBack(workers).blockOptional().orElseThrow();
    }
    return sent;
  }

  @Test
  void anEntityCanMoveBack() {
    World world = decided(client);
    world.runUntilEmpty(client);
    world.employees(client).update(MARKETING, jones -> jones.withSalary(7)).block();
    world.transfer(client).move(MARKETING, SALES).block();
    world.runUntilEmpty(client);
    world.isOnce(client);
    assertThat(world.all(client)).containsExactly(Employee.JONES.withSalary(7));
    assertThat(world.employees(client).sweep(Duration.ofSeconds(-5)).block()).isEqualTo(1);
  }

  /** Two clients move one entity around and raise its salary, while two workers work. */
  @Test
  void movesNeitherLoseNorDuplicateEntities() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("movesNeitherLoseNorDuplicateEntities: seed " + seed);
    World world = World.withJones(client);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    int raises;
    try {
      List<Future<Integer>> clients =
          List.of(
              threads.submit(moves(world, new Random(seed))),
              threads.submit(moves(world, new Random(seed + 1))));
      OutboxWorker first = world.work().patientWorker(client, world.step(client));
      OutboxWorker second = world.work().patientWorker(client, world.step(client));
      try (first;
          second) {
        first.start();
        second.start();
        raises = clients.get(0).get() + clients.get(1).get();
      }
    } finally {
      threads.shutdownNow();
    }
    world.work().runUntilEmpty(client, world.work().patientWorker(client, world.step(client)));
    assertThat(world.all(client))
        .singleElement()
        .satisfies(jones -> assertThat(jones.salary()).isEqualTo(1 + raises));
    assertThat(world.byEmail(client).query(Query.partition("email")).toStream())
        .containsExactlyElementsOf(world.all(client));
  }

  private static Callable<Integer> moves(World world, Random random) {
    TestClient own = TestClient.of(ACCOUNT);
    return () -> IntStream.range(0, 20).map(round -> act(world, own, random)).sum();
  }

  /** Returns the number of raises: none if the entity is elsewhere or being moved. */
  private static int act(World world, TestClient own, Random random) {
    List<String> departments = List.of("Sales", "Marketing", "IT");
    EntityKey here = new EntityKey(departments.get(random.nextInt(3)), "000223");
    EntityKey there = new EntityKey(departments.get(random.nextInt(3)), "000223");
    try {
      if (random.nextBoolean() && !here.equals(there)) {
        world.transfer(own).move(here, there).block();
        return 0;
      }
      world.employees(own).update(here, jones -> jones.withSalary(jones.salary() + 1)).block();
      return 1;
    } catch (NotFound | AlreadyExists | MovingFailure elsewhere) {
      return 0;
    }
  }
}
