package io.lazuli.conformance.table.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionResponse;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.models.TableTransactionFailedException;
import com.azure.data.tables.models.TableTransactionResult;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entity group transactions through the official client. */
@Covers(Area.BATCH)
class SdkTransactionsConformanceTest {

  private final TableClient table = SdkTables.create();

  private static TableTransactionAction action(
      TableTransactionActionType type, String rowKey, int value) {
    TableEntity entity = new TableEntity("p", rowKey).addProperty("V", value);
    return new TableTransactionAction(type, entity);
  }

  private static TableTransactionAction create(String rowKey) {
    return action(TableTransactionActionType.CREATE, rowKey, 1);
  }

  private void expectFailure(List<TableTransactionAction> actions, int index, TableErrorCode code) {
    List<TableEntity> before = table.listEntities().stream().toList();
    assertThatThrownBy(() -> table.submitTransaction(actions))
        .isInstanceOfSatisfying(
            TableTransactionFailedException.class,
            e -> {
              assertThat(e.getFailedTransactionActionIndex()).isEqualTo(index);
              assertThat(e.getValue().getErrorCode()).isEqualTo(code);
            });
    assertThat(table.listEntities().stream().map(TableEntity::getETag).toList())
        .isEqualTo(before.stream().map(TableEntity::getETag).toList());
  }

  @Test
  @Documented("mission T14")
  void everyKindOfActionInOneTransaction() {
    for (String row : List.of("update", "replace", "delete", "upsert")) {
      table.createEntity(new TableEntity("p", row).addProperty("Old", true));
    }
    TableTransactionResult result =
        table.submitTransaction(
            List.of(
                create("new"),
                action(TableTransactionActionType.UPDATE_MERGE, "update", 2),
                action(TableTransactionActionType.UPDATE_REPLACE, "replace", 3),
                action(TableTransactionActionType.UPSERT_MERGE, "upsert", 4),
                action(TableTransactionActionType.UPSERT_REPLACE, "upsert2", 5),
                action(TableTransactionActionType.DELETE, "delete", 0)));
    assertThat(result.getTransactionActionResponses())
        .extracting(TableTransactionActionResponse::getStatusCode)
        .containsOnly(204)
        .hasSize(6);
    assertThat(table.listEntities().stream().map(TableEntity::getRowKey))
        .containsExactly("new", "replace", "update", "upsert", "upsert2");
    assertThat(table.getEntity("p", "update").getProperties()).containsKey("Old");
    assertThat(table.getEntity("p", "replace").getProperties()).doesNotContainKey("Old");
  }

  @Test
  @Documented("mission T6")
  void hundredActions() {
    List<TableTransactionAction> actions = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      actions.add(create("%03d".formatted(i)));
    }
    assertThat(table.submitTransaction(actions).getTransactionActionResponses()).hasSize(100);
    assertThat(table.listEntities()).hasSize(100);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 99})
  @Documented("mission T14: the error names the index")
  void theFailedActionIsNamed(int index) {
    table.createEntity(new TableEntity("p", "there"));
    List<TableTransactionAction> actions = new ArrayList<>();
    for (int i = 0; i < Math.max(3, index + 1); i++) {
      actions.add(create(i == index ? "there" : "new%03d".formatted(i)));
    }
    expectFailure(actions, index, TableErrorCode.ENTITY_ALREADY_EXISTS);
  }

  @Test
  @Documented("table-rest 8.5")
  void updatesOfWhatIsNotThereFail() {
    for (TableTransactionActionType type :
        List.of(
            TableTransactionActionType.UPDATE_MERGE,
            TableTransactionActionType.UPDATE_REPLACE,
            TableTransactionActionType.DELETE)) {
      expectFailure(
          List.of(create("new"), action(type, "missing", 1)), 1, TableErrorCode.RESOURCE_NOT_FOUND);
    }
  }

  @Test
  @Documented("table-rest 8.1: duplicate rows, which the client itself checks first")
  void aRowAppearsOnce() {
    assertThatThrownBy(() -> table.submitTransaction(List.of(create("a"), create("a"))))
        .isInstanceOf(RuntimeException.class);
    assertThat(table.listEntities()).isEmpty();
  }

  @Test
  @Documented("table-rest 8.1")
  @Differs("Azurite 3.37.0 stores both")
  void allRowsAreOfOnePartition() {
    TableTransactionAction other =
        new TableTransactionAction(TableTransactionActionType.CREATE, new TableEntity("q", "r"));
    assertThatThrownBy(() -> table.submitTransaction(List.of(create("a"), other)))
        .isInstanceOf(RuntimeException.class);
    assertThat(table.listEntities()).isEmpty();
  }

  @Test
  @Documented("table-rest 8.5")
  void aTransactionOnAMissingTableFails() {
    TableClient missing = SdkTables.service().getTableClient(table.getTableName() + "x");
    assertThatThrownBy(() -> missing.submitTransaction(List.of(create("a"))))
        .isInstanceOfSatisfying(
            TableTransactionFailedException.class,
            e -> assertThat(e.getValue().getErrorCode()).isEqualTo(TableErrorCode.TABLE_NOT_FOUND));
  }

  @Test
  @Documented("table-rest 2.2, 8.3")
  void oddKeysTravelInTransactions() {
    List<String> keys = List.of("O'Neil", "a b", "+,$", "=& ", "é", "日本", "😀", "%");
    List<TableTransactionAction> upserts = new ArrayList<>();
    keys.forEach(key -> upserts.add(action(TableTransactionActionType.UPSERT_MERGE, key, 1)));
    table.submitTransaction(upserts);
    assertThat(table.listEntities().stream().map(TableEntity::getRowKey))
        .containsExactlyInAnyOrderElementsOf(keys);
    List<TableTransactionAction> deletes = new ArrayList<>();
    keys.forEach(key -> deletes.add(action(TableTransactionActionType.DELETE, key, 1)));
    table.submitTransaction(deletes);
    assertThat(table.listEntities()).isEmpty();
  }
}
