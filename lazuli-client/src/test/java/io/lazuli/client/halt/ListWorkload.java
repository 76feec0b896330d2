package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.indexlist.AsyncListedTable;
import io.lazuli.client.pattern.indexlist.ListedTable;
import io.lazuli.client.table.AsyncTable;
import java.util.List;
import java.util.Optional;

/** Lists of keys in the partition of their entities. */
record ListWorkload(World world) implements Workload {
  private static final List<String> NAMES = List.of("Jones", "Smith", "Kim");
  private static final List<String> IDS = List.of("0", "1", "2", "3");

  private ListedTable<Employee> employees(TestClient client) {
    return AsyncListedTable.of(AsyncTable.of(client.table(world.table()), Employee.class))
        .listedBy("name_", employee -> Optional.of(employee.email()))
        .blocking();
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    ListedTable<Employee> employees = employees(client);
    return random -> {
      Employee employee =
          new Employee(
              "Sales", IDS.get(random.nextInt(4)), NAMES.get(random.nextInt(3)), random.nextInt(9));
      switch (random.nextInt(6)) {
        case 0 -> journal.attempt("insert", () -> employees.insert(employee));
        case 1 -> journal.attempt("put", () -> employees.put(employee));
        case 2, 3, 4 ->
            journal.attempt(
                "rename",
                () -> employees.update(employee.key(), old -> old.withEmail(employee.email())));
        default -> journal.attempt("delete", () -> employees.deleteIfExists(employee.key()));
      }
    };
  }

  @Override
  public void check(TestClient live, History history) {
    ListedTable<Employee> employees = employees(live);
    for (String name : NAMES) {
      List<String> expected =
          IDS.stream()
              .filter(
                  id ->
                      employees
                          .find(new Employee("Sales", id, name, 0).key())
                          .filter(found -> found.email().equals(name))
                          .isPresent())
              .toList();
      assertThat(employees.keys("Sales", "name_", name))
          .as("the list of %s", name)
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }
}
