package io.lazuli.client.pattern.copies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableAsyncClient;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.Concurrently;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.InterleavedAction;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.table.Table;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DetailCopiesTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final EntityKey SALES = new EntityKey("Sales", "department");
  private static final Employee JONES = new Employee("Sales", "empid_1", "Jones", "j@x.com", 0);
  private static final Employee SMITH = new Employee("Sales", "empid_2", "Smith", "s@x.com", 0);

  private final TestClient client = TestClient.of(ACCOUNT);
  private final String table = departmentOfJonesAndSmith(client);
  private final DetailCopies<Employee, Department> managers = managers(client.table(table));

  record Employee(
      @PartitionKey String department, @RowKey String id, String name, String email, int age) {
    EntityKey key() {
      return new EntityKey(department, id);
    }

    Employee withEmail(String other) {
      return new Employee(department, id, name, other, age + 1);
    }
  }

  record Department(
      @PartitionKey String name,
      @RowKey String row,
      int budget,
      Optional<String> managerId,
      Optional<String> managerEmail) {
    Department managedBy(Optional<Employee> manager) {
      return new Department(
          name, row, budget, manager.map(Employee::id), manager.map(Employee::email));
    }

    Department withBudget(int other) {
      return new Department(name, row, other, managerId, Optional.of("never@x.com"));
    }
  }

  private static DetailCopies<Employee, Department> managers(TableAsyncClient client) {
    // snippet
    DetailCopies<Employee, Department> managers =
        AsyncDetailCopies.of(
                client,
                EntityCodec.of(Employee.class),
                EntityCodec.of(Department.class),
                employee -> Set.of("department"), // rows that may hold an employee's details
                Department::managerId, // the row key of its manager
                Department::managedBy)
            .blocking();
    // end
    return managers;
  }

  private static String departmentOfJonesAndSmith(TestClient client) {
    String table = client.newTable();
    Table<Employee> employees = Table.of(client.table(table), Employee.class);
    employees.insert(JONES);
    employees.insert(SMITH);
    employees
        .as(EntityCodec.of(Department.class))
        .insert(new Department("Sales", "department", 0, Optional.empty(), Optional.empty()));
    return table;
  }

  private static String managedByJones(TestClient client) {
    String table = departmentOfJonesAndSmith(client);
    managers(client.table(table)).assign(SALES, JONES.id());
    return table;
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aChangeOfTheManagerReachesTheDepartment() {
    assertThat(client.count(() -> managers.assign(SALES, JONES.id()))).isEqualTo(3);
    // snippet
    managers.updateOriginal(
        new EntityKey("Sales", "empid_1"), manager -> manager.withEmail("jun@x.com"));
    Optional<Department> sales = managers.holder(new EntityKey("Sales", "department"));
    // end
    assertThat(sales.orElseThrow().managerEmail()).contains("jun@x.com");
    assertThat(managers.original(JONES.key())).contains(JONES.withEmail("jun@x.com"));
    assertThat(
            client.count(
                () -> managers.updateOriginal(JONES.key(), jones -> jones.withEmail("k@x.com"))))
        .isEqualTo(3);
  }

  @Test
  void aChangeOfAnotherEmployeeDoesNotReachTheDepartment() {
    managers.assign(SALES, JONES.id());
    managers.updateOriginal(SMITH.key(), smith -> smith.withEmail("other@x.com"));
    assertThat(managerEmail()).contains("j@x.com");
    managers.assign(SALES, SMITH.id());
    assertThat(managerEmail()).contains("other@x.com");
    managers.updateOriginal(JONES.key(), jones -> jones.withEmail("gone@x.com"));
    assertThat(managerEmail()).contains("other@x.com");
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aChangeOfTheDepartmentKeepsTheDetails() {
    managers.assign(SALES, JONES.id());
    assertThat(client.count(() -> managers.updateHolder(SALES, sales -> sales.withBudget(7))))
        .isEqualTo(3);
    assertThat(managers.holder(SALES).orElseThrow().budget()).isEqualTo(7);
    assertThat(managerEmail()).contains("j@x.com");
    assertThatThrownBy(
            () -> managers.updateHolder(SALES, sales -> sales.managedBy(Optional.of(SMITH))))
        .hasMessageContaining("assign");
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aDeletedManagerLeavesNoDetails() {
    managers.assign(SALES, JONES.id());
    assertThat(client.count(() -> managers.deleteOriginalIfExists(JONES.key()))).isEqualTo(3);
    assertThat(managers.holder(SALES).orElseThrow().managerId()).isEmpty();
    assertThat(managers.deleteOriginalIfExists(JONES.key())).isFalse();
    assertThatThrownBy(() -> managers.assign(SALES, JONES.id())).isInstanceOf(NotFound.class);
    managers.assign(SALES, SMITH.id());
    assertThat(client.count(() -> managers.clear(SALES))).isEqualTo(2);
    assertThat(managerEmail()).isEmpty();
    assertThat(managers.deleteHolderIfExists(SALES)).isTrue();
    assertThat(managers.updateOriginal(SMITH.key(), smith -> smith.withEmail("x@x.com")).age())
        .isEqualTo(1);
  }

  @Test
  void aChangeIsAtomicWhereverTheClientDies() {
    int requests =
        Faults.in(ACCOUNT, DetailCopiesTest::managedByJones)
            .forEveryCut(
                DetailCopiesTest::changeMail,
                DetailCopiesTest::agree,
                (table, client) -> {
                  changeMail(table, client);
                  agree(table, client);
                  assertThat(managers(client.table(table)).original(JONES.key()).orElseThrow())
                      .extracting(Employee::email)
                      .isEqualTo("new@x.com");
                });
    assertThat(requests).isEqualTo(3);
  }

  private static void changeMail(String table, TestClient client) {
    managers(client.table(table))
        .updateOriginal(JONES.key(), jones -> jones.withEmail("new@x.com"));
  }

  @Test
  void anAssignmentIsAtomicWhereverTheClientDies() {
    int requests =
        Faults.in(ACCOUNT, DetailCopiesTest::managedByJones)
            .forEveryCut(
                (table, client) -> managers(client.table(table)).assign(SALES, SMITH.id()),
                (table, client) -> {},
                DetailCopiesTest::agree);
    assertThat(requests).isEqualTo(3);
  }

  /** Jones is not a manager yet, so the change does not touch the department. */
  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aChangeDuringAnAssignmentIsNotLost() {
    InterleavedAction interleaved =
        new InterleavedAction(
            3, () -> managers.updateOriginal(JONES.key(), jones -> jones.withEmail("new@x.com")));
    managers(ACCOUNT.tables(interleaved).getTableClient(table)).assign(SALES, JONES.id());
    assertThat(managerEmail()).contains("new@x.com");
    assertThat(interleaved.requests()).as("two attempts").isEqualTo(6);
  }

  @Test
  void concurrentClientsLeaveDetailsThatAgree() {
    long seed = System.nanoTime();
    Concurrently.run(
        4,
        actor -> {
          Random random = new Random(seed + actor);
          DetailCopies<Employee, Department> mine = managers(TestClient.of(ACCOUNT).table(table));
          for (int i = 0; i < 12; i++) {
            act(random, mine);
          }
        });
    assertThatCode(() -> agree(table, client)).as("seed %d", seed).doesNotThrowAnyException();
  }

  private static void act(Random random, DetailCopies<Employee, Department> managers) {
    Employee employee = random.nextBoolean() ? JONES : SMITH;
    switch (random.nextInt(4)) {
      case 0 -> managers.assign(SALES, employee.id());
      case 1 -> managers.updateHolder(SALES, sales -> sales.withBudget(random.nextInt()));
      case 2 -> managers.clear(SALES);
      default ->
          managers.updateOriginal(
              employee.key(), old -> old.withEmail(random.nextInt() + "@x.com"));
    }
  }

  private static void agree(String table, TestClient client) {
    DetailCopies<Employee, Department> managers = managers(client.table(table));
    Department sales = managers.holder(SALES).orElseThrow();
    Optional<String> email =
        sales
            .managerId()
            .map(id -> managers.original(new EntityKey("Sales", id)).orElseThrow().email());
    assertThat(sales.managerEmail()).isEqualTo(email);
  }

  private Optional<String> managerEmail() {
    return managers.holder(SALES).orElseThrow().managerEmail();
  }
}
