package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.indexlist.AsyncKeyListIndex;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
import io.lazuli.client.pattern.outbox.Index;
import io.lazuli.client.pattern.outbox.OutboxWorker;
import io.lazuli.client.pattern.outbox.PrimaryTable;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.util.List;
import java.util.Optional;

/** Lists of keys in blobs and in another table. */
record ListElsewhereWorkload(World world) implements Workload {
  private static final List<String> NAMES = List.of("Jones", "Smith", "Kim");

  private Delivery delivery() {
    return new Delivery(world);
  }

  private AsyncPrimaryTable<Employee> employees(TestClient client) {
    return AsyncPrimaryTable.of(
            "employee",
            AsyncTable.of(client.table(world.table()), Employee.class),
            delivery().outbox(client))
        .indexedBy(inTable(client))
        .indexedBy(inBlobs(client));
  }

  private static Optional<EntityKey> list(Employee employee) {
    return Optional.of(new EntityKey("lists", employee.email()));
  }

  private Index<Employee, AsyncKeyListIndex<Employee>> inTable(TestClient client) {
    return AsyncKeyListIndex.inTable(
        "table", client.table(world.secondTable()), ListElsewhereWorkload::list);
  }

  private Index<Employee, AsyncKeyListIndex<Employee>> inBlobs(TestClient client) {
    return AsyncKeyListIndex.inBlobs(
        "blobs", client.container(world.container()), ListElsewhereWorkload::list);
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    PrimaryTable<Employee> employees = employees(client).blocking();
    OutboxWorker worker = delivery().worker(client, employees.async().step());
    return random -> {
      Employee employee =
          new Employee("Sales", "" + random.nextInt(3), NAMES.get(random.nextInt(3)), 0);
      switch (random.nextInt(7)) {
        case 0, 1 -> journal.attempt("put", () -> employees.put(employee));
        case 2 ->
            journal.attempt(
                "rename",
                () -> employees.update(employee.key(), old -> old.withEmail(employee.email())));
        case 3 -> journal.attempt("delete", () -> employees.delete(employee.key()));
        default -> worker.runUntilEmpty().block();
      }
    };
  }

  @Override
  public void settle(TestClient live) {
    delivery().settle(live, employees(live).step());
  }

  @Override
  public void check(TestClient live, History history) {
    List<Employee> all = employees(live).blocking().query(Query.all()).toList();
    for (String name : NAMES) {
      List<EntityKey> expected =
          all.stream().filter(each -> each.email().equals(name)).map(Employee::key).toList();
      EntityKey list = new EntityKey("lists", name);
      assertThat(employees(live).by(inTable(live)).blocking().keys(list))
          .as("the list of %s in the table", name)
          .containsExactlyInAnyOrderElementsOf(expected);
      assertThat(employees(live).by(inBlobs(live)).blocking().keys(list))
          .as("the list of %s in a blob", name)
          .containsExactlyInAnyOrderElementsOf(expected);
    }
    assertThat(delivery().poisoned(live)).isZero();
  }
}
