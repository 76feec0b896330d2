package io.lazuli.server.requestlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Request logs as clients see them: switched on, written, found by prefix, read. */
class RequestLogWireTest {
  private static final Pattern NAME = Pattern.compile("<Name>([^<]*)</Name>");
  private static final String AGENT = "User-Agent: tester/1; \"x\"";

  private static String logging(boolean read, boolean write, boolean delete) {
    return "<StorageServiceProperties><Logging><Version>1.0</Version><Delete>"
        + delete
        + "</Delete><Read>"
        + read
        + "</Read><Write>"
        + write
        + "</Write><RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></Logging>"
        + "</StorageServiceProperties>";
  }

  private static void switchOn(WireServer service, boolean read, boolean write, boolean delete) {
    Answer changed =
        service.owner(
            "PUT",
            "/?restype=service&comp=properties",
            logging(read, write, delete),
            "Content-Type: application/xml",
            "x-ms-version: 2019-02-02");
    assertThat(changed.status()).isEqualTo(202);
  }

  private static Answer get(WireServer blobs, String path) {
    return blobs.owner("GET", path, "", "x-ms-version: 2020-12-06");
  }

  private static List<String> names(WireServer blobs, String prefix) {
    Answer page = get(blobs, "/$logs?restype=container&comp=list&prefix=" + prefix);
    List<String> names = new ArrayList<>();
    Matcher matcher = NAME.matcher(page.body());
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  private static List<List<String>> lines(WireServer blobs, String service) {
    List<List<String>> lines = new ArrayList<>();
    for (String name : names(blobs, service + "/20")) {
      get(blobs, "/$logs/" + name)
          .body()
          .lines()
          .map(LogLineWriterTest::fields)
          .forEach(lines::add);
    }
    return lines;
  }

  /** Waits until there are that many lines. */
  private static List<List<String>> lines(WireServer blobs, String service, int count) {
    await().until(() -> lines(blobs, service).size() >= count);
    return lines(blobs, service);
  }

  @Test
  void tableRequestsAreLogged() throws IOException {
    try (WireServer tables = new WireServer();
        WireServer blobs = tables.alsoBlobs()) {
      tables.owner(
          "POST", "/Tables", "{\"TableName\":\"Silent\"}", "Content-Type: application/json");
      switchOn(tables, true, true, true);
      tables.owner(
          "POST", "/Tables", "{\"TableName\":\"Employees\"}", "Content-Type: application/json");
      Answer inserted =
          tables.owner(
              "POST",
              "/Employees",
              "{\"PartitionKey\":\"a\",\"RowKey\":\"b\"}",
              "Content-Type: application/json",
              "x-ms-version: 2019-02-02",
              "x-ms-client-request-id: mine",
              AGENT);
      tables.owner("GET", "/Employees(PartitionKey='a',RowKey='b')", "");
      tables.owner(
          "GET", "/Employees(PartitionKey='a',RowKey='x')", "", "x-ms-version: 2019-02-02");
      tables.holder(WireServer.tableToken("Employees", "sp", "r"), "GET", "/Employees()", "");
      tables.holder("sv=2019-02-02&sig=wrong", "GET", "/Employees()", "");
      tables.anybody("GET", "/Employees()", "");
      tables.owner("DELETE", "/Employees(PartitionKey='a',RowKey='b')", "", "If-Match: *");
      List<List<String>> lines = lines(blobs, "table", 7);
      assertThat(lines).allSatisfy(line -> assertThat(line).hasSize(30));
      assertThat(lines)
          .extracting(line -> String.join(" ", line.get(2), line.get(3), line.get(4), line.get(7)))
          .contains(
              "CreateTable Success 201 authenticated",
              "InsertEntity Success 201 authenticated",
              "QueryEntity Success 200 authenticated",
              "QueryEntity ResourceNotFound 404 authenticated",
              "QueryEntities SASSuccess 200 sas",
              "QueryEntities SASAuthorizationError 403 sas",
              "DeleteEntity Success 204 authenticated")
          .noneMatch(line -> line.contains("nonymous"));
      List<String> insert =
          lines.stream()
              .filter(line -> line.get(2).equals("InsertEntity"))
              .findFirst()
              .orElseThrow();
      assertThat(insert.get(8)).isEqualTo("devstoreaccount1");
      assertThat(insert.get(11)).isEqualTo("\"http://localhost/devstoreaccount1/Employees\"");
      assertThat(insert.get(12)).isEqualTo("\"/devstoreaccount1/Employees\"");
      assertThat(insert.get(13)).isEqualTo(inserted.header("x-ms-request-id"));
      assertThat(insert.get(15)).startsWith("127.0.0.1:");
      assertThat(insert.get(18)).isEqualTo("33");
      assertThat(insert.get(20)).isEqualTo(Integer.toString(inserted.body().length()));
      assertThat(insert.get(24)).isEqualTo("\"" + inserted.header("ETag") + "\"");
      assertThat(insert.get(27)).isEqualTo("\"tester/1; &quot;x&quot;\"");
      assertThat(insert.get(29)).isEqualTo("\"mine\"");
      assertThat(lines).noneMatch(line -> line.get(11).contains("wrong"));
    }
  }

  @Test
  void queueRequestsAreLoggedByWhatTheyDo() throws IOException {
    try (WireServer queues = WireServer.ofQueues();
        WireServer blobs = queues.alsoBlobs()) {
      switchOn(queues, false, true, false);
      queues.owner("PUT", "/orders", "");
      queues.owner("GET", "/orders/messages", "");
      queues.owner(
          "POST",
          "/orders/messages",
          "<QueueMessage><MessageText>a</MessageText></QueueMessage>",
          "Content-Type: application/xml");
      queues.owner("GET", "/orders/messages?numofmessages=2", "");
      queues.owner("GET", "/?comp=list", "");
      queues.owner("DELETE", "/orders", "");
      queues.owner("PUT", "/last", "");
      assertThat(lines(blobs, "queue", 4))
          .extracting(line -> line.get(2) + " " + line.get(12))
          .contains(
              "CreateQueue \"/devstoreaccount1/orders\"",
              "PutMessage \"/devstoreaccount1/orders\"",
              "GetMessages \"/devstoreaccount1/orders\"",
              "CreateQueue \"/devstoreaccount1/last\"")
          .noneMatch(line -> line.startsWith("Delete") || line.startsWith("List"));
    }
  }

  @Test
  void blobRequestsAreLoggedAndTheServersOwnAreNot() throws IOException {
    try (WireServer blobs = WireServer.ofBlobs()) {
      switchOn(blobs, true, true, true);
      String[] version = {"x-ms-version: 2020-12-06"};
      blobs.owner("PUT", "/docs?restype=container", "", version);
      blobs.owner(
          "PUT", "/docs/a", "12345", "x-ms-blob-type: BlockBlob", "x-ms-version: 2020-12-06");
      blobs.owner("GET", "/docs/a", "", version);
      blobs.owner("HEAD", "/docs/a", "", version);
      blobs.owner("HEAD", "/docs/none", "", version);
      blobs.owner("DELETE", "/docs/a", "", version);
      List<List<String>> lines = lines(blobs, "blob", 6);
      assertThat(lines)
          .extracting(line -> line.get(2) + " " + line.get(18) + " " + line.get(20))
          .contains(
              "CreateContainer 0 0",
              "PutBlob 5 0",
              "GetBlob 0 5",
              "GetBlobProperties 0 0",
              "DeleteBlob 0 0");
      assertThat(lines)
          .extracting(line -> line.get(2) + " " + line.get(4) + " " + line.get(20))
          .contains("GetBlobProperties 404 0");
      assertThat(lines).extracting(line -> line.get(2)).doesNotContain("AppendBlock");
    }
  }

  @Test
  void clientsReadAndDeleteLogsAndNothingElse() throws IOException {
    try (WireServer tables = new WireServer();
        WireServer blobs = tables.alsoBlobs()) {
      String version = "x-ms-version: 2020-12-06";
      assertThat(get(blobs, "/$logs?restype=container&comp=list").status()).isEqualTo(404);
      switchOn(tables, true, true, true);
      assertThat(get(blobs, "/$logs?restype=container&comp=list").status()).isEqualTo(200);
      switchOn(tables, true, true, true);
      tables.owner("GET", "/Tables", "");
      lines(blobs, "table", 1);
      String name = names(blobs, "").get(0);
      Answer head = get(blobs, "/$logs/" + name);
      assertThat(head.header("x-ms-blob-type")).isEqualTo("AppendBlob");
      assertThat(head.header("x-ms-meta-LogVersion")).isEqualTo("1.0");
      assertThat(head.header("x-ms-meta-StartTime")).isNotNull();
      Answer put = blobs.owner("PUT", "/$logs/mine", "1", "x-ms-blob-type: BlockBlob", version);
      assertThat(put.status()).isEqualTo(403);
      assertThat(put.header("x-ms-error-code")).isEqualTo("AuthorizationFailure");
      assertThat(blobs.owner("PUT", "/$logs/" + name + "?comp=appendblock", "1", version).status())
          .isEqualTo(403);
      assertThat(blobs.owner("DELETE", "/$logs?restype=container", "", version).status())
          .isEqualTo(403);
      assertThat(get(blobs, "/?comp=list").body()).doesNotContain("$logs");
      assertThat(get(blobs, "/?comp=list&include=system").body()).contains("$logs");
      assertThat(blobs.owner("DELETE", "/$logs/" + name, "", version).status()).isEqualTo(202);
      assertThat(names(blobs, "")).doesNotContain(name);
    }
  }
}
