package io.lazuli.client.pattern.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableAsyncClient;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.TestClock;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;

class LookupTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  record Department(@PartitionKey String company, @RowKey String name, String floor) {}

  private final TestClock clock = new TestClock(Instant.parse("2026-07-31T18:00:00Z"));
  private final TestClient client = TestClient.of(ACCOUNT);
  private final String name = client.newTable();
  private final Table<Department> table = Table.of(client.table(name), Department.class);
  private final Lookup<String, Department> departments =
      AsyncLookup.of(table.async(), Query.partition("Contoso"), Department::name)
          .with(clock)
          .blocking();

  LookupTest() {
    table.insert(new Department("Contoso", "Sales", "1st"));
    table.insert(new Department("Contoso", "Marketing", "2nd"));
    table.insert(new Department("Fabrikam", "Sales", "3rd"));
  }

  private String floorOfSales() {
    return departments.find("Sales").orElseThrow().floor();
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void lookupsOfAnyNumberCostOneRequest() {
    int requests =
        client.count(
            () ->
                Flux.range(0, 200).flatMap(i -> departments.async().find("Sales"), 50).blockLast());
    assertThat(requests).isEqualTo(1);
    assertThat(client.count(() -> assertThat(floorOfSales()).isEqualTo("1st"))).isZero();
    assertThat(departments.find("Legal")).isEmpty();
    assertThat(departments.all()).containsOnlyKeys("Sales", "Marketing");
  }

  @Test
  void changesAreSeenAfterTheInterval() {
    assertThat(floorOfSales()).isEqualTo("1st");
    table.upsertReplace(new Department("Contoso", "Sales", "9th"));
    clock.pass(Duration.ofSeconds(299));
    assertThat(floorOfSales()).isEqualTo("1st");
    clock.pass(Duration.ofSeconds(1));
    assertThat(floorOfSales()).as("while the next is fetched").isEqualTo("1st");
    Awaitility.await().until(() -> floorOfSales().equals("9th"));
  }

  @Test
  @NotRehearsed("a deleted table is missing at once")
  void oldRowsAreNotUsedForEver() {
    assertThat(floorOfSales()).isEqualTo("1st");
    client.table(name).deleteTable().block();
    clock.pass(Duration.ofSeconds(599));
    assertThat(floorOfSales()).isEqualTo("1st");
    clock.pass(Duration.ofSeconds(1));
    assertThatThrownBy(this::floorOfSales).hasMessageContaining("TableNotFound");
  }

  @Test
  void forgottenRowsAreFetchedAgain() {
    assertThat(floorOfSales()).isEqualTo("1st");
    table.upsertReplace(new Department("Contoso", "Sales", "9th"));
    departments.forget();
    assertThat(floorOfSales()).isEqualTo("9th");
  }

  @Test
  void aTableThatIsTooLargeIsRejected() {
    Lookup<String, Department> one =
        departments.async().with(LookupOptions.DEFAULT.withRowsMax(1)).blocking();
    assertThatThrownBy(() -> one.find("Sales"))
        .isInstanceOf(TooManyRows.class)
        .hasMessageContaining("more than 1 rows")
        .hasMessageContaining("PartitionKey eq 'Contoso'");
  }

  @Test
  void rowsWithTheSameKeyAreRejected() {
    Lookup<String, Department> all =
        AsyncLookup.of(table.async(), Query.all(), Department::name).blocking();
    assertThatThrownBy(all::all).hasMessageContaining("key Sales");
  }

  record Employee(@PartitionKey String department, @RowKey String id) {}

  @Test
  void employeesAreJoinedWithTheirDepartments() {
    AsyncTable<Employee> employees = AsyncTable.of(client.table(client.newTable()), Employee.class);
    for (String department : List.of("Legal", "Marketing", "Sales")) {
      employees.insert(new Employee(department, "000123")).block();
    }
    TableAsyncClient departmentTable = client.table(name);
    // snippet
    AsyncLookup<String, Department> departments =
        AsyncLookup.of(
                AsyncTable.of(departmentTable, Department.class),
                Query.partition("Contoso"),
                Department::name)
            .with(LookupOptions.DEFAULT.withRowsMax(500));

    Flux<String> floors =
        departments.join(
            employees.query(Query.all()),
            Employee::department,
            (employee, department) ->
                employee.department() + ": " + department.map(Department::floor).orElse("?"));
    // end
    assertThat(floors.collectList().block())
        .containsExactly("Legal: ?", "Marketing: 2nd", "Sales: 1st");
  }
}
