package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableAsyncClient;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Indexes are added to a table in use, while some programs do not know them yet. */
class IndexBuildTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final EntityKey JONES = Employee.JONES.key();
  private static final Employee SMITH = new Employee("Sales", "7", "smith@contoso.com", 1);

  private final TestClient client = TestClient.of(ACCOUNT);

  /** Creates a table whose programs do not know the indexes. */
  private static IndexedEmployees withoutIndexes(TestClient client) {
    IndexedEmployees world = IndexedEmployees.fresh(client);
    world.bare(client).insert(Employee.JONES).block();
    world.bare(client).insert(SMITH).block();
    world.work().runUntilEmpty(client, world.bare(client).step());
    return world;
  }

  @Test
  void aClientThatDoesNotKnowTheIndexesLeavesNoStaleEntry() {
    IndexedEmployees world = IndexedEmployees.fresh(client);
    world.table(client).insert(Employee.JONES).block();
    world.runUntilEmpty(client);
    world.bare(client).insert(SMITH).block();
    world.bare(client).update(JONES, jones -> jones.withEmail("new@contoso.com")).block();
    world.runUntilEmpty(client);
    world.agree(client);
    world.bare(client).update(JONES, jones -> jones.withEmail("newer@contoso.com")).block();
    world.bare(client).update(JONES, jones -> jones.withEmail("newest@contoso.com")).block();
    world.bare(client).delete(SMITH.key()).block();
    world.runUntilEmpty(client);
    world.agree(client);
  }

  @Test
  void aWorkerThatDoesNotKnowAnIndexDoesNotFinishTheMessage() {
    IndexedEmployees world = IndexedEmployees.fresh(client);
    world.table(client).insert(Employee.JONES).block();
    IdempotentStep old = world.bare(client).step();
    assertThatThrownBy(() -> old.apply(new OutboxMessage("employee", JONES)).block())
        .isInstanceOf(UndeclaredTarget.class)
        .hasMessageContaining("[email, id]");
    world.runUntilEmpty(client);
    world.agree(client);
  }

  @Test
  void aBuildIsRepeatedWhereverItDies() {
    int requests =
        Faults.in(ACCOUNT, IndexBuildTest::withoutIndexes)
            .forEveryCut(
                (world, mortal) -> world.table(mortal).blocking().refreshAll(Query.all()),
                (world, live) -> {
                  world.bare(live).update(JONES, jones -> jones.withEmail("n@contoso.com")).block();
                  assertThat(world.table(live).blocking().refreshAll(Query.all())).isEqualTo(2);
                  world.runUntilEmpty(live);
                },
                IndexedEmployees::agree);
    if (!ACCOUNT.isRehearsed()) { // it cuts the pages of the query
      assertThat(requests).as("a query, and a message for each entity").isEqualTo(3);
    }
  }

  /** Afterwards, a client that does not know the indexes changes the indexed value once more. */
  @Test
  void aWorkerThatDiesDuringABuildLeavesNoUnknownCopy() {
    int requests =
        Faults.in(
                ACCOUNT,
                live -> {
                  IndexedEmployees world = IndexedEmployees.fresh(live);
                  world.bare(live).insert(Employee.JONES).block();
                  return world;
                })
            .forEveryCut(
                IndexedEmployees::workOnce,
                (world, live) -> {
                  world.bare(live).update(JONES, jones -> jones.withEmail("n@contoso.com")).block();
                  world.runUntilEmpty(live);
                },
                IndexedEmployees::agree);
    assertThat(requests)
        .as("receive, read, list the copies, read, 2 for each index, delete, empty receive")
        .isEqualTo(10);
  }

  @Test
  void anIndexIsAddedToATableInUse() {
    IndexedEmployees world = withoutIndexes(client);
    TableAsyncClient table = client.table(world.table());
    TableAsyncClient emails = client.table(client.newTable());
    Outbox outbox = world.work().outbox(client);
    // snippet
    AsyncPrimaryTable<Employee> staff =
        AsyncPrimaryTable.of("employee", AsyncTable.of(table, Employee.class), outbox)
            .indexedBy("email", emails, employee -> Optional.of(emailKey(employee)));
    long announced = staff.blocking().refreshAll(Query.all());
    // end
    assertThat(announced).isEqualTo(2);
    world.work().runUntilEmpty(client, staff.step());
    assertThat(staff.blocking().by("email").find(emailKey(SMITH))).contains(SMITH);
  }

  private static EntityKey emailKey(Employee employee) {
    return new EntityKey("mail", employee.email());
  }

  @Test
  void aBuildContinuesAtAKey() {
    IndexedEmployees world = withoutIndexes(client);
    AsyncPrimaryTable<Employee> table = world.table(client);
    List<EntityKey> all = table.refreshAll(Query.all()).collectList().block();
    assertThat(all).containsExactly(JONES, SMITH.key());
    assertThat(table.refreshAll(Query.from(SMITH.key())).toStream()).containsExactly(SMITH.key());
    assertThat(table.refreshAll(Query.from(JONES)).toStream()).containsExactly(JONES, SMITH.key());
    assertThat(table.refreshAll(Query.from(new EntityKey("R", "9"))).toStream()).hasSize(2);
    assertThat(table.refreshAll(Query.from(new EntityKey("T", ""))).toStream()).isEmpty();
    world.runUntilEmpty(client);
    world.agree(client);
  }

  @Test
  void theKeysOfAnIndexCanChange() {
    IndexedEmployees world = IndexedEmployees.fresh(client);
    world.table(client).insert(Employee.JONES).block();
    world.runUntilEmpty(client);
    AsyncPrimaryTable<Employee> changed =
        world
            .bare(client)
            .retiring("id")
            .indexedBy(
                "email", client.table(world.table()), employee -> Optional.of(emailKey(employee)));
    changed.blocking().refreshAll(Query.all());
    world.work().runUntilEmpty(client, changed.step());
    assertThat(changed.blocking().by("email").partition("mail")).containsExactly(Employee.JONES);
    assertThat(changed.blocking().by("email").partition("email_Sales")).isEmpty();
  }

  @Test
  void aRetiredIndexIsForgotten() {
    IndexedEmployees world = IndexedEmployees.fresh(client);
    world.table(client).insert(Employee.JONES).block();
    world.runUntilEmpty(client);
    AsyncPrimaryTable<Employee> retired = world.bare(client).retiring("email").retiring("id");
    retired.update(JONES, jones -> jones.withEmail("new@contoso.com")).block();
    world.work().runUntilEmpty(client, retired.step());
    assertThat(world.work().poisoned(client)).isZero();
    world.bare(client).step().apply(new OutboxMessage("employee", JONES)).block();
  }

  @Test
  void namesOfIndexesDiffer() {
    AsyncPrimaryTable<Employee> table = IndexedEmployees.fresh(client).table(client);
    assertThatThrownBy(() -> table.copiedTo("email", client.table("any")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> table.copiedTo("", client.table("any")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> table.by("unknown")).isInstanceOf(IllegalArgumentException.class);
  }
}
