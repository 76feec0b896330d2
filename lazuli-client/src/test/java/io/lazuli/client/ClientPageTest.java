package io.lazuli.client;

import static io.lazuli.client.query.Filter.partitionKey;
import static io.lazuli.client.query.Filter.property;
import static io.lazuli.client.query.Filter.rowKey;
import static io.lazuli.client.query.Query.where;
import static io.lazuli.client.table.Write.delete;
import static io.lazuli.client.table.Write.insert;
import static io.lazuli.client.table.Write.merge;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.policy.AddHeadersFromContextPolicy;
import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableServiceAsyncClient;
import com.azure.data.tables.TableServiceClientBuilder;
import io.lazuli.client.encryption.AesWrappingKey;
import io.lazuli.client.encryption.KeyRing;
import io.lazuli.client.encryption.PageTokens;
import io.lazuli.client.entity.ETag;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.Json;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.query.Explanation;
import io.lazuli.client.query.Query;
import io.lazuli.client.query.Segment;
import io.lazuli.client.query.ServerExplanation;
import io.lazuli.client.query.Token;
import io.lazuli.client.table.Batch;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.Table;
import io.lazuli.client.table.Write;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Compiles and runs the code of {@code docs/client.md}, except the first program, which is one of
 * the examples. Indentation is ignored, and … matches any text.
 */
class ClientPageTest {
  private static final Duration MAX = Duration.ofSeconds(10);

  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final Pattern CODE = Pattern.compile("(?ms)^```java\\R(.*?)^```$");
  private static final Path FIRST_PROGRAM =
      Path.of("../examples/src/main/java/io/lazuli/examples/FirstTypedProgram.java");

  record Employee(
      @PartitionKey String department,
      @RowKey String id,
      String lastName,
      int age,
      Optional<String> email,
      @Json List<String> skills,
      @ETag @Nullable String eTag) {

    static Employee of(String id, String lastName) {
      return new Employee("Sales", id, lastName, 30, Optional.empty(), List.of("sales"), null);
    }

    Employee afterBirthday() {
      return new Employee(department, id, lastName, age + 1, email, skills, eTag);
    }
  }

