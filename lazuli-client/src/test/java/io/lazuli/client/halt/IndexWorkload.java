package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.index.AsyncIndexedTable;
import io.lazuli.client.pattern.index.IndexedTable;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.Table;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An index within the partition. One employee only gets older, the others come and go. */
record IndexWorkload(World world) implements Workload {
  private static final Employee OLDEST = new Employee("Sales", "9", "oldest@x.com", 0);

  private IndexedTable<Employee> employees(TestClient client) {
    return AsyncIndexedTable.of(
            AsyncTable.of(client.table(world.table()), Employee.class), "empid_")
        .indexedBy("email_", employee -> Optional.of(employee.email()))
        .blocking();
  }

  @Override
  public void prepare(TestClient live) {
    employees(live).insert(OLDEST);
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    IndexedTable<Employee> employees = employees(client);
    return random -> {
      String email = random.nextInt(4) + "@x.com";
      Employee employee = new Employee("Sales", "" + random.nextInt(3), email, random.nextInt(100));
      switch (random.nextInt(6)) {
        case 0 -> journal.attempt("insert", () -> employees.insert(employee));
        case 1 -> journal.attempt("put", () -> employees.put(employee));
        case 2 ->
            journal.attempt(
                "update", () -> employees.update(employee.key(), old -> old.withEmail(email)));
        case 3 -> journal.attempt("delete", () -> employees.deleteIfExists(employee.key()));
        default ->
            journal.attempt(
                "age 9", () -> employees.update(OLDEST.key(), old -> old.withAge(old.age() + 1)));
      }
    };
  }

  @Override
  public void check(TestClient live, History history) {
    IndexedTable<Employee> employees = employees(live);
    List<Employee> entities = employees.by("empid_").partition("Sales").toList();
    assertThat(employees.by("email_").partition("Sales"))
        .containsExactlyInAnyOrderElementsOf(entities);
    assertThat(
            Table.of(live.table(world.table()), EntityCodec.dynamic())
                .query(Query.all())
                .map(TableEntity::getRowKey))
        .containsExactlyInAnyOrderElementsOf(
            entities.stream()
                .flatMap(each -> Stream.of("empid_" + each.id(), "email_" + each.email()))
                .toList());
    assertThat((long) employees.find(OLDEST.key()).orElseThrow().age())
        .isBetween(history.atLeast("age", "9"), history.atMost("age", "9"));
  }
}
