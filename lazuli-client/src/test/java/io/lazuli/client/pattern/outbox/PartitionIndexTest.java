package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.ClientDied;
import io.lazuli.client.fault.Cut;
import io.lazuli.client.fault.TestClient;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PartitionIndexTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private final TestClient client = TestClient.of(ACCOUNT);
  private final IndexedEmployees world = IndexedEmployees.fresh(client);

  private void insert(Employee... employees) {
    for (Employee employee : employees) {
      world.table(client).insert(employee).block();
    }
    world.runUntilEmpty(client);
  }

  private static Employee named(String id, String name) {
    return new Employee("Sales", id, name + "@contoso.com", 1);
  }

  @Test
  void entitiesAreFoundByAnyIndexAsTheyAre() {
    insert(named("1", "c"), named("2", "a"), named("3", "b"));
    PartitionIndex<Employee> byEmail = world.byEmail(client).blocking();
    assertThat(byEmail.find(new EntityKey("email_Sales", "b@contoso.com")))
        .contains(named("3", "b"));
    assertThat(byEmail.find(new EntityKey("email_Sales", "z@contoso.com"))).isEmpty();
    assertThat(byEmail.partition("email_Sales").map(Employee::id)).containsExactly("2", "3", "1");
    assertThat(byEmail.prefix("email_Sales", "c@").map(Employee::id)).containsExactly("1");
    assertThat(byEmail.range("email_Sales", "a", "c").map(Employee::id)).containsExactly("2", "3");
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aLookupIsOneRequest() {
    insert(named("1", "a"));
    EntityKey place = new EntityKey("email_Sales", "a@contoso.com");
    assertThat(client.count(() -> world.byEmail(client).find(place).block())).isEqualTo(1);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void anUpdateThatKeepsTheIndexedValueCostsTheWorkerTwoRequestsForEachIndex() {
    insert(named("1", "a"));
    world.table(client).put(named("1", "a").withSalary(2)).block();
    int requests = client.count(() -> world.workOnce(client));
    assertThat(requests).as("receive, read, 2 for each index, delete, empty receive").isEqualTo(8);
  }

  @Test
  void twoEntitiesCanSwapTheirValues() {
    insert(named("1", "a"), named("2", "b"));
    world.table(client).put(named("1", "b")).block();
    world.table(client).put(named("2", "a")).block();
    world.runUntilEmpty(client);
    world.agree(client);
  }

  @Test
  void anIndexKeyOfAnotherEntityIsNotTaken() {
    insert(named("1", "a"));
    world.table(client).insert(named("2", "a")).block();
    world.runUntilPoisoned(client);
    assertThat(
            world
                .byEmail(client)
                .find(new EntityKey("email_Sales", "a@contoso.com"))
                .blockOptional())
        .contains(named("1", "a"));
    List<PoisonMessage> poisoned =
        PoisonQueue.of(client.queue(world.work().poison())).peek().collectList().block();
    assertThat(poisoned)
        .singleElement()
        .satisfies(message -> assertThat(message.reason()).contains("belongs to Sales/1"));
  }

  @Test
  void aCopyDoesNotReplaceAnEntityInTheSameTable() {
    Employee intruder = new Employee("email_Sales", "a@contoso.com", "other", 1);
    world.table(client).insert(intruder).block();
    world.runUntilEmpty(client);
    world.table(client).insert(named("1", "a")).block();
    world.runUntilPoisoned(client);
    assertThat(world.table(client).find(intruder.key()).blockOptional()).contains(intruder);
    assertThat(world.work().poisoned(client)).isEqualTo(1);
    world.table(client).delete(named("1", "a").key()).block();
    world.runUntilEmpty(client);
    assertThat(world.table(client).find(intruder.key()).blockOptional()).contains(intruder);
  }

  @Test
  void aCopyCannotBeChangedLikeAnEntity() {
    insert(named("1", "a"));
    EntityKey place = new EntityKey("email_Sales", "a@contoso.com");
    assertThat(world.table(client).find(place).blockOptional()).isEmpty();
    assertThatThrownBy(() -> world.table(client).delete(place).block())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onlyTombstonesAreSwept() {
    insert(named("1", "a"), named("2", "b"));
    world.table(client).update(named("1", "a").key(), one -> one.withEmail("c@x")).block();
    world.table(client).delete(named("2", "b").key()).block();
    assertThat(world.table(client).sweep(Duration.ofSeconds(-5)).block())
        .as("the indexes are not up to date yet")
        .isZero();
    world.runUntilEmpty(client);
    assertThat(world.table(client).sweep(Duration.ofDays(7)).block()).as("too young").isZero();
    assertThat(world.table(client).sweep(Duration.ofSeconds(-5)).block()).isEqualTo(1);
    assertThat(world.byEmail(client).sweep(Duration.ofSeconds(-5)).block()).isEqualTo(2);
    assertThat(world.byId(client).sweep(Duration.ofSeconds(-5)).block()).isEqualTo(1);
    world.agree(client);
    insert(named("2", "b"));
    world.agree(client);
  }

  /**
   * Two clients change and delete entities, and send announcements without a change, while two
   * workers work and a reader checks versions. Messages are visible before the write, are
   * duplicated, and arrive in any order; clients and workers sometimes die, and half of the clients
   * do not know the indexes. In the end, messages that were poisoned because too many workers died
   * are sent back.
   */
  @Test
  void indexesConvergeAndNeverReturnToAnOlderVersion() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("indexesConvergeAndNeverReturnToAnOlderVersion: seed " + seed);
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(5);
    try {
      List<Future<Void>> clients =
          List.of(
              threads.submit(changes(new Random(seed))),
              threads.submit(changes(new Random(seed + 1))));
      List<Future<Void>> others =
          List.of(
              threads.submit(works(new Random(seed + 2), done)),
              threads.submit(works(new Random(seed + 3), done)),
              threads.submit(new VersionWatcher(world, ACCOUNT, done)));
      for (Future<Void> changing : clients) {
        changing.get();
      }
      done.set(true);
      for (Future<Void> other : others) {
        other.get();
      }
    } finally {
      threads.shutdownNow();
    }
    world.runUntilEmpty(client);
    PoisonQueue.of(client.queue(world.work().poison()))
        .sendBack(client.queue(world.work().queue()))
        .block();
    world.runUntilEmpty(client);
    world.agree(client);
  }

  private Callable<Void> changes(Random random) {
    return () -> {
      IntStream.range(0, 20)
          .forEach(round -> asMortalClient(random, mortal -> change(mortal, random)));
      return null;
    };
  }

  private Callable<Void> works(Random random, AtomicBoolean done) {
    return () -> {
      while (!done.get()) {
        asMortalClient(random, world::workOnce);
      }
      return null;
    };
  }

  /** Lets one client in five die at one of its first requests. */
  private static void asMortalClient(Random random, Consumer<TestClient> act) {
    Cut cut =
        random.nextBoolean() ? Cut.before(random.nextInt(1, 9)) : Cut.after(random.nextInt(1, 9));
    try {
      act.accept(TestClient.of(ACCOUNT, random.nextInt(5) == 0 ? cut : Cut.NEVER));
    } catch (RuntimeException failure) {
      if (!ClientDied.caused(failure)) {
        throw failure;
      }
    }
  }

  /** Gives each entity its own values, so that no two need the same index key. */
  private void change(TestClient mortal, Random random) {
    String id = Integer.toString(random.nextInt(3));
    Employee employee = named(id, id + "-" + random.nextInt(3)).withSalary(random.nextInt(1000));
    AsyncPrimaryTable<Employee> table =
        random.nextBoolean() ? world.table(mortal) : world.bare(mortal);
    switch (random.nextInt(5)) {
      case 0 -> table.delete(employee.key()).block();
      case 1 -> table.refresh(employee.key()).block();
      default -> table.put(employee).block();
    }
  }
}
