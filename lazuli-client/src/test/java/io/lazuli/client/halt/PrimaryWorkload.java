package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
import io.lazuli.client.pattern.outbox.OutboxWorker;
import io.lazuli.client.pattern.outbox.PrimaryTable;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.util.List;
import java.util.Random;

/**
 * Random changes of employees whose table has indexes. The processes also work as workers. Half of
 * the changes are made by a table that does not declare the indexes.
 */
abstract class PrimaryWorkload implements Workload {
  final World world;
  final Delivery delivery;

  PrimaryWorkload(World world) {
    this.world = world;
    this.delivery = new Delivery(world);
  }

  /** Returns a table that does not declare its indexes. */
  final AsyncPrimaryTable<Employee> bare(TestClient client) {
    return AsyncPrimaryTable.of(
        "employee",
        AsyncTable.of(client.table(world.table()), Employee.class),
        delivery.outbox(client));
  }

  /** Returns the table with all its indexes. */
  abstract AsyncPrimaryTable<Employee> employees(TestClient client);

  /** Returns one of three employees, with a random value of the indexed property. */
  abstract Employee drawn(Random random);

  /** Fails if an index does not agree with the employees that exist. */
  abstract void check(TestClient live, List<Employee> employees);

  @Override
  public Actor actor(TestClient client, Journal journal) {
    OutboxWorker worker = delivery.worker(client, employees(client).step());
    return random -> {
      PrimaryTable<Employee> employees =
          (random.nextBoolean() ? employees(client) : bare(client)).blocking();
      Employee employee = drawn(random);
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
    delivery.settle(live, employees(live).step());
  }

  @Override
  public final void check(TestClient live, History history) {
    check(live, employees(live).blocking().query(Query.all()).toList());
    assertThat(delivery.poisoned(live)).isZero();
  }
}
