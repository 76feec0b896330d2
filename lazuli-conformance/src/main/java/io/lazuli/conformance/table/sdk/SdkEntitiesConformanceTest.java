package io.lazuli.conformance.table.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.rest.Response;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceException;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Single entities through the official client. */
@Covers(Area.OPERATIONS)
class SdkEntitiesConformanceTest {

  private final TableClient table = SdkTables.create();

  private static TableEntity entity(String rowKey) {
    return new TableEntity("p", rowKey);
  }

  private static void expectError(ThrowingCallable call, int status, TableErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TableServiceException.class,
            e -> {
              assertThat(e.getResponse().getStatusCode()).isEqualTo(status);
              assertThat(e.getValue().getErrorCode()).isEqualTo(code);
            });
  }

  @Test
  @Covers(Area.TYPES)
  @Documented("table-rest 4.3, 15 types")
  void allTypesComeBackAtTheirExtremes() {
    Map<String, Object> values =
        Map.ofEntries(
            Map.entry("EmptyString", ""),
            Map.entry("Text", "ä'\"\\\n日本😀"),
            Map.entry("LongText", "x".repeat(32768)),
            Map.entry("IntMin", Integer.MIN_VALUE),
            Map.entry("IntMax", Integer.MAX_VALUE),
            Map.entry("LongMin", Long.MIN_VALUE),
            Map.entry("LongMax", Long.MAX_VALUE),
            Map.entry("DoubleMin", Double.MIN_VALUE),
            Map.entry("DoubleMax", Double.MAX_VALUE),
            Map.entry("WholeDouble", 5.0),
            Map.entry("True", true),
            Map.entry("False", false),
            Map.entry("First", OffsetDateTime.parse("1601-01-01T00:00:00Z")),
            Map.entry("Last", OffsetDateTime.parse("9999-12-31T23:59:59.9999999Z")),
            Map.entry("Guid", UUID.fromString("c9da6455-213d-42c9-9a79-3e9149a57833")));
    table.createEntity(entity("r").setProperties(values));
    Map<String, Object> read = table.getEntity("p", "r").getProperties();
    values.forEach((name, value) -> assertThat(read).containsEntry(name, value));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65536})
  @Covers(Area.TYPES)
  @Documented("table-rest 4.3, 5.3")
  void bytesComeBack(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 0xfb);
    table.createEntity(entity("r").addProperty("B", bytes));
    assertThat((byte[]) table.getEntity("p", "r").getProperty("B")).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0, -0.0, 5.0, 1e16, -Double.MAX_VALUE, Double.MIN_VALUE, 0.1})
  @Covers(Area.TYPES)
  @Documented("table-rest 4.3: this client sends NaN and infinities as strings")
  void doublesComeBackAsDoubles(double value) {
    table.createEntity(entity("r").addProperty("D", value));
    assertThat(table.getEntity("p", "r").getProperty("D")).isEqualTo(value);
  }

  @Test
  @Covers(Area.TYPES)
  @Documented("table-rest 4.5: nine digits are cut to seven")
  void timesKeepSevenDigits() {
    OffsetDateTime time = OffsetDateTime.parse("2024-01-15T10:29:58.123456789Z");
    table.createEntity(entity("r").addProperty("T", time));
    assertThat(table.getEntity("p", "r").getProperty("T")).isEqualTo(time.withNano(123_456_700));
  }

  @Test
  @Documented("mission T1")
  void theServiceSetsTimestampAndETag() {
    table.createEntity(entity("r"));
    TableEntity read = table.getEntity("p", "r");
    assertThat(read.getTimestamp().toInstant())
        .isBetween(Instant.now().minusSeconds(300), Instant.now().plusSeconds(300));
    assertThat(read.getETag()).startsWith("W/\"datetime'");
  }

  @Test
  @Documented("mission T3")
  void anEntityIsInsertedOnce() {
    table.createEntity(entity("r"));
    expectError(() -> table.createEntity(entity("r")), 409, TableErrorCode.ENTITY_ALREADY_EXISTS);
  }

  @Test
  @Documented("table-rest 6.8, 7.5")
  void aReadMaySelectProperties() {
    table.createEntity(entity("r").addProperty("A", 1).addProperty("B", 2));
    Response<TableEntity> read =
        table.getEntityWithResponse("p", "r", List.of("A"), Duration.ofSeconds(30), null);
    assertThat(read.getValue().getProperties()).containsEntry("A", 1).doesNotContainKey("B");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "O'Neil", "a b", ":@", "+,$", "=& ", "\"", "%", "%27", "é", "日本", "😀", "a&b"})
  @Covers(Area.ADDRESSING)
  @Documented("table-rest 2.2, 15 addressing")
  void anyKeyIsFoundAgain(String key) {
    TableEntity entity = new TableEntity(key.isEmpty() ? "p" : key, key).addProperty("V", 1);
    table.createEntity(entity);
    String partition = entity.getPartitionKey();
    TableEntity read = table.getEntity(partition, key);
    assertThat(read.getRowKey()).isEqualTo(key);
    table.updateEntity(read.addProperty("V", 2), TableEntityUpdateMode.MERGE);
    assertThat(table.getEntity(partition, key).getProperty("V")).isEqualTo(2);
    table.deleteEntity(partition, key);
    assertThat(table.listEntities()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(TableEntityUpdateMode.class)
  @Documented("table-rest 6.10")
  void anUpsertInsertsAndThenUpdates(TableEntityUpdateMode mode) {
    table.upsertEntityWithResponse(entity("r").addProperty("A", 1), mode, null, null);
    table.upsertEntityWithResponse(entity("r").addProperty("B", 2), mode, null, null);
    TableEntity read = table.getEntity("p", "r");
    assertThat(read.getProperty("B")).isEqualTo(2);
    assertThat(read.getProperties().containsKey("A"))
        .isEqualTo(mode == TableEntityUpdateMode.MERGE);
  }

  @ParameterizedTest
  @EnumSource(TableEntityUpdateMode.class)
  @Documented("table-rest 6.10")
  void anUpdateNeedsAnEntity(TableEntityUpdateMode mode) {
    expectError(
        () -> table.updateEntity(entity("r"), mode), 404, TableErrorCode.RESOURCE_NOT_FOUND);
  }

  @ParameterizedTest
  @EnumSource(TableEntityUpdateMode.class)
  @Covers(Area.CONCURRENCY)
  @Documented("mission T13")
  void anUpdateWithAStaleTagIsRefused(TableEntityUpdateMode mode) {
    table.createEntity(entity("r").addProperty("V", 0));
    TableEntity first = table.getEntity("p", "r");
    TableEntity second = table.getEntity("p", "r");
    assertThat(
            table
                .updateEntityWithResponse(first.addProperty("V", 1), mode, true, null, null)
                .getStatusCode())
        .isEqualTo(204);
    expectError(
        () -> table.updateEntityWithResponse(second.addProperty("V", 2), mode, true, null, null),
        412,
        TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED);
    expectError(
        () -> table.deleteEntityWithResponse(second, true, null, null),
        412,
        TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED);
    assertThat(table.getEntity("p", "r").getProperty("V")).isEqualTo(1);
    table.updateEntity(second, mode);
    assertThat(table.getEntity("p", "r").getProperty("V")).isEqualTo(2);
  }

  @Test
  @Documented("table-rest 6.11, 9.4")
  void deletingTwiceIsNoError() {
    table.createEntity(entity("r"));
    table.deleteEntity("p", "r");
    table.deleteEntity("p", "r");
    expectError(() -> table.getEntity("p", "r"), 404, TableErrorCode.RESOURCE_NOT_FOUND);
  }

  @Test
  @Documented("mission T2")
  void entitiesOfDifferentShapeShareAPartition() {
    table.createEntity(
        new TableEntity("Sales", "0001").addProperty("FirstName", "Don").addProperty("Age", 34));
    table.createEntity(
        new TableEntity("Sales", "Department")
            .addProperty("DepartmentName", "Sales")
            .addProperty("Age", "ten years"));
    assertThat(table.listEntities().stream().map(entity -> entity.getProperty("Age")))
        .containsExactly(34, "ten years");
  }
}
