package io.lazuli.client.table;

import static io.lazuli.client.query.Filter.partitionKey;
import static io.lazuli.client.query.Filter.property;
import static io.lazuli.client.query.Filter.rowKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.policy.AddHeadersFromContextPolicy;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClientBuilder;
import io.lazuli.client.FailsOnAzurite;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Explanation.Kind;
import io.lazuli.client.query.Filter;
import io.lazuli.client.query.Query;
import io.lazuli.client.query.Segment;
import io.lazuli.client.query.ServerExplanation;
import io.lazuli.client.query.ServerExplanation.Basis;
import io.lazuli.client.query.ServerExplanation.Range;
import io.lazuli.client.query.ServerPlan;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Explanations of queries, by the server. */
class ExplainTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  record Employee(String partitionKey, String rowKey, String lastName, int age) {}

  private static final int EMPLOYEES = 40;
  private static final HttpHeaderName EXPLAIN = HttpHeaderName.fromString("x-lazuli-explain");
  private static final HttpHeaderName PLAN = HttpHeaderName.fromString("x-lazuli-plan");
  private static final String NAME = TestAccount.uniqueName("explained");

  private static Table<Employee> employees;

  @BeforeAll
  static void fill() {
    employees = table(new AddHeadersFromContextPolicy());
    ACCOUNT.tables().getTableClient(NAME).createTable().block();
    employees.batch(
        new Batch<>(
            IntStream.range(0, EMPLOYEES)
                .mapToObj(i -> Write.insert(new Employee("Sales", id(i), "Jones" + i, i)))
                .toList()));
  }

  private static Table<Employee> table(HttpPipelinePolicy... policies) {
    return Table.of(ACCOUNT.tables(policies).getTableClient(NAME), Employee.class);
  }

  private static String id(int number) {
    return "empid_" + (100 + number);
  }

  private static ServerExplanation explain(Query query) {
    return employees.explain(query).orElseThrow();
  }

  @Test
  @FailsOnAzurite("does not explain")
  void aQueryIsExplainedBeforeItRuns() {
    Query named = Query.partition("Unread").and(property("LastName").eq("Jones7"));
    ServerExplanation explained = explain(named);
    assertThat(explained.kind()).isEqualTo(Kind.PARTITION);
    assertThat(explained.summary()).contains("Unread");
    assertThat(explained.partitions()).isEqualTo(1);
    assertThat(explained.ranges())
        .containsExactly(
            new Range(
                new ServerExplanation.Key("Unread", null),
                new ServerExplanation.Key("Unread", null),
                true,
                true));
    assertThat(explained.moreRanges()).isZero();
    assertThat(explained.rest()).isEqualTo("LastName eq 'Jones7'");
    assertThat(explained.read().basis()).isEqualTo(Basis.UNKNOWN);
    assertThat(explained.read().count()).isNull();
    assertThat(explained.time()).isNull();
    assertThat(explained.azure().kind()).isEqualTo(Kind.PARTITION);
    assertThat(explained.azure().text()).contains("Azure");
    assertThat(explained.narrowed()).isNull();
    ServerExplanation.Advice advice = explained.advice();
    assertThat(advice).isNotNull();
    assertThat(advice.key()).isEqualTo("partition.list");
    assertThat(advice.text()).contains("LastName");
    assertThat(advice.page()).isEqualTo("docs/patterns/indexlist.md");
    assertThat(advice.code()).contains("AsyncListedTable");
  }

  @Test
  @FailsOnAzurite("does not explain")
  void kindsAndRangesAreThoseOfTheServer() {
    ServerExplanation point = explain(Query.point(new EntityKey("Sales", id(3))));
    assertThat(point.kind()).isEqualTo(Kind.POINT);
    assertThat(point.read().basis()).isEqualTo(Basis.BOUND);
    assertThat(point.read().count()).isEqualTo(1);
    assertThat(explain(Query.prefix("Sales", "empid_1")).kind()).isEqualTo(Kind.ROW_RANGE);
    ServerExplanation all = explain(Query.all());
    assertThat(all.kind()).isEqualTo(Kind.TABLE);
    assertThat(all.ranges()).containsExactly(new Range(null, null, false, false));
    Query contradiction = Query.partition("Sales").and(partitionKey().eq("IT"));
    assertThat(explain(contradiction).kind()).isEqualTo(Kind.NONE);
  }

  @Test
  @NotRehearsed("a page that is cut reads fewer entities")
  @FailsOnAzurite("does not explain")
  void aQueryIsExplainedAfterItRan() {
    Query older = Query.partition("Sales").and(property(employees.codec(), Employee::age).ge(30));
    Segment<Employee> segment = employees.explainedSegment(older, null);
    assertThat(segment.values()).hasSize(10);
    ServerExplanation explained = segment.explanation();
    assertThat(explained).isNotNull();
    assertThat(explained.read().basis()).isEqualTo(Basis.MEASURED);
    assertThat(explained.read().count()).isEqualTo(EMPLOYEES);
    assertThat(explained.returned().count()).isEqualTo(10);
    assertThat(explained.time()).isPositive();
    assertThat(segment.plan()).isEqualTo(new ServerPlan("partition scan", EMPLOYEES));
    assertThat(employees.segment(older, null).plan()).isEqualTo(segment.plan());
    assertThat(employees.segment(older, null).explanation()).isNull();
  }

  @Test
  @NotRehearsed("a page that is cut reads fewer entities")
  @FailsOnAzurite("does not explain")
  void theServerRemembersWhatAQueryRead() {
    assertThat(employees.query(Query.partition("Sales"))).hasSize(EMPLOYEES);
    ServerExplanation.Figure read = explain(Query.partition("Sales")).read();
    assertThat(read.count()).isEqualTo(EMPLOYEES);
    assertThat(read.basis()).isEqualTo(Basis.COUNTED);
    assertThat(read.age()).isNotNull();
  }

  @Test
  @FailsOnAzurite("does not explain")
  void theBlockingClientExplainsToo() {
    TableClient client =
        new TableServiceClientBuilder()
            .httpClient(TestAccount.HTTP)
            .connectionString(ACCOUNT.connectionString())
            .retryOptions(TestAccount.QUICK_RETRIES)
            .addPolicy(new AddHeadersFromContextPolicy())
            .buildClient()
            .getTableClient(NAME);
    Table<Employee> blocking = Table.of(client, Employee.class);
    assertThat(blocking.explain(Query.all())).map(ServerExplanation::kind).contains(Kind.TABLE);
    assertThat(blocking.explainedSegment(Query.all(), null).explanation()).isNotNull();
  }

  @Test
  @FailsOnAzurite("does not explain")
  void severalKeysAreSeeks() {
    Filter two = rowKey().eq(id(1)).or(rowKey().eq(id(2)));
    Segment<Employee> found = employees.explainedSegment(Query.partition("Sales").and(two), null);
    assertThat(found.explanation()).isNotNull();
    assertThat(found.explanation().kind()).isEqualTo(Kind.POINTS);
    assertThat(found.explanation().azure().kind()).isEqualTo(Kind.PARTITION);
    assertThat(found.plan()).isEqualTo(new ServerPlan("seeks(2)", 2));
  }

  @Test
  @FailsOnAzurite("does not explain")
  void aLongExplanationKeepsItsFigures() {
    String longKey = "k".repeat(400);
    Filter many =
        IntStream.range(0, 14)
            .mapToObj(i -> rowKey().eq(longKey + i))
            .reduce(Filter::or)
            .orElseThrow();
    ServerExplanation explained = explain(Query.partition("Sales").and(many));
    assertThat(explained.kind()).isEqualTo(Kind.POINTS);
    assertThat(explained.ranges().size() + explained.moreRanges()).isEqualTo(14);
    assertThat(explained.read().count()).isEqualTo(14);
  }

  @Test
  @FailsOnAzurite("does not explain")
  void aClientWithoutThePolicyIsRefused() {
    Table<Employee> without = table();
    assertThatThrownBy(() -> without.explain(Query.partition("Sales")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("addPolicy(new AddHeadersFromContextPolicy())");
    assertThatThrownBy(() -> without.explainedSegment(Query.partition("Sales"), null))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aServerThatKnowsNoExplanationsGivesNone() {
    HttpPipelinePolicy unknown =
        (context, next) -> {
          context.getHttpRequest().getHeaders().remove(EXPLAIN);
          return next.process().doOnNext(answer -> answer.getHeaders().remove(PLAN));
        };
    Table<Employee> elsewhere = table(new AddHeadersFromContextPolicy(), unknown);
    assertThat(elsewhere.explain(Query.partition("Sales"))).isEmpty();
    Segment<Employee> run = elsewhere.explainedSegment(Query.partition("Sales").top(2), null);
    assertThat(run.values()).hasSize(2);
    assertThat(run.explanation()).isNull();
    assertThat(run.plan()).isNull();
  }

  @Test
  void explainAsksForOneEntityAtMostAndKeepsOtherHeaders() {
    HttpHeaderName trace = HttpHeaderName.fromString("x-trace");
    Queue<String> seen = new ConcurrentLinkedQueue<>();
    HttpPipelinePolicy watch =
        (context, next) -> {
          HttpHeaders headers = context.getHttpRequest().getHeaders();
          seen.add(
              List.of(headers.getValue(EXPLAIN), headers.getValue(trace))
                  + context.getHttpRequest().getUrl().getQuery());
          return next.process();
        };
    HttpHeaders mine = new HttpHeaders().set(trace, "7");
    table(new AddHeadersFromContextPolicy(), watch)
        .async()
        .explain(Query.partition("Sales"))
        .contextWrite(
            context ->
                context.put(AddHeadersFromContextPolicy.AZURE_REQUEST_HTTP_HEADERS_KEY, mine))
        .block();
    assertThat(seen).isNotEmpty().allSatisfy(one -> assertThat(one).startsWith("[header, 7]"));
    assertThat(seen).allSatisfy(one -> assertThat(one).contains("top=1"));
    assertThat(mine).hasSize(1);
  }

  @Test
  void mistakesInAQueryAreFoundBeforeItIsSent() {
    Function<Query, Object> explain = employees::explain;
    assertThatThrownBy(() -> explain.apply(Query.where(property("Lastname").eq("x"))))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
