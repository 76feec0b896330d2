package io.lazuli.conformance.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableItem;
import com.azure.data.tables.models.TableServiceMetrics;
import com.azure.data.tables.models.TableServiceProperties;
import com.azure.data.tables.models.TableServiceRetentionPolicy;
import com.azure.data.tables.sas.TableSasPermission;
import com.azure.data.tables.sas.TableSasSignatureValues;
import com.azure.storage.blob.models.BlobMetrics;
import com.azure.storage.blob.models.BlobRetentionPolicy;
import com.azure.storage.blob.models.BlobServiceProperties;
import com.azure.storage.queue.models.QueueMetrics;
import com.azure.storage.queue.models.QueueRetentionPolicy;
import com.azure.storage.queue.models.QueueServiceProperties;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Metrics are enabled, counted and read as readers of Storage Analytics expect. A server writes its
 * counts when it stops, so that no case waits for the end of a minute.
 */
@Covers(value = Area.OPERATIONS, service = StorageService.TABLE)
@Tag("own-server")
class MetricsConformanceTest {
  private static final String HOURS = "$MetricsHourPrimaryTransactions";
  private static final String MINUTES = "$MetricsMinutePrimaryTransactions";

  @TempDir private Path folder;
  private final List<ServerProcess> started = new ArrayList<>();

  private LoggedServer open() {
    ServerProcess server =
        ServerProcess.start(AccountUnderTest.serverJar(), folder, "-XX:+UseSerialGC");
    started.add(server);
    return new LoggedServer(server);
  }

  /** Stops the server in an orderly way, and starts it again. */
  private LoggedServer reopen() {
    started.get(started.size() - 1).terminate().join();
    return open();
  }

  @AfterEach
  void kill() {
    started.forEach(ServerProcess::close);
  }

  private static void countTables(LoggedServer server, boolean operations) {
    TableServiceProperties properties = server.tables().getProperties();
    properties.setHourMetrics(metrics(operations)).setMinuteMetrics(metrics(operations));
    server.tables().setProperties(properties);
  }

  private static TableServiceMetrics metrics(boolean operations) {
    return new TableServiceMetrics()
        .setVersion("1.0")
        .setEnabled(true)
        .setIncludeApis(operations)
        .setRetentionPolicy(new TableServiceRetentionPolicy().setEnabled(true).setDaysToRetain(7));
  }

  private static void countQueues(LoggedServer server) {
    QueueServiceProperties properties = server.queues().getProperties();
    properties.setHourMetrics(
        new QueueMetrics()
            .setVersion("1.0")
            .setEnabled(true)
            .setIncludeApis(true)
            .setRetentionPolicy(new QueueRetentionPolicy().setEnabled(false)));
    server.queues().setProperties(properties);
  }

  private static void countBlobs(LoggedServer server) {
    BlobServiceProperties properties = server.blobs().getProperties();
    properties.setHourMetrics(
        new BlobMetrics()
            .setVersion("1.0")
            .setEnabled(true)
            .setIncludeApis(true)
            .setRetentionPolicy(new BlobRetentionPolicy().setEnabled(false)));
    server.blobs().setProperties(properties);
  }

  /** Returns the sum of a column over all periods, for each row key. */
  private static Map<String, Long> sums(LoggedServer server, String table, String column) {
    Map<String, Long> sums = new LinkedHashMap<>();
    for (TableEntity row : server.tables().getTableClient(table).listEntities()) {
      assertThat(row.getPartitionKey()).matches("\\d{8}T\\d{4}");
      sums.merge(row.getRowKey(), (Long) row.getProperty(column), Long::sum);
    }
    return sums;
  }

  @Test
  @Documented("logs-and-metrics 6.1, 8: rows of each service and operation; the total is their sum")
  void requestsOfEveryServiceAreCounted() {
    LoggedServer first = open();
    first.logTables(true, true, true);
    countTables(first, true);
    countQueues(first);
    countBlobs(first);
    TableClient table = first.tables().createTableIfNotExists("Employees");
    table.createEntity(new TableEntity("Sales", "1"));
    table.createEntity(new TableEntity("Sales", "2"));
    assertThatThrownBy(() -> table.getEntity("Sales", "missing")).isNotNull();
    first.queues().createQueue("orders").sendMessage("first");
    first
        .blobs()
        .createBlobContainer("photos")
        .getBlobClient("a b")
        .upload(BinaryData.fromString("picture"));
    LoggedServer second = reopen();
    for (String name : List.of(HOURS + "Table", MINUTES + "Table")) {
      Map<String, Long> requests = sums(second, name, "TotalRequests");
      assertThat(requests)
          .containsEntry("user;CreateTable", 1L)
          .containsEntry("user;InsertEntity", 2L)
          .containsEntry("user;QueryEntity", 1L);
      assertTotalIsTheSum(requests);
      assertThat(sums(second, name, "ClientOtherError")).containsEntry("user;QueryEntity", 1L);
      assertThat(sums(second, name, "TotalIngress").get("user;InsertEntity")).isPositive();
    }
    assertThat(sums(second, HOURS + "Queue", "Success")).containsEntry("user;PutMessage", 1L);
    Map<String, Long> blobs = sums(second, HOURS + "Blob", "Success");
    assertThat(blobs).containsEntry("user;PutBlob", 1L).containsKey("system;AppendBlock");
    assertTotalIsTheSum(blobs);
    assertThatThrownBy(() -> sums(second, MINUTES + "Blob", "Success"))
        .isInstanceOfSatisfying(
            HttpResponseException.class,
            e -> assertThat(e.getResponse().getStatusCode()).isEqualTo(404));
  }

