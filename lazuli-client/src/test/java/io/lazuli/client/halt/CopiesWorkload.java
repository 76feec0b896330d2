package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.copies.AsyncDetailCopies;
import io.lazuli.client.pattern.copies.DetailCopies;
import io.lazuli.client.table.Table;
import java.util.Optional;
import java.util.Set;

/** A department that has the e-mail address of its manager. */
record CopiesWorkload(World world) implements Workload {
  private static final EntityKey SALES = new EntityKey("Sales", "department");

  record Department(
      @PartitionKey String name,
      @RowKey String row,
      long budget,
      Optional<String> managerId,
      Optional<String> managerEmail) {
    Department managedBy(Optional<Employee> manager) {
      return new Department(
          name, row, budget, manager.map(Employee::id), manager.map(Employee::email));
    }

    Department richer() {
      return new Department(name, row, budget + 1, managerId, managerEmail);
    }
  }

  private DetailCopies<Employee, Department> managers(TestClient client) {
    return AsyncDetailCopies.of(
            client.table(world.table()),
            EntityCodec.of(Employee.class),
            EntityCodec.of(Department.class),
            employee -> Set.of("department"),
            Department::managerId,
            Department::managedBy)
        .blocking();
  }

  private static Employee employee(int number) {
    return new Employee("Sales", "empid_" + number, number + "@x.com", 0);
  }

  @Override
  public void prepare(TestClient live) {
    Table<Employee> employees = Table.of(live.table(world.table()), Employee.class);
    employees.insert(employee(0));
    employees.insert(employee(1));
    employees
        .as(EntityCodec.of(Department.class))
        .insert(new Department("Sales", "department", 0, Optional.empty(), Optional.empty()));
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    DetailCopies<Employee, Department> managers = managers(client);
    return random -> {
      Employee employee = employee(random.nextInt(2));
      String email = random.nextInt(1_000) + "@x.com";
      switch (random.nextInt(5)) {
        case 0 -> journal.attempt("assign", () -> managers.assign(SALES, employee.id()));
        case 1 -> journal.attempt("clear", () -> managers.clear(SALES));
        case 2 ->
            journal.attempt("budget sales", () -> managers.updateHolder(SALES, Department::richer));
        default ->
            journal.attempt(
                "email " + employee.id(),
                () ->
                    managers.updateOriginal(
                        employee.key(), old -> old.withEmail(email).withAge(old.age() + 1)));
      }
    };
  }

  @Override
  public void check(TestClient live, History history) {
    DetailCopies<Employee, Department> managers = managers(live);
    Department sales = managers.holder(SALES).orElseThrow();
    assertThat(sales.managerEmail())
        .isEqualTo(
            sales
                .managerId()
                .map(id -> managers.original(new EntityKey("Sales", id)).orElseThrow().email()));
    assertThat(sales.budget())
        .isBetween(history.atLeast("budget", "sales"), history.atMost("budget", "sales"));
    for (int i = 0; i < 2; i++) {
      Employee employee = managers.original(employee(i).key()).orElseThrow();
      assertThat((long) employee.age())
          .isBetween(
              history.atLeast("email", employee.id()), history.atMost("email", employee.id()));
    }
  }
}
