package io.lazuli.conformance.table.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.rest.PagedIterable;
import com.azure.core.util.Context;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.ListTablesOptions;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableItem;
import com.azure.data.tables.models.TableServiceException;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tables through the official client. */
@Covers(Area.OPERATIONS)
class SdkTablesConformanceTest {

  private final TableServiceClient service = SdkTables.service();
  private final String prefix = ScratchTable.freshName();

  private String named(String suffix) {
    return ScratchTable.named(prefix + suffix).name();
  }

  private PagedIterable<TableItem> list(ListTablesOptions options) {
    options.setFilter("TableName ge '" + prefix + "' and TableName lt '" + prefix + "zz'");
    return service.listTables(options, null, Context.NONE);
  }

  @Test
  @Documented("table-rest 6.3, 9.4")
  void aTableIsCreatedOnce() {
    assertThat(service.createTable(named("a")).getTableName()).isEqualTo(prefix + "a");
    assertThatThrownBy(() -> service.createTable(prefix + "a"))
        .isInstanceOfSatisfying(
            TableServiceException.class,
            e -> {
              assertThat(e.getResponse().getStatusCode()).isEqualTo(409);
              assertThat(e.getValue().getErrorCode())
                  .isEqualTo(TableErrorCode.TABLE_ALREADY_EXISTS);
            });
  }

  @Test
  @Documented("table-rest 9.4")
  void createIfNotExistsTellsWhetherItCreated() {
    assertThat(service.createTableIfNotExistsWithResponse(named("a"), null, null).getStatusCode())
        .isEqualTo(204);
    assertThat(service.createTableIfNotExistsWithResponse(prefix + "a", null, null).getStatusCode())
        .isEqualTo(409);
    service.createTableIfNotExists(prefix + "a");
  }

  @Test
  @Documented("table-rest 6.1")
  void tablesAreListedInOrderAndByPage() {
    List<String> names = IntStream.range(0, 5).mapToObj(i -> named("n" + i)).toList();
    names.forEach(service::createTable);
    assertThat(list(new ListTablesOptions()).stream().map(TableItem::getName)).isEqualTo(names);
    List<Integer> sizes =
        list(new ListTablesOptions().setTop(2))
            .streamByPage()
            .map(page -> page.getValue().size())
            .toList();
    assertThat(sizes).startsWith(2, 2, 1);
    assertThat(list(new ListTablesOptions().setTop(2)).stream().map(TableItem::getName))
        .containsExactlyElementsOf(names);
  }

  @Test
  @Documented("table-rest 6.4, 9.4")
  void deletingTwiceIsNoError() {
    service.createTable(named("a"));
    service.deleteTable(prefix + "a");
    service.deleteTable(prefix + "a");
    assertThat(list(new ListTablesOptions())).isEmpty();
    assertThat(service.createTable(prefix + "a").listEntities()).isEmpty();
  }

  @Test
  @Documented("table-rest 5.1")
  void badNamesAreRefusedByTheService() {
    assertThatThrownBy(() -> service.createTable("1" + prefix))
        .isInstanceOfSatisfying(
            TableServiceException.class,
            e -> assertThat(e.getValue().getErrorCode()).hasToString("InvalidResourceName"));
  }

  @Test
  @Documented("table-rest 6.8")
  void aTableThatIsNotThereIsNamedInTheError() {
    assertThatThrownBy(() -> service.getTableClient(prefix).listEntities().stream().toList())
        .isInstanceOfSatisfying(
            HttpResponseException.class,
            e -> {
              assertThat(e.getResponse().getStatusCode()).isEqualTo(404);
              assertThat(e).hasMessageContaining("\"TableNotFound\"");
            });
  }
}
