package io.lazuli.client.table;

import static io.lazuli.client.query.Filter.property;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableAsyncClient;
import io.lazuli.client.FailsOnAzurite;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.MappingFailure;
import io.lazuli.client.entity.TypeName;
import io.lazuli.client.query.Query;
import io.lazuli.client.query.Segment;
import io.lazuli.client.query.ServerPlan;
import io.lazuli.client.query.Token;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TableQueryTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  @TypeName("Employee")
  record Employee(String partitionKey, String rowKey, int age, Optional<String> email) {}

  @TypeName("Employee")
  record Email(String partitionKey, String rowKey, String email) {}

  private static final int PER_DEPARTMENT = 25;
  private static final List<String> DEPARTMENTS = List.of("IT", "Sales", "Support");
  private static final AtomicInteger REQUESTS = new AtomicInteger();

  private static Table<Employee> employees;

  @BeforeAll
  static void fill() {
    TableAsyncClient client =
        ACCOUNT
            .tables(
                (context, next) -> {
                  REQUESTS.incrementAndGet();
                  return next.process();
                })
            .getTableClient(TestAccount.uniqueName("queried"));
    client.createTable().block();
    employees = Table.of(client, Employee.class);
    for (String department : DEPARTMENTS) {
      employees.batch(new Batch<>(employeesOf(department).map(Write::insert).toList()));
    }
  }

  private static java.util.stream.Stream<Employee> employeesOf(String department) {
    return IntStream.range(0, PER_DEPARTMENT)
        .mapToObj(i -> new Employee(department, id(i), i, Optional.of(i + "@contoso.com")));
  }

  private static String id(int number) {
    return "empid_%06d".formatted(number).toLowerCase(Locale.ROOT);
  }

  @BeforeEach
  void countAnew() {
    REQUESTS.set(0);
  }

  @Test
  void aQueryFollowsItsSegmentsToTheEnd() {
    assertThat(employees.query(Query.all().segmentSize(10)))
        .hasSize(PER_DEPARTMENT * 3)
        .isSortedAccordingTo(
            java.util.Comparator.comparing(Employee::partitionKey).thenComparing(Employee::rowKey));
    if (!ACCOUNT.isRehearsed()) {
      assertThat(REQUESTS).hasValueBetween(8, 11);
    }
    assertThat(employees.async().query(Query.all().segmentSize(10)).collectList().block())
        .hasSize(PER_DEPARTMENT * 3);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aStreamFetchesSegmentsLazily() {
    Iterator<Employee> sales = employees.query(Query.partition("Sales").segmentSize(10)).iterator();
    assertThat(REQUESTS).hasValue(0);
    for (int i = 0; i < 10; i++) {
      sales.next();
    }
    assertThat(REQUESTS).hasValue(1);
    sales.next();
    assertThat(REQUESTS).hasValue(2);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void topEndsTheQueryWithoutFurtherRequests() {
    assertThat(employees.query(Query.partition("Sales").top(10)))
        .extracting(Employee::age)
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(REQUESTS).hasValue(1);
    assertThat(employees.query(Query.all().top(12).segmentSize(5))).hasSize(12);
    assertThat(employees.async().query(Query.all().top(12).segmentSize(5)).collectList().block())
        .hasSize(12);
  }

  @Test
  @NotRehearsed("expects full segments, and faults cut some")
  void segmentsContinueFromATokenStoredAsText() {
    Query sales = Query.partition("Sales").segmentSize(10);
    List<Integer> sizes = new ArrayList<>();
    String text = null;
    do {
      Segment<Employee> segment = employees.segment(sales, text == null ? null : Token.parse(text));
      sizes.add(segment.values().size());
      text = segment.next() == null ? null : segment.next().text();
    } while (text != null);
    assertThat(sizes).startsWith(10, 10, 5);
    assertThat(sizes.stream().mapToInt(size -> size).sum()).isEqualTo(PER_DEPARTMENT);
  }

  @Test
  @NotRehearsed("a page that is cut reads fewer entities")
  @FailsOnAzurite("does not report its plan")
  void theServersPlanIsAvailable() {
    assertThat(employees.plan(Query.point(new EntityKey("Sales", id(3)))))
        .contains(new ServerPlan("point", 1));
    assertThat(employees.plan(Query.partition("Sales")))
        .contains(new ServerPlan("partition scan", PER_DEPARTMENT));
    assertThat(employees.segment(Query.prefix("Sales", "empid_00000"), null).plan())
        .isEqualTo(new ServerPlan("range", 10));
  }

  @Test
  void selectFetchesThePropertiesOfASmallerType() {
    Query emails = Query.prefix("Sales", "empid_00001").select("Email");
    assertThat(employees.as(EntityCodec.of(Email.class)).query(emails))
        .hasSize(10)
        .first()
        .isEqualTo(new Email("Sales", id(10), "10@contoso.com"));
    assertThatThrownBy(() -> employees.query(emails).toList())
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("Employee.age is missing");
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void fanOutQueriesEachPartitionOnceWithLimitedConcurrency() {
    Query older = Query.where(property(employees.codec(), Employee::age).ge(20));
    assertThat(employees.fanOut(DEPARTMENTS, older, 2)).hasSize(15);
    assertThat(REQUESTS).hasValue(3);
    assertThat(employees.fanOut(List.of("Sales", "Sales"), older, 2)).hasSize(5);
    assertThat(employees.fanOut(DEPARTMENTS, older.top(7), 2)).hasSize(7);
  }
}