  @Test
  void thePageShowsCodeThatIsCompiled() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "client.md"));
    String source =
        Files.readString(Path.of("src/test/java/io/lazuli/client/ClientPageTest.java"))
            + Files.readString(FIRST_PROGRAM);
    List<String> shown = CODE.matcher(page).results().map(result -> result.group(1)).toList();
    assertThat(shown).hasSizeGreaterThan(5);
    assertThat(shown)
        .allSatisfy(code -> assertThat(plain(source)).containsPattern(asPattern(code)));
  }

  private static Pattern asPattern(String code) {
    String pattern =
        Arrays.stream(plain(code).split("…", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    return Pattern.compile(pattern, Pattern.DOTALL);
  }

  private static String plain(String code) {
    return code.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  @Test
  void thePagesCodeRuns() {
    TableAsyncClient client = ACCOUNT.tables().getTableClient(TestAccount.uniqueName("page"));
    client.createTable().block();
    Employee jones = Employee.of("000123", "Jones");

    Table<Employee> employees = Table.of(client, Employee.class);

    Employee inserted = employees.insert(jones);
    Optional<Employee> found = employees.find(new EntityKey("Sales", "000123"));
    Employee replaced = employees.replace(inserted.afterBirthday());
    employees.merge(jones, Condition.any());
    boolean wasThere = employees.deleteIfExists(new EntityKey("Sales", "000999"));

    assertThat(found).map(Employee::lastName).contains("Jones");
    assertThat(replaced.eTag()).isNotEqualTo(inserted.eTag());
    assertThat(wasThere).isFalse();

    employees.update(new EntityKey("Sales", "000123"), Employee::afterBirthday);

    queries(employees);
    explanations(client.getTableName());
    batches(employees, jones);
    pages(employees);
  }

  /** Hands each cursor to a browser and gets it back. */
  private static void pages(Table<Employee> employees) {
    KeyRing keys = KeyRing.of(AesWrappingKey.of("key-1", new byte[32]));
    Query query = Query.partition("Sales").segmentSize(3);
    List<String> found = new ArrayList<>();

    PageTokens pages = PageTokens.of(keys).validFor(Duration.ofHours(1));

    String cursor = null;
    do {
      cursor = page(employees, pages, query, "user-7", cursor, found);
    } while (cursor != null);
    assertThat(found).containsExactly("Jones", "Smith", "New", "Newer");
  }

  private static @Nullable String page(
      Table<Employee> employees,
      PageTokens pages,
      Query query,
      String user,
      @Nullable String cursor,
      List<String> found) {
    Token start = cursor == null ? null : pages.open(cursor, "Employees", query, user).block(MAX);
    Segment<Employee> page = employees.segment(query, start);
    String nextCursor =
        page.next() == null ? null : pages.seal(page.next(), "Employees", query, user).block(MAX);
    page.values().forEach(employee -> found.add(employee.lastName()));
    return nextCursor;
  }

  private static void queries(Table<Employee> employees) {
    Query range = where(partitionKey().eq("Sales").and(rowKey().ge("B")).and(rowKey().lt("C")));
    Query older = Query.partition("Sales").and(property(employees.codec(), Employee::age).gt(30));
    Query byPrefix = Query.prefix("Sales", "0001").select("LastName").top(10);

    Explanation explanation = older.explain();

    assertThat(explanation.kind()).isEqualTo(Explanation.Kind.PARTITION);
    assertThat(employees.query(range)).isEmpty();
    assertThat(byPrefix.explain().kind()).isEqualTo(Explanation.Kind.ROW_RANGE);
    List<String> names = new ArrayList<>();

    try (Stream<Employee> all = employees.query(older)) {
      all.forEach(employee -> names.add(employee.lastName()));
    }

    Segment<Employee> first = employees.segment(Query.all().segmentSize(100), null);
    String bookmark = first.next() == null ? null : first.next().text();

    List<Employee> everywhere = employees.fanOut(List.of("Sales", "IT"), Query.all(), 4);

    assertThat(names).containsExactly("Jones");
    assertThat(Optional.ofNullable(bookmark).map(Token::parse))
        .isEqualTo(Optional.ofNullable(first.next()));
    assertThat(
            ACCOUNT.valuesOf(
                token -> token == null ? first : employees.segment(Query.all(), token)))
        .hasSize(1);
    assertThat(everywhere).hasSize(1);
  }

  private static void explanations(String table) {
    List<String> lines = new ArrayList<>();

    TableServiceAsyncClient service =
        new TableServiceClientBuilder()
            .connectionString(ACCOUNT.connectionString())
            .addPolicy(new AddHeadersFromContextPolicy())
            .buildAsyncClient();
    Table<Employee> employees = Table.of(service.getTableClient(table), Employee.class);
    Query jones = Query.partition("Sales").and(property("LastName").eq("Jones"));

    Optional<ServerExplanation> before = employees.explain(jones);
    before
        .map(ServerExplanation::advice)
        .ifPresent(advice -> lines.add(advice.text() + " See " + advice.page()));

    Segment<Employee> run = employees.explainedSegment(jones, null);
    ServerExplanation after = run.explanation();
    if (after != null) {
      lines.add(after.read().count() + " read in " + after.time());
    }

    assertThat(lines).hasSize(after == null ? 0 : 2);
    assertThat(String.join("", lines)).matches(after == null ? "" : ".* See docs/.*[0-9]+ read.*");
  }

  private static void batches(Table<Employee> employees, Employee jones) {
    Employee smith = Employee.of("000124", "Smith");
    EntityKey brown = new EntityKey("Sales", "000125");
    employees.insert(Employee.of("000125", "Brown"));

    employees.batch(
        Batch.of(insert(smith), merge(jones, Condition.any()), delete(brown, Condition.any())));

    List<Employee> hires = List.of(Employee.of("000126", "New"), Employee.of("000127", "Newer"));

    int made = employees.inChunks(hires.stream().map(Write::insert).toList(), 4);

    assertThat(made).isEqualTo(2);
    assertThat(employees.query(Query.all())).hasSize(4);
  }
}
