package io.lazuli.conformance.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.storage.blob.models.BlobContainerItem;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.queue.QueueClient;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.support.Waiting;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Request logs are enabled, found, read and retained as readers of Storage Analytics expect. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
@Tag("own-server")
class RequestLogConformanceTest {
  private static final int STATUS = 3;
  private static final int KEY = 12;

  @TempDir private Path folder;
  private final List<ServerProcess> started = new ArrayList<>();

  private LoggedServer open() {
    ServerProcess server =
        ServerProcess.start(AccountUnderTest.serverJar(), folder, "-XX:+UseSerialGC");
    started.add(server);
    return new LoggedServer(server);
  }

  @AfterEach
  void kill() {
    started.forEach(ServerProcess::close);
  }

  @Test
  @Documented("logs-and-metrics 1, 2.1, 2.2, 3, 4, 5; mission L1: logs of all three services")
  void requestsOfEveryServiceAreFoundByPrefix() {
    LoggedServer server = open();
    server.logTables(true, true, true);
    server.logQueues();
    server.logBlobs();
    TableClient table = server.tables().createTableIfNotExists("Employees");
    table.createEntity(new TableEntity("Sales", "1; \"odd\""));
    assertThatThrownBy(() -> table.getEntity("Sales", "missing")).isNotNull();
    QueueClient queue = server.queues().createQueue("orders");
    queue.sendMessage("first");
    server.blobs().createBlobContainer("photos").getBlobClient("a b").upload(data("picture"));
    List<List<String>> tables =
        server.linesOnce("table", "CreateTable", "InsertEntity", "QueryEntity");
    List<List<String>> queues = server.linesOnce("queue", "CreateQueue", "PutMessage");
    List<List<String>> blobs = server.linesOnce("blob", "CreateContainer", "PutBlob");
    assertThat(List.of(tables, queues, blobs))
        .allSatisfy(
            lines -> assertThat(lines).allMatch(line -> line.size() == LoggedServer.FIELDS));
    assertThat(tables)
        .extracting(
            line -> line.get(LoggedServer.OPERATION) + " " + line.get(STATUS) + " " + line.get(KEY))
        .contains(
            "InsertEntity Success \"/devstoreaccount1/Employees\"",
            "QueryEntity ResourceNotFound \"/devstoreaccount1/Employees\"");
    assertMetadataTellTheTruth(server, "table");
  }

  private static void assertMetadataTellTheTruth(LoggedServer server, String service) {
    for (BlobItem blob : server.blobsOf(service)) {
      assertThat(blob.getName()).matches(service + "/\\d{4}/\\d\\d/\\d\\d/\\d\\d00/\\d{6}\\.log");
      Map<String, String> metadata = blob.getMetadata();
      assertThat(metadata).containsEntry("LogVersion", "1.0").containsKey("LogType");
      Instant start = Instant.parse(metadata.get("StartTime"));
      Instant end = Instant.parse(metadata.get("EndTime")).plusSeconds(1);
      assertThat(server.linesIn(blob))
          .allSatisfy(line -> assertThat(Instant.parse(line.get(1))).isBetween(start, end));
    }
  }

  @Test
  @Documented("logs-and-metrics 2.3, 8: each switch logs its own kind of requests")
  void onlyTheWantedKindsAreLogged() {
    LoggedServer server = open();
    server.logTables(false, false, true);
    TableClient table = server.tables().createTableIfNotExists("Employees");
    table.createEntity(new TableEntity("Sales", "1"));
    table.getEntity("Sales", "1");
    table.deleteEntity("Sales", "1");
    assertThat(LoggedServer.operationsOf(server.linesOnce("table", "DeleteEntity")))
        .containsExactly("DeleteEntity");
    assertThat(server.blobsOf("table"))
        .allSatisfy(blob -> assertThat(blob.getMetadata()).containsEntry("LogType", "delete"));
  }

  @Test
  @Documented("logs-and-metrics 2.1, 8: logs are hidden, and only the server writes them")
  void clientsReadAndDeleteLogsAndDoNoMore() {
    LoggedServer server = open();
    server.logTables(true, true, true);
    server.tables().createTableIfNotExists("Employees");
    server.linesOnce("table", "CreateTable");
    assertThat(server.blobs().listBlobContainers())
        .extracting(BlobContainerItem::getName)
        .doesNotContain("$logs");
    refused(() -> server.logs().getBlobClient("table/mine.log").upload(data("x")));
    refused(() -> server.logs().delete());
    BlobItem log = server.blobsOf("table").get(0);
    refused(() -> server.logs().getBlobClient(log.getName()).setMetadata(Map.of("a", "b")));
    server.logs().getBlobClient(log.getName()).delete();
    server.tables().createTableIfNotExists("Departments");
    assertThat(server.linesOnce("table", "CreateTable")).hasSize(1);
  }

  private static void refused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            BlobStorageException.class,
            e -> assertThat(e.getErrorCode()).isEqualTo(BlobErrorCode.AUTHORIZATION_FAILURE));
  }

  @Test
  @Documented(
      "logs-and-metrics 7, 8; mission L1: stored lines outlive a kill, the next blob follows")
  void storedLinesOutliveAKill() {
    LoggedServer first = open();
    first.logTables(false, true, false);
    TableClient table = first.tables().createTableIfNotExists("Employees");
    IntStream.range(0, 50).forEach(i -> table.createEntity(new TableEntity("Sales", "r" + i)));
    Waiting.until(() -> inserts(first) == 50);
    int blobs = first.blobsOf("table").size();
    started.get(0).kill();
    LoggedServer second = open();
    assertThat(inserts(second)).isEqualTo(50);
    second.tables().getTableClient("Employees").createEntity(new TableEntity("Sales", "after"));
    Waiting.until(() -> inserts(second) == 51);
    assertThat(second.blobsOf("table")).hasSize(blobs + 1);
    assertMetadataTellTheTruth(second, "table");
  }

  private static int inserts(LoggedServer server) {
    return Collections.frequency(LoggedServer.operationsOf(server.lines("table")), "InsertEntity");
  }

  private static BinaryData data(String text) {
    return BinaryData.fromString(text);
  }
}
