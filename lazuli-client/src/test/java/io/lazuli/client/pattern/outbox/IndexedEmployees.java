package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.util.List;
import java.util.Optional;
import reactor.core.publisher.Flux;

/** Employees with the guide's two indexes: by e-mail in the same table, by id in another. */
record IndexedEmployees(Work work, String table, String idTable) {
  static IndexedEmployees fresh(TestClient client) {
    return new IndexedEmployees(Work.fresh(client), client.newTable(), client.newTable());
  }

  /** Returns the table as a program has it that does not know the indexes. */
  AsyncPrimaryTable<Employee> bare(TestClient client) {
    return AsyncPrimaryTable.of(
        "employee", AsyncTable.of(client.table(table), Employee.class), work.outbox(client));
  }

  AsyncPrimaryTable<Employee> table(TestClient client) {
    return bare(client)
        .indexedBy("email", client.table(table), IndexedEmployees::emailKey)
        .indexedBy(
            "id",
            client.table(idTable),
            employee -> Optional.of(new EntityKey("empid", employee.id())));
  }

  private static Optional<EntityKey> emailKey(Employee employee) {
    return Optional.of(new EntityKey("email_" + employee.department(), employee.email()));
  }

  AsyncPartitionIndex<Employee> byEmail(TestClient client) {
    return table(client).by("email");
  }

  AsyncPartitionIndex<Employee> byId(TestClient client) {
    return table(client).by("id");
  }

  void runUntilEmpty(TestClient client) {
    work.runUntilEmpty(client, table(client).step());
  }

  void runUntilPoisoned(TestClient client) {
    work.runUntilPoisoned(client, table(client).step());
  }

  void workOnce(TestClient client) {
    work.worker(client, table(client).step()).runUntilEmpty().block();
  }

  /** Checks that every entity is in both indexes, and that nothing else is. */
  void agree(TestClient client) {
    List<Employee> primaries = list(table(client).query(Query.all()));
    assertThat(primaries)
        .allSatisfy(
            employee ->
                assertThat(
                        byEmail(client)
                            .find(new EntityKey("email_Sales", employee.email()))
                            .blockOptional())
                    .contains(employee));
    assertThat(list(byEmail(client).partition("email_Sales")))
        .containsExactlyInAnyOrderElementsOf(primaries);
    assertThat(list(byId(client).partition("empid")))
        .containsExactlyInAnyOrderElementsOf(primaries);
    assertThat(work.poisoned(client)).isZero();
  }

  private static <V> List<V> list(Flux<V> values) {
    return values.collectList().blockOptional().orElseThrow();
  }
}
