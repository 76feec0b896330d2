package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
import io.lazuli.client.pattern.outbox.OutboxWorker;
import io.lazuli.client.pattern.outbox.PrimaryTable;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.util.List;
import java.util.Optional;

/**
 * Two indexes across partitions, one in the same table and one in another. Half of the changes are
 * made by a table that does not declare them.
 */
record PartitionIndexWorkload(World world) implements Workload {
  private Delivery delivery() {
    return new Delivery(world);
  }

  private AsyncPrimaryTable<Employee> bare(TestClient client) {
    return AsyncPrimaryTable.of(
        "employee",
        AsyncTable.of(client.table(world.table()), Employee.class),
        delivery().outbox(client));
  }

  private AsyncPrimaryTable<Employee> employees(TestClient client) {
    return bare(client)
        .indexedBy(
            "email",
            client.table(world.table()),
            employee ->
                Optional.of(new EntityKey("email_" + employee.department(), employee.email())))
        .indexedBy(
            "id",
            client.table(world.secondTable()),
            employee -> Optional.of(new EntityKey("empid", employee.id())));
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    OutboxWorker worker = delivery().worker(client, employees(client).step());
    return random -> {
      PrimaryTable<Employee> employees =
          (random.nextBoolean() ? employees(client) : bare(client)).blocking();
      String id = "" + random.nextInt(3);
      Employee employee =
          new Employee("Sales", id, id + "-" + random.nextInt(3) + "@x.com", random.nextInt(100));
      switch (random.nextInt(8)) {
        case 0 -> journal.attempt("insert", () -> employees.insert(employee));
        case 1 -> journal.attempt("put", () -> employees.put(employee));
        case 2, 3 ->
            journal.attempt(
                "update",
                () -> employees.update(employee.key(), old -> old.withEmail(employee.email())));
        case 4 -> journal.attempt("delete", () -> employees.delete(employee.key()));
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
    List<Employee> primaries = employees(live).blocking().query(Query.all()).toList();
    assertThat(employees(live).blocking().by("email").partition("email_Sales"))
        .containsExactlyInAnyOrderElementsOf(primaries);
    assertThat(employees(live).blocking().by("id").partition("empid"))
        .containsExactlyInAnyOrderElementsOf(primaries);
    assertThat(delivery().poisoned(live)).isZero();
  }
}
