package io.lazuli.client.table;

import static io.lazuli.client.query.Filter.not;
import static io.lazuli.client.query.Filter.property;
import static io.lazuli.client.query.Filter.rowKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.MappingFailure;
import io.lazuli.client.entity.Name;
import io.lazuli.client.entity.TypeName;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.large.AsyncLargeTable;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
import io.lazuli.client.pattern.outbox.Outbox;
import io.lazuli.client.pattern.spread.AsyncSpread;
import io.lazuli.client.pattern.spread.KeySpreader;
import io.lazuli.client.query.Filter;
import io.lazuli.client.query.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Queries that name properties which the type does not have, or leave out those that it needs. */
class QueryCheckTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  record Employee(
      String partitionKey,
      String rowKey,
      @Name("Family_name") String lastName,
      int age,
      Optional<String> email) {}

  record Email(String partitionKey, String rowKey, String email) {}

  sealed interface Staff permits Manager, Visitor {}

  @TypeName("Manager")
  record Manager(String partitionKey, String rowKey, int reports) implements Staff {}

  @TypeName("Visitor")
  record Visitor(String partitionKey, String rowKey, @Name("Host") String reports)
      implements Staff {}

  private final TestClient client = TestClient.of(ACCOUNT);
  private final String name = client.newTable();
  private final Table<Employee> employees = Table.of(client.table(name), Employee.class);

  @BeforeEach
  void fill() {
    employees.insert(new Employee("p", "1", "Jones", 40, Optional.of("jones@contoso.com")));
  }

  @Test
  void aPropertyThatTheTypeDoesNotHaveIsRefused() {
    Filter typo = property("Lastname").eq("Jones");
    unknown("Lastname", () -> employees.query(Query.where(typo)).toList());
    unknown("Lastname", () -> employees.query(Query.partition("p").and(not(typo))).toList());
    unknown("Lastname", () -> employees.query(Query.where(rowKey().eq("1").or(typo))).toList());
    unknown("Lastname", () -> employees.segment(Query.where(typo), null));
    unknown("Lastname", () -> employees.fanOut(List.of("p"), Query.where(typo), 1));
    unknown("lastName", () -> employees.query(Query.where(property("lastName").eq("x"))).toList());
    Query mail = Query.all().select("Family_name", "Age", "Mail");
    unknown("Mail", () -> employees.query(mail).toList());
  }

  @Test
  void patternsRefuseItToo() {
    Query typo = Query.where(property("Lastname").eq("Jones"));
    AsyncTable<Employee> table = employees.async();
    unknown(
        "Lastname",
        () ->
            AsyncLargeTable.of(table, client.container("unused"))
                .query(typo)
                .collectList()
                .block());
    unknown(
        "Lastname",
        () ->
            AsyncPrimaryTable.of("kind", table, Outbox.of(client.queue("unused")))
                .query(typo)
                .collectList()
                .block());
    unknown(
        "Lastname",
        () -> AsyncSpread.of(table, KeySpreader.of(2)).query("p", typo).collectList().block());
  }

  @Test
  void propertiesOfTheTypeAndOfTheServiceAreAllowed() {
    Filter all =
        property("Family_name")
            .eq("Jones")
            .and(property("Age").eq(40))
            .and(property("Timestamp").gt(Instant.EPOCH))
            .and(property("PartitionKey").eq("p"));
    assertThat(employees.query(Query.where(all))).hasSize(1);
    assertThat(employees.query(Query.all().select("RowKey", "Timestamp", "Family_name", "Age")))
        .containsExactly(new Employee("p", "1", "Jones", 40, Optional.empty()));
  }

  @Test
  void aPropertyOfAnotherTypeOrOfADynamicEntityIsAllowed() {
    Query older = Query.where(property(employees.codec(), Employee::age).ge(40)).select("Email");
    assertThat(employees.as(EntityCodec.of(Email.class)).query(older))
        .containsExactly(new Email("p", "1", "jones@contoso.com"));
    Query unmapped = Query.where(property("Extra").eq(1));
    assertThat(employees.as(EntityCodec.dynamic()).query(unmapped)).isEmpty();
  }

  @Test
  void anyClassOfAFamilyMayHaveTheProperty() {
    Table<Staff> staff = employees.as(EntityCodec.of(Staff.class));
    assertThat(staff.query(Query.where(property("Reports").eq(1)))).isEmpty();
    assertThat(staff.query(Query.where(property("Host").eq("x")))).isEmpty();
    assertThat(staff.query(Query.where(property("EntityType").eq("Visitor")))).isEmpty();
    unknown("Guest", () -> staff.query(Query.where(property("Guest").eq("x"))).toList());
  }

  @Test
  void aProjectionThatLeavesOutMembersSaysSo() {
    int sent =
        client.count(
            () ->
                assertThatThrownBy(() -> employees.query(Query.all().select("Email")).toList())
                    .isInstanceOf(MappingFailure.class)
                    .hasMessageContaining("Employee.lastName is missing")
                    .hasMessageContaining("the query selects only [Email]")
                    .hasMessageContaining("select Family_name, Age too"));
    assertThat(sent).as("requests").isZero();
    assertThatThrownBy(() -> employees.segment(Query.all().select("Age"), null))
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("Employee.lastName is missing");
    assertThat(employees.query(Query.all().select("Age", "Family_name")))
        .containsExactly(new Employee("p", "1", "Jones", 40, Optional.empty()));
  }

  @Test
  void aProjectionOfAFamilyNeedsTheMembersOfTheClassesThatItFinds() {
    Table<TableEntity> stored = employees.as(EntityCodec.dynamic());
    Table<Staff> staff = employees.as(EntityCodec.of(Staff.class));
    stored.deleteIfExists(new EntityKey("p", "1"));
    staff.insert(new Manager("p", "1", 5));
    staff.insert(new Visitor("p", "2", "Ann"));
    assertThat(staff.query(Query.where(rowKey().eq("1")).select("Reports")))
        .containsExactly(new Manager("p", "1", 5));
    assertThatThrownBy(() -> staff.query(Query.all().select("Reports")).toList())
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("Visitor.reports is missing: the query selects only [Reports]");
  }

  private static void unknown(String property, ThrowingCallable query) {
    assertThatThrownBy(query)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + property + "'")
        .hasMessageContaining("EntityCodec.dynamic()");
  }
}
