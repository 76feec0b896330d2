package io.lazuli.conformance.table.sdk;

import static io.lazuli.conformance.support.LegacyFailure.expectError;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.azure.storage.CloudStorageAccount;
import com.microsoft.azure.storage.ResultContinuation;
import com.microsoft.azure.storage.ResultSegment;
import com.microsoft.azure.storage.RetryLinearRetry;
import com.microsoft.azure.storage.RetryNoRetry;
import com.microsoft.azure.storage.StorageException;
import com.microsoft.azure.storage.table.CloudTable;
import com.microsoft.azure.storage.table.CloudTableClient;
import com.microsoft.azure.storage.table.DynamicTableEntity;
import com.microsoft.azure.storage.table.EdmType;
import com.microsoft.azure.storage.table.EntityProperty;
import com.microsoft.azure.storage.table.TableBatchOperation;
import com.microsoft.azure.storage.table.TableOperation;
import com.microsoft.azure.storage.table.TablePayloadFormat;
import com.microsoft.azure.storage.table.TableQuery;
import com.microsoft.azure.storage.table.TableQuery.QueryComparisons;
import com.microsoft.azure.storage.table.TableRequestOptions;
import com.microsoft.azure.storage.table.TableResult;
import com.microsoft.azure.storage.table.TableServiceException;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.table.ScratchTable;
import java.net.URISyntaxException;
import java.security.InvalidKeyException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The main operations through the previous official client, with SharedKey, MERGE and echoed
 * inserts.
 */
@Covers(Area.OPERATIONS)
class LegacyClientConformanceTest {

  private final CloudTableClient client;
  private final CloudTable table;

  LegacyClientConformanceTest() throws URISyntaxException, InvalidKeyException, StorageException {
    client =
        CloudStorageAccount.parse(AccountUnderTest.get(StorageService.TABLE).connectionString())
            .createCloudTableClient();
    TableRequestOptions options = client.getDefaultRequestOptions();
    boolean mayBeThrottled = AccountUnderTest.isElsewhere();
    options.setRetryPolicyFactory(
        mayBeThrottled ? new RetryLinearRetry(1000, 3) : new RetryNoRetry());
    options.setMaximumExecutionTimeInMs(60_000);
    table = client.getTableReference(ScratchTable.named(ScratchTable.freshName()).name());
    table.create();
  }

