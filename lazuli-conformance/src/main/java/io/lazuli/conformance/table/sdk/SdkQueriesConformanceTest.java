package io.lazuli.conformance.table.sdk;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries through the official client: the ten filters of the design guide, pages and tokens. */
@Covers(Area.FILTERS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SdkQueriesConformanceTest {

  private final TableClient employees = SdkTables.create();
  private final TableClient many = SdkTables.create();

  @BeforeAll
  void fill() {
    employee("Sales", "2", "Smith");
    employee("Sales", "121", "Jones");
    employee("Sales", "322", "Brown");
    employee("Sales", "Samson", "Smith");
    employee("Sales", "Tina", "Turner");
    for (String id : List.of("000099", "000100", "000123", "000124", "000199", "000200")) {
      employee("Sales", "empid_" + id, "Id");
    }
    employee("Sales", "email_adam@x", "Mail");
    employee("Sales", "email_betty@x", "Mail");
    employee("empid_Sales", "000223", "Jones");
    employee("empid", "1", "Expense");
    employee("empid", "2", "Expense");
    for (int start = 0; start < 1100; start += 100) {
      many.submitTransaction(
          IntStream.range(start, start + 100)
              .mapToObj(i -> new TableEntity("p", "%04d".formatted(i)).addProperty("N", i))
              .map(e -> new TableTransactionAction(TableTransactionActionType.CREATE, e))
              .toList());
    }
  }

  private void employee(String partition, String row, String lastName) {
    employees.createEntity(new TableEntity(partition, row).addProperty("LastName", lastName));
  }

  /**
   * The queries of mission 6, the rows they find, and the kind of plan that Lazuli reports for
   * them.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "(PartitionKey eq 'Sales') and (RowKey eq '2') | 2 | point",
        "PartitionKey eq 'Sales' and RowKey ge 'S' and RowKey lt 'T' | Samson | range",
        "PartitionKey eq 'Sales' and LastName eq 'Smith' | 2 Samson | partition",
        "LastName eq 'Jones' | 121 000223 | table",
        "PartitionKey eq 'Sales' and (RowKey eq '121' or RowKey eq '322') | 121 322 | seeks(2)",
        "(PartitionKey eq 'Sales') and (RowKey ge 'empid_000100') and (RowKey le 'empid_000199')"
            + " | empid_000100 empid_000123 empid_000124 empid_000199 | range",
        "(PartitionKey eq 'Sales') and (RowKey ge 'email_a') and (RowKey lt 'email_b')"
            + " | email_adam@x | range",
        "(PartitionKey eq 'empid_Sales') and (RowKey eq '000223') | 000223 | point",
        "(PartitionKey eq 'Sales') and (RowKey ge 'empid_000123') and (RowKey lt 'empid_000124')"
            + " | empid_000123 | range",
        "PartitionKey eq 'empid' | 1 2 | partition"
      })
  @Documented("mission 6, T8 to T10")
  void theQueriesOfTheDesignGuide(String filter, String rows, String kind) {
    List<String> found =
        employees.listEntities(new ListEntitiesOptions().setFilter(filter), null, null).stream()
            .map(TableEntity::getRowKey)
            .toList();
    assertThat(String.join(" ", found)).isEqualTo(rows);
    expectKind(filter, kind);
  }

  /** Checks the kind of plan if the service reports it. */
  private void expectKind(String filter, String kind) {
    WireAnswer answer =
        ScratchTable.sharedWire()
            .get("/" + employees.getTableName() + "()?$filter=" + Keys.encode(filter))
            .send();
    expect(answer).status(200);
    answer.header("x-lazuli-plan").ifPresent(plan -> assertThat(plan).startsWith(kind));
  }

  @Test
  @Documented("mission 6")
  void namesThatCannotBeStoredMayBeSelected() {
    ListEntitiesOptions options =
        new ListEntitiesOptions()
            .setFilter(
                "(PartitionKey eq 'Sales') and (RowKey ge 'empid_000123') and (RowKey lt"
                    + " 'empid_000124')")
            .setSelect(List.of("RowKey", "Manager Rating", "Peer Rating", "Comments"));
    List<TableEntity> found = employees.listEntities(options, null, null).stream().toList();
    assertThat(found).hasSize(1);
    assertThat(found.get(0).getProperties()).doesNotContainKey("LastName");
  }

  @Test
  @Covers(Area.PAGING)
  @Documented("mission T11")
  void allEntitiesComeOverAllPages() {
    List<String> rows = many.listEntities().stream().map(TableEntity::getRowKey).toList();
    assertThat(rows).isEqualTo(IntStream.range(0, 1100).mapToObj("%04d"::formatted).toList());
    List<Integer> pages = new ArrayList<>();
    many.listEntities().iterableByPage().forEach(page -> pages.add(page.getValue().size()));
    assertThat(pages).containsExactly(1000, 100);
  }

  @Test
  @Covers(Area.PAGING)
  @Documented("table-rest 7.6")
  void aTokenLeadsToTheNextPageLater() {
    ListEntitiesOptions options = new ListEntitiesOptions().setTop(400);
    PagedResponse<TableEntity> first =
        many.listEntities(options, null, null).iterableByPage().iterator().next();
    assertThat(first.getValue()).hasSize(400);
    PagedResponse<TableEntity> second =
        many.listEntities(options, null, null)
            .iterableByPage(first.getContinuationToken())
            .iterator()
            .next();
    assertThat(second.getValue().get(0).getRowKey()).isEqualTo("0400");
    assertThat(second.getValue()).hasSize(400);
  }

  @Test
  @Covers(Area.PAGING)
  @Documented("table-rest 7.1")
  void topIsThePageSizeNotATotal() {
    ListEntitiesOptions options = new ListEntitiesOptions().setTop(300).setFilter("N ge 100");
    List<Integer> pages = new ArrayList<>();
    many.listEntities(options, null, null)
        .iterableByPage()
        .forEach(page -> pages.add(page.getValue().size()));
    assertThat(pages.stream().mapToInt(Integer::intValue).sum()).isEqualTo(1000);
    assertThat(pages).startsWith(300, 300, 300, 100);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "N eq 5 | 1",
        "N ge 1090 | 10",
        "N lt 10 or N ge 1095 | 15",
        "not (N lt 1099) | 1",
        "RowKey ge '0500' and RowKey lt '0600' and N ne 550 | 99",
        "Missing ne 5 | 0"
      })
  @Documented("table-rest 7.2")
  void filtersCount(String filter, int count) {
    assertThat(many.listEntities(new ListEntitiesOptions().setFilter(filter), null, null))
        .hasSize(count);
  }

  @Test
  @Documented("table-rest 7.5")
  void selectedPropertiesAlone() {
    ListEntitiesOptions options =
        new ListEntitiesOptions().setFilter("N eq 7").setSelect(List.of("N", "Missing"));
    TableEntity entity = many.listEntities(options, null, null).iterator().next();
    assertThat(entity.getProperty("N")).isEqualTo(7);
    assertThat(entity.getProperty("Missing")).isNull();
  }
}
