package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.AnswerBudget;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Pages are bounded by the length of their text, and every item is on exactly one page. The servers
 * have little memory for answers, so that small data makes many pages.
 */
class LargeAnswersTest {
  /** With this budget a page ends at 150 KiB. */
  private static final int BUDGET_BYTES = 400 << 10;

  private static final int PAGE_BYTES_MAX = 150 << 10;
  private static final Duration LONG = Duration.ofHours(1);

  private LazuliServer server = start(BUDGET_BYTES);

  private static LazuliServer start(long budgetBytes) {
    return LazuliServer.start(config(), new AnswerBudget(budgetBytes, LONG, LONG));
  }

  private static ServerConfig config() {
    return ServerConfig.builder().engine("memory").freePorts().build();
  }

  @AfterEach
  void everythingIsGivenBack() {
    await().untilAsserted(() -> assertThat(server.heldAnswerBytes()).isZero());
    server.close();
  }

  private static String numbered(String name, int number) {
    return String.format("%s%03d", name, number);
  }

  private static List<String> all(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    List<String> found = new ArrayList<>();
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  private static String marker(Answer page) {
    List<String> marker = all("<NextMarker>([^<]+)</NextMarker>", page.body());
    return marker.isEmpty() ? "" : marker.get(0);
  }

  /** Lists all pages, checks that none is too long, and returns the matches of the pattern. */
  private static List<String> list(WireServer client, String path, String pattern) {
    List<String> items = new ArrayList<>();
    String marker = "";
    int pages = 0;
    do {
      Answer page = client.owner("GET", path + (marker.isEmpty() ? "" : "&marker=" + marker), "");
      assertThat(page.status()).isEqualTo(200);
      assertThat(page.body().length()).isLessThan(PAGE_BYTES_MAX + (80 << 10));
      items.addAll(all(pattern, page.body()));
      marker = marker(page);
      pages++;
    } while (!marker.isEmpty());
    assertThat(pages).isGreaterThan(1);
    return items;
  }

  @Test
  void aQueryEndsItsPagesByTheLengthOfTheirJson() throws IOException {
    int entities = 30;
    try (WireServer client = WireServer.onTables(server)) {
      client.owner(
          "POST", "/Tables", "{\"TableName\":\"Things\"}", "Content-Type: application/json");
      for (int i = 0; i < entities; i++) {
        String json =
            String.format(
                "{\"PartitionKey\":\"p%d\",\"RowKey\":\"%s\",\"V\":\"%s\"}",
                i / 7, numbered("r", i), "\\u0001".repeat(8_000));
        Answer insert =
            client.owner(
                "POST",
                "/Things",
                json,
                "Content-Type: application/json",
                "Prefer: return-no-content");
        assertThat(insert.status()).isEqualTo(204);
      }
      List<String> rows = new ArrayList<>();
      String token = "";
      do {
        Answer page =
            client.owner(
                "GET", "/Things()" + token, "", "Accept: application/json;odata=nometadata");
        assertThat(page.body().length()).isLessThanOrEqualTo(PAGE_BYTES_MAX);
        List<String> found = all("\"RowKey\":\"([^\"]+)\"", page.body());
        assertThat(found).isNotEmpty();
        rows.addAll(found);
        String partition = page.header("x-ms-continuation-NextPartitionKey");
        String row = page.header("x-ms-continuation-NextRowKey");
        token = partition == null ? "" : "?NextPartitionKey=" + partition + "&NextRowKey=" + row;
      } while (!token.isEmpty());
      assertThat(rows)
          .isEqualTo(IntStream.range(0, entities).mapToObj(i -> numbered("r", i)).toList());
    }
  }

  @Test
  void aListOfContainersEndsItsPagesByTheirLength() throws IOException {
    List<String> names = new ArrayList<>();
    try (WireServer client = WireServer.onBlobs(server)) {
      for (int i = 0; i < 25; i++) {
        names.add(numbered("container", i));
        Answer made =
            client.owner("PUT", "/" + names.get(i) + "?restype=container", "", shortPairs());
        assertThat(made.status()).isEqualTo(201);
      }
      assertThat(list(client, "/?comp=list&include=metadata", "<Name>([^<]+)</Name>"))
          .isEqualTo(names);
    }
  }

  @Test
  void aListOfQueuesEndsItsPagesByTheirLength() throws IOException {
    List<String> names = new ArrayList<>();
    try (WireServer client = WireServer.onQueues(server)) {
      for (int i = 0; i < 25; i++) {
        names.add(numbered("queue", i));
        assertThat(client.owner("PUT", "/" + names.get(i), "", shortPairs()).status())
            .isEqualTo(201);
      }
      assertThat(list(client, "/?comp=list&include=metadata", "<Name>([^<]+)</Name>"))
          .isEqualTo(names);
    }
  }

  /** Returns metadata of many short pairs. */
  private static String[] shortPairs() {
    return IntStream.range(0, 300)
        .mapToObj(i -> "x-ms-meta-" + numbered("m", i) + ": " + "v".repeat(20))
        .toArray(String[]::new);
  }

  @Test
  void aListOfBlobsEndsItsPagesByTheirLength() throws IOException {
    List<String> expected = new ArrayList<>();
    try (WireServer client = WireServer.onBlobs(server)) {
      client.owner("PUT", "/con?restype=container", "");
      String metadata = "x-ms-meta-long: " + "x".repeat(6_000);
      for (int i = 0; i < 30; i++) {
        String name = numbered("b", i);
        client.owner("PUT", "/con/" + name, "1", "x-ms-blob-type: BlockBlob", metadata);
        Answer taken = client.owner("PUT", "/con/" + name + "?comp=snapshot", "");
        expected.add(name + "</Name><Snapshot>" + taken.header("x-ms-snapshot"));
        expected.add(name);
      }
      List<String> items =
          list(
              client,
              "/con?restype=container&comp=list&include=metadata,snapshots",
              "<Name>([^<]+(?:</Name><Snapshot>[^<]+)?)<");
      assertThat(items).isEqualTo(expected);
    }
  }

  @Test
  void aListOfPrefixesEndsItsPagesByTheirLength() throws IOException {
    List<String> expected = new ArrayList<>();
    try (WireServer client = WireServer.onBlobs(server)) {
      client.owner("PUT", "/con?restype=container", "");
      for (int i = 0; i < 250; i++) {
        String folder = numbered("d", i) + "x".repeat(900) + "/";
        client.owner("PUT", "/con/" + folder + "1", "1", "x-ms-blob-type: BlockBlob");
        expected.add(folder);
      }
      List<String> items =
          list(client, "/con?restype=container&comp=list&delimiter=/", "<Name>([^<]+)<");
      assertThat(items).isEqualTo(expected);
    }
  }

  @Test
  void aLongBlockListIsOneAnswer() throws IOException {
    List<String> ids = new ArrayList<>();
    try (WireServer client = WireServer.onBlobs(server)) {
      client.owner("PUT", "/con?restype=container", "");
      for (int i = 0; i < 700; i++) {
        String id = numbered("b", i) + "x".repeat(59);
        ids.add(Base64.getEncoder().encodeToString(id.getBytes(StandardCharsets.US_ASCII)));
        String path = "/con/b?comp=block&blockid=" + ids.get(i);
        assertThat(client.owner("PUT", path, "1").status()).isEqualTo(201);
      }
      Answer list = client.owner("GET", "/con/b?comp=blocklist&blocklisttype=uncommitted", "");
      assertThat(list.body().length()).isGreaterThan(AnswerBudget.SMALL_BYTES_MAX);
      assertThat(all("<Name>([^<]+)</Name><Size>1</Size>", list.body())).isEqualTo(ids);
      assertThat(list.body()).endsWith("</UncommittedBlocks></BlockList>");
    }
  }

  @Test
  void longMessagesAreOneAnswer() throws IOException {
    server.close();
    server = start(8 << 20);
    try (WireServer client = WireServer.onQueues(server)) {
      client.owner("PUT", "/que", "");
      String text = "&amp;".repeat(60_000);
      String message = "<QueueMessage><MessageText>" + text + "</MessageText></QueueMessage>";
      for (int i = 0; i < 4; i++) {
        assertThat(client.owner("POST", "/que/messages", message).status()).isEqualTo(201);
      }
      for (String query : List.of("peekonly=true&numofmessages=4", "numofmessages=4")) {
        Answer answer = client.owner("GET", "/que/messages?" + query, "");
        assertThat(all("<MessageText>([^<]+)<", answer.body()))
            .isEqualTo(List.of(text, text, text, text));
      }
    }
  }

  /** A batch may be as long as 4 MiB, and so may its answer. */
  @Test
  void aLongBatchIsAnsweredCompletely() throws IOException {
    server.close();
    server = start(8 << 20);
    try (WireServer client = WireServer.onTables(server)) {
      client.owner(
          "POST", "/Tables", "{\"TableName\":\"Things\"}", "Content-Type: application/json");
      StringBuilder batch =
          new StringBuilder("--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n");
      for (int i = 0; i < 10; i++) {
        String json =
            String.format(
                "{\"PartitionKey\":\"p\",\"RowKey\":\"%d\",\"V\":\"%s\"}", i, "v".repeat(30_000));
        batch.append(
            "--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n");
        batch.append("POST http://localhost/devstoreaccount1/Things HTTP/1.1\r\n");
        batch.append("Content-Type: application/json\r\nAccept: application/json\r\n\r\n");
        batch.append(json).append("\r\n");
      }
      batch.append("--c--\r\n--b--\r\n");
      Answer answer =
          client.owner(
              "POST", "/$batch", batch.toString(), "Content-Type: multipart/mixed; boundary=b");
      assertThat(answer.status()).isEqualTo(202);
      assertThat(all("\"V\":\"(v+)\"", answer.body())).hasSize(10);
    }
  }

  @Test
  void noEventLoopEncodesListings() throws IOException {
    Map<String, String> threads = new ConcurrentHashMap<>();
    server.close();
    server =
        LazuliServer.start(
            config(),
            (own, service) -> {
              Endpoint endpoint = own.of(service);
              return request -> {
                var answer = endpoint.handle(request);
                String key = service.name() + request.address().path() + "?" + request.rawQuery();
                return answer.whenComplete(
                    (done, failure) -> threads.put(key, Thread.currentThread().getName()));
              };
            });
    try (WireServer blobs = WireServer.onBlobs(server);
        WireServer queues = WireServer.onQueues(server)) {
      blobs.owner("PUT", "/con?restype=container", "");
      blobs.owner("PUT", "/con/b", "1", "x-ms-blob-type: BlockBlob");
      queues.owner("PUT", "/que", "");
      threads.clear();
      blobs.owner("GET", "/?comp=list", "");
      blobs.owner("GET", "/con?restype=container&comp=list", "");
      blobs.owner("GET", "/con/b?comp=blocklist", "");
      queues.owner("GET", "/?comp=list", "");
      queues.owner("GET", "/que/messages?peekonly=true", "");
    }
    assertThat(threads).hasSize(5);
    assertThat(threads.values()).allMatch(name -> name.matches("(listing|worker)-\\d+"));
  }
}