  private static DynamicTableEntity entity(String rowKey, Object... namesAndValues) {
    HashMap<String, EntityProperty> properties = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.put((String) namesAndValues[i], property(namesAndValues[i + 1]));
    }
    return new DynamicTableEntity("p", rowKey, null, properties);
  }

  private static EntityProperty property(Object value) {
    return value instanceof Integer number
        ? new EntityProperty(number)
        : new EntityProperty((String) value);
  }

  private DynamicTableEntity read(String rowKey) throws StorageException {
    return table
        .execute(TableOperation.retrieve("p", rowKey, DynamicTableEntity.class))
        .getResultAsType();
  }

  private static EntityProperty value(DynamicTableEntity entity, String name) {
    return requireNonNull(entity.getProperties().get(name), name);
  }

  private List<String> rows() {
    List<String> rows = new ArrayList<>();
    table.execute(TableQuery.from(DynamicTableEntity.class)).forEach(e -> rows.add(e.getRowKey()));
    return rows;
  }

  @Test
  @Documented("table-rest 6.1 to 6.4")
  void tablesAreCreatedListedAndDeleted() throws StorageException, URISyntaxException {
    assertThat(table.exists()).isTrue();
    assertThat(table.createIfNotExists()).isFalse();
    expectError(table::create, 409, "TableAlreadyExists");
    assertThat(client.listTables(table.getName())).containsExactly(table.getName());
    assertThat(table.deleteIfExists()).isTrue();
    assertThat(table.deleteIfExists()).isFalse();
    assertThat(table.exists()).isFalse();
    expectError(() -> table.delete(), 404, "ResourceNotFound");
  }

  @Test
  @Covers(Area.TYPES)
  @Documented("table-rest 4.3")
  void allTypesComeBack() throws StorageException {
    UUID guid = UUID.randomUUID();
    Date time = Date.from(Instant.ofEpochMilli(1_705_314_600_123L));
    HashMap<String, EntityProperty> values = new HashMap<>();
    values.put("S", new EntityProperty("ä日本"));
    values.put("I", new EntityProperty(Integer.MIN_VALUE));
    values.put("L", new EntityProperty(Long.MAX_VALUE));
    values.put("D", new EntityProperty(5.0));
    values.put("NaN", new EntityProperty(Double.NaN));
    values.put("Inf", new EntityProperty(Double.NEGATIVE_INFINITY));
    values.put("B", new EntityProperty(true));
    values.put("G", new EntityProperty(guid));
    values.put("T", new EntityProperty(time));
    values.put("X", new EntityProperty(new byte[] {1, 2, 3}));
    table.execute(TableOperation.insert(new DynamicTableEntity("p", "r", null, values)));
    DynamicTableEntity read = read("r");
    assertThat(value(read, "S").getValueAsString()).isEqualTo("ä日本");
    assertThat(value(read, "I").getValueAsInteger()).isEqualTo(Integer.MIN_VALUE);
    assertThat(value(read, "L").getValueAsLong()).isEqualTo(Long.MAX_VALUE);
    assertThat(value(read, "D").getValueAsDouble()).isEqualTo(5.0);
    assertThat(value(read, "NaN").getValueAsDouble()).isNaN();
    assertThat(value(read, "Inf").getValueAsDouble()).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(value(read, "B").getValueAsBoolean()).isTrue();
    assertThat(value(read, "G").getValueAsUUID()).isEqualTo(guid);
    assertThat(value(read, "T").getValueAsDate()).isEqualTo(time);
    assertThat(value(read, "X").getValueAsByteArray()).containsExactly(1, 2, 3);
  }

  @ParameterizedTest
  @EnumSource(TablePayloadFormat.class)
  @Documented("table-rest 4.2, 6.9")
  void anInsertMayEchoTheEntityAtEveryLevel(TablePayloadFormat format) throws StorageException {
    TableRequestOptions options = new TableRequestOptions();
    options.setTablePayloadFormat(format);
    options.setPropertyResolver((pk, rk, name, value) -> EdmType.STRING);
    TableResult result =
        table.execute(TableOperation.insert(entity("r", "S", "text"), true), options, null);
    assertThat(result.getHttpStatusCode()).isEqualTo(201);
    DynamicTableEntity echoed = result.getResultAsType();
    assertThat(value(echoed, "S").getValueAsString()).isEqualTo("text");
    assertThat(result.getEtag()).isNotEmpty();
  }

  @Test
  @Documented("table-rest 6.10: the verb MERGE")
  void mergeReplaceAndUpserts() throws StorageException {
    table.execute(TableOperation.insertOrMerge(entity("r", "A", 1)));
    table.execute(TableOperation.insertOrMerge(entity("r", "B", 2)));
    assertThat(read("r").getProperties()).containsOnlyKeys("A", "B");
    table.execute(TableOperation.insertOrReplace(entity("r", "C", 3)));
    assertThat(read("r").getProperties()).containsOnlyKeys("C");
    DynamicTableEntity current = read("r");
    current.getProperties().put("D", new EntityProperty(4));
    table.execute(TableOperation.merge(current));
    assertThat(read("r").getProperties()).containsOnlyKeys("C", "D");
    DynamicTableEntity again = read("r");
    again.getProperties().remove("C");
    table.execute(TableOperation.replace(again));
    assertThat(read("r").getProperties()).containsOnlyKeys("D");
    table.execute(TableOperation.delete(read("r")));
    assertThat(read("r")).isNull();
  }

  @Test
  @Covers(Area.CONCURRENCY)
  @Documented("mission T13")
  void staleTagsAreRefused() throws StorageException {
    table.execute(TableOperation.insert(entity("r", "V", 0)));
    DynamicTableEntity first = read("r");
    DynamicTableEntity second = read("r");
    table.execute(TableOperation.replace(first));
    expectError(
        () -> table.execute(TableOperation.replace(second)), 412, "UpdateConditionNotSatisfied");
    expectError(
        () -> table.execute(TableOperation.merge(second)), 412, "UpdateConditionNotSatisfied");
    expectError(
        () -> table.execute(TableOperation.delete(second)), 412, "UpdateConditionNotSatisfied");
    second.setEtag("*");
    table.execute(TableOperation.delete(second));
    expectError(() -> table.execute(TableOperation.delete(second)), 404, "ResourceNotFound");
  }

  @Test
  @Documented("table-rest 9.2")
  void anEntityIsInsertedOnce() throws StorageException {
    table.execute(TableOperation.insert(entity("r")));
    expectError(
        () -> table.execute(TableOperation.insert(entity("r"))), 409, "EntityAlreadyExists");
  }

  @Test
  @Covers(Area.PAGING)
  @Documented("table-rest 7.6")
  void segmentsFollowTheirTokens() throws StorageException {
    fill(1001);
    TableQuery<DynamicTableEntity> query = TableQuery.from(DynamicTableEntity.class);
    ResultSegment<DynamicTableEntity> first = table.executeSegmented(query, null);
    assertThat(first.getLength()).isEqualTo(1000);
    ResultContinuation token = first.getContinuationToken();
    ResultSegment<DynamicTableEntity> second = table.executeSegmented(query, token);
    assertThat(second.getLength()).isEqualTo(1);
    assertThat(second.getHasMoreResults()).isFalse();
    assertThat(rows()).hasSize(1001);
    assertThat(table.executeSegmented(query.take(37), null).getLength()).isEqualTo(37);
  }

  private void fill(int count) throws StorageException {
    for (int start = 0; start < count; start += 100) {
      TableBatchOperation batch = new TableBatchOperation();
      for (int i = start; i < Math.min(count, start + 100); i++) {
        batch.insert(entity("%04d".formatted(i), "N", i));
      }
      table.execute(batch);
    }
  }

  @Test
  @Covers(Area.FILTERS)
  @Documented("table-rest 7.2, 7.5")
  void queriesFilterAndSelect() throws StorageException {
    fill(20);
    String filter =
        TableQuery.combineFilters(
            TableQuery.generateFilterCondition("PartitionKey", QueryComparisons.EQUAL, "p"),
            TableQuery.Operators.AND,
            TableQuery.generateFilterCondition("N", QueryComparisons.GREATER_THAN, 17));
    TableQuery<DynamicTableEntity> query =
        TableQuery.from(DynamicTableEntity.class).where(filter).select(new String[] {"N"});
    List<Integer> found = new ArrayList<>();
    table.execute(query).forEach(e -> found.add(value(e, "N").getValueAsInteger()));
    assertThat(found).containsExactly(18, 19);
  }

  @Test
  @Covers(Area.BATCH)
  @Documented("table-rest 8")
  void aBatchDoesAllOrNothing() throws StorageException {
    fill(3);
    DynamicTableEntity stale = read("0000");
    table.execute(TableOperation.merge(read("0000")));
    TableBatchOperation good = new TableBatchOperation();
    good.insert(entity("new", "N", 1), true);
    good.insertOrReplace(entity("0001", "N", 100));
    good.delete(read("0002"));
    ArrayList<TableResult> results = table.execute(good);
    assertThat(results).extracting(TableResult::getHttpStatusCode).containsExactly(201, 204, 204);
    TableBatchOperation bad = new TableBatchOperation();
    bad.insert(entity("other"));
    bad.replace(stale);
    assertThatThrownBy(() -> table.execute(bad))
        .isInstanceOfSatisfying(
            TableServiceException.class,
            e -> {
              assertThat(e.getErrorCode()).isEqualTo("UpdateConditionNotSatisfied");
              assertThat(e.getExtendedErrorInformation().getErrorMessage()).startsWith("1:");
            });
    assertThat(rows()).containsExactly("0000", "0001", "new");
  }

  @Test
  @Covers(Area.BATCH)
  @Documented("table-rest 8.1: this SDK sends X-HTTP-Method: MERGE in addition to the verb MERGE")
  void batchesMerge() throws StorageException {
    table.execute(TableOperation.insert(entity("r", "A", 1)));
    DynamicTableEntity change = entity("r", "B", 2);
    change.setEtag("*");
    TableBatchOperation batch = new TableBatchOperation();
    batch.merge(change);
    batch.insertOrMerge(entity("new", "A", 3));
    table.execute(batch);
    assertThat(read("r").getProperties()).containsOnlyKeys("A", "B");
    assertThat(rows()).containsExactly("new", "r");
  }

  @Test
  @Covers(Area.BATCH)
  @Documented("table-rest 8.5: the previous Java SDK's tests expect the bare text")
  void aBatchOfOneFailsWithTheBareText() throws StorageException {
    table.execute(TableOperation.insert(entity("r")));
    TableBatchOperation batch = new TableBatchOperation();
    batch.insert(entity("r"));
    assertThatThrownBy(() -> table.execute(batch))
        .isInstanceOfSatisfying(
            TableServiceException.class,
            e ->
                assertThat(e.getExtendedErrorInformation().getErrorMessage())
                    .startsWith("The specified entity already exists."));
  }

  @Test
  @Covers(Area.BATCH)
  @Documented("table-rest 8.1")
  void aSingleReadMayBeABatch() throws StorageException {
    table.execute(TableOperation.insert(entity("r", "V", 7)));
    TableBatchOperation found = new TableBatchOperation();
    found.retrieve("p", "r", DynamicTableEntity.class);
    DynamicTableEntity entity = table.execute(found).get(0).getResultAsType();
    assertThat(value(entity, "V").getValueAsInteger()).isEqualTo(7);
    TableBatchOperation missing = new TableBatchOperation();
    missing.retrieve("p", "none", DynamicTableEntity.class);
    assertThat(table.execute(missing).get(0).getHttpStatusCode()).isEqualTo(404);
  }
}
