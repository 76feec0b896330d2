package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.query.Query;
import io.lazuli.client.query.Segment;
import io.lazuli.client.query.Token;
import io.lazuli.client.table.AsyncTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tombstones, and copies in the same table, are neither returned nor counted. */
class HiddenRowsTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static TestClient client;
  private static IndexedEmployees world;
  private static PrimaryTable<Employee> employees;

  /** In Sales, 2 and 5 are left of 0 to 5. The other departments sort between and after copies. */
  @BeforeAll
  static void deleteMost() {
    client = TestClient.of(ACCOUNT);
    world = IndexedEmployees.fresh(client);
    employees = world.table(client).blocking();
    for (int id = 0; id < 6; id++) {
      employees.insert(employee("Sales", id));
      if (id != 2 && id != 5) {
        employees.delete(employee("Sales", id).key());
      }
    }
    employees.insert(employee("email_Sales", 0));
    employees.insert(employee("research", 0));
    world.runUntilEmpty(client);
  }

  private static Employee employee(String department, int id) {
    return new Employee(department, "empid" + id, department + id, id);
  }

  @Test
  void topCountsValues() {
    Query sales = Query.partition("Sales");
    assertThat(employees.query(sales.top(2)).map(Employee::salary)).containsExactly(2, 5);
    assertThat(employees.query(sales.top(1).select("Salary", "Email")).map(Employee::salary))
        .containsExactly(2);
    assertThat(employees.query(Query.prefix("Sales", "empid").top(1)).map(Employee::salary))
        .containsExactly(2);
    assertThat(employees.query(Query.all().top(4)).map(Employee::department))
        .containsExactly("Sales", "Sales", "email_Sales", "research");
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void topIsOneRequestHoweverManyRowsAreHidden() {
    assertThat(client.count(() -> assertThat(employees.query(Query.all().top(1))).hasSize(1)))
        .isEqualTo(1);
  }

  @Test
  void fanOutCountsValues() {
    List<String> departments = List.of("Sales", "email_Sales", "research");
    assertThat(employees.fanOut(departments, Query.all(), 2)).hasSize(4);
    assertThat(employees.fanOut(departments, Query.all().top(3), 2)).hasSize(3);
  }

  @Test
  void segmentsNeitherSkipNorRepeatValues() {
    for (int size = 1; size <= 5; size++) {
      Query query = Query.all().segmentSize(size);
      assertThat(pages(token -> employees.segment(query, token)))
          .as("segments of %d", size)
          .containsExactly("Sales2", "Sales5", "email_Sales0", "research0");
    }
  }

  @Test
  @NotRehearsed("pages are cut")
  void segmentsAreFull() {
    Segment<Employee> first = employees.segment(Query.all().segmentSize(3), null);
    assertThat(first.values()).hasSize(3);
  }

  @Test
  void anIndexCountsItsEntriesOnly() {
    PartitionIndex<Employee> byEmail = employees.by("email");
    assertThat(byEmail.query(Query.partition("email_Sales").top(2)).map(Employee::salary))
        .as("an entity of the table is in the same partition")
        .containsExactly(2, 5);
    Query two = Query.partition("email_Sales").segmentSize(2);
    assertThat(pages(token -> byEmail.segment(two, token))).containsExactly("Sales2", "Sales5");
  }

  @Test
  void otherReadersCanExcludeTheHiddenRows() {
    assertThat(
            AsyncTable.of(client.table(world.table()), EntityCodec.dynamic())
                .blocking()
                .query(Query.all().and(AsyncPrimaryTable.VALUES).top(3)))
        .hasSize(3);
  }

  /** Reads all segments, each with the text of the previous token. */
  private static List<String> pages(Function<@Nullable Token, Segment<Employee>> fetch) {
    List<String> found = new ArrayList<>();
    Token next = null;
    do {
      Segment<Employee> segment = fetch.apply(next);
      segment.values().forEach(employee -> found.add(employee.email()));
      next = segment.next() == null ? null : Token.parse(segment.next().text());
    } while (next != null);
    return found;
  }
}
