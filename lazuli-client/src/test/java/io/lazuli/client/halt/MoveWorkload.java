package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.outbox.AsyncMove;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
import io.lazuli.client.pattern.outbox.IdempotentStep;
import io.lazuli.client.pattern.outbox.OutboxWorker;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Two employees who change departments and get older, with an index by e-mail address. */
record MoveWorkload(World world) implements Workload {
  private static final List<String> DEPARTMENTS = List.of("Sales", "Marketing", "IT");
  private static final List<String> IDS = List.of("0", "1");

  private Delivery delivery() {
    return new Delivery(world);
  }

  private AsyncPrimaryTable<Employee> employees(TestClient client) {
    return AsyncPrimaryTable.of(
            "employee",
            AsyncTable.of(client.table(world.table()), Employee.class),
            delivery().outbox(client))
        .indexedBy(
            "email",
            client.table(world.secondTable()),
            employee -> Optional.of(new EntityKey("email", employee.email())));
  }

  private AsyncMove<Employee> transfer(TestClient client) {
    return AsyncMove.of(
        "transfer",
        employees(client),
        employees(client),
        (employee, key) -> employee.in(key.partitionKey()));
  }

  private IdempotentStep step(TestClient client) {
    return IdempotentStep.byKind(
        Map.of("employee", employees(client).step(), "transfer", transfer(client).step()));
  }

  @Override
  public void prepare(TestClient live) {
    IDS.forEach(id -> employees(live).insert(new Employee("Sales", id, id + "@x.com", 0)).block());
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    AsyncPrimaryTable<Employee> employees = employees(client);
    AsyncMove<Employee> transfer = transfer(client);
    OutboxWorker worker = delivery().worker(client, step(client));
    return random -> {
      String id = IDS.get(random.nextInt(2));
      EntityKey here = key(random, id);
      EntityKey there = key(random, id);
      switch (random.nextInt(4)) {
        case 0 ->
            journal.attempt(
                "age " + id,
                () -> employees.blocking().update(here, old -> old.withAge(old.age() + 1)));
        case 1 -> worker.runUntilEmpty().block();
        default -> {
          if (!here.equals(there)) {
            journal.attempt("move " + id, () -> transfer.blocking().move(here, there));
          }
        }
      }
    };
  }

  private static EntityKey key(Random random, String id) {
    return new EntityKey(DEPARTMENTS.get(random.nextInt(3)), id);
  }

  @Override
  public void settle(TestClient live) {
    delivery().settle(live, step(live));
  }

  @Override
  public void check(TestClient live, History history) {
    List<Employee> all = employees(live).blocking().query(Query.all()).toList();
    assertThat(all).extracting(Employee::id).containsExactlyInAnyOrderElementsOf(IDS);
    assertThat(employees(live).blocking().by("email").partition("email"))
        .containsExactlyInAnyOrderElementsOf(all);
    assertThat(all)
        .allSatisfy(
            each ->
                assertThat((long) each.age())
                    .isBetween(
                        history.atLeast("age", each.id()), history.atMost("age", each.id())));
    assertThat(delivery().poisoned(live)).isZero();
  }
}