  private static void assertTotalIsTheSum(Map<String, Long> requests) {
    long operations =
        requests.entrySet().stream()
            .filter(row -> row.getKey().startsWith("user;") && !row.getKey().equals("user;All"))
            .mapToLong(Map.Entry::getValue)
            .sum();
    assertThat(requests).containsEntry("user;All", operations);
  }

  @Test
  @Documented("logs-and-metrics 6.1, 7: a server that starts again continues the hour")
  void countsOutliveARestart() {
    LoggedServer first = open();
    countTables(first, true);
    first.tables().createTable("Employees").createEntity(new TableEntity("Sales", "1"));
    LoggedServer second = reopen();
    second.tables().getTableClient("Employees").createEntity(new TableEntity("Sales", "2"));
    LoggedServer third = reopen();
    assertThat(sums(third, HOURS + "Table", "Success")).containsEntry("user;InsertEntity", 2L);
  }

  @Test
  @Documented("logs-and-metrics 1, 6.1: rows of operations only with IncludeAPIs")
  void withoutApisThereIsOnlyTheTotal() {
    LoggedServer first = open();
    countTables(first, false);
    first.tables().createTable("Employees");
    LoggedServer second = reopen();
    assertThat(sums(second, HOURS + "Table", "TotalRequests")).containsOnlyKeys("user;All");
  }

  @Test
  @Documented("logs-and-metrics 6: readers select rows by time with a filter, and by old names")
  void rowsAreFoundByTimeAndByTheOldName() {
    LoggedServer first = open();
    countTables(first, true);
    first.tables().createTable("Employees");
    LoggedServer second = reopen();
    ListEntitiesOptions totals =
        new ListEntitiesOptions()
            .setFilter(
                "PartitionKey ge '20200101T0000' and RowKey eq 'user;All' and Availability ge 1.0")
            .setSelect(List.of("PartitionKey", "RowKey", "Availability", "TotalRequests"));
    for (String name : List.of(HOURS + "Table", "$MetricsTransactionsTable")) {
      assertThat(second.tables().getTableClient(name).listEntities(totals, null, null))
          .isNotEmpty()
          .allSatisfy(row -> assertThat(row.getProperty("Availability")).isEqualTo(100.0));
    }
  }

  @Test
  @Documented("logs-and-metrics 6, 8: the tables are hidden, and only the server writes them")
  void clientsReadAndDeleteRowsAndDoNoMore() {
    LoggedServer first = open();
    countTables(first, true);
    first.tables().createTable("Employees");
    LoggedServer second = reopen();
    TableServiceClient tables = second.tables();
    assertThat(tables.listTables()).extracting(TableItem::getName).containsExactly("Employees");
    TableClient metrics = tables.getTableClient(HOURS + "Table");
    TableEntity row = metrics.listEntities().iterator().next();
    refused(403, () -> metrics.createEntity(new TableEntity("20260731T1800", "user;All")));
    refused(403, () -> metrics.upsertEntity(new TableEntity("20260731T1800", "user;All")));
    refused(403, () -> metrics.updateEntity(row, TableEntityUpdateMode.REPLACE));
    refused(403, () -> metrics.setAccessPolicies(List.of()));
    refused(403, metrics::deleteTable);
    refused(400, () -> tables.createTable(HOURS + "Table"));
    TableClient reader = holder(second, metrics, "r");
    assertThat(reader.getEntity(row.getPartitionKey(), row.getRowKey()).getProperties())
        .hasSizeGreaterThanOrEqualTo(38);
    refused(403, () -> reader.deleteEntity(row));
    refused(403, () -> holder(second, metrics, "raud").upsertEntity(row));
    metrics.deleteEntity(row);
    refused(404, () -> metrics.getEntity(row.getPartitionKey(), row.getRowKey()));
  }

  private TableClient holder(LoggedServer server, TableClient table, String permissions) {
    TableSasSignatureValues values =
        new TableSasSignatureValues(
            OffsetDateTime.now(ZoneOffset.UTC).plusHours(1), TableSasPermission.parse(permissions));
    return new TableClientBuilder()
        .endpoint(server.tables().getServiceEndpoint())
        .tableName(table.getTableName())
        .sasToken(table.generateSas(values))
        .buildClient();
  }

  private static void refused(int status, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            HttpResponseException.class,
            e -> assertThat(e.getResponse().getStatusCode()).isEqualTo(status));
  }
}
