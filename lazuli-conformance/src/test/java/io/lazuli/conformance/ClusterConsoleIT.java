package io.lazuli.conformance;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.conformance.wire.WireClient;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The routes of the console on a cluster: lists, queries, jobs, models, load and cost, asked at two
 * packed servers in turns, one of which is killed.
 */
@Tag("long")
@Timeout(1_200)
class ClusterConsoleIT {
  private static final String ACCOUNT = "/accounts/devstoreaccount1";
  private static final int ENTITIES = 3_000;
  private static final int BATCH = 100;

  /** Longer than the lease of a job. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Longer than a rule needs: three minutes out of five, and the one that has begun. */
  private static final Duration DIAGNOSIS_TIME = Duration.ofMinutes(8);

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  /** An answer of a route. */
  private record Answer(int status, byte[] body) {
    JsonNode json() throws IOException {
      return JSON.readTree(body);
    }
  }

  /** The console of one server. */
  private static final class Console {
    private final HttpClient client = HttpClient.newHttpClient();
    private final ServerProcess server;

    Console(ServerProcess server) {
      this.server = server;
    }

    Answer send(String method, String path, String body) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(server.admin() + "/api/v1" + path))
              .header("X-Lazuli-Console", "1")
              .header("Sec-Fetch-Site", "same-origin")
              .timeout(Duration.ofMinutes(1))
              .method(method, HttpRequest.BodyPublishers.ofString(body))
              .build();
      try {
        HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        return new Answer(answer.statusCode(), answer.body());
      } catch (IOException e) {
        throw new AssertionError(method + " " + path, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }

    /** Sends a request to a route of the account, which must succeed. */
    JsonNode done(String method, String path, Object body) {
      Answer answer = send(method, ACCOUNT + path, body.toString());
      String text = new String(answer.body(), StandardCharsets.UTF_8);
      assertThat(answer.status()).as("%s %s: %s", method, path, text).isBetween(200, 299);
      try {
        return answer.body().length == 0 ? JSON.createObjectNode() : answer.json();
      } catch (IOException e) {
        throw new AssertionError(text, e);
      }
    }

    JsonNode get(String path) {
      return done("GET", path, "");
    }

    JsonNode query(String table, String filter, String after) {
      ObjectNode query = JSON.createObjectNode().put("filter", filter).put("limit", 700);
      query.put("after", after);
      return done("POST", "/tables/" + table + "/query", query);
    }

    /** Orders a job and returns its id. */
    String order(ObjectNode job) {
      return done("POST", "/jobs", job).path("id").asText();
    }

    JsonNode await(String job, String state) {
      JsonNode[] last = new JsonNode[1];
      Awaitility.await("job " + job + " is " + state)
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(200))
          .until(
              () -> {
                last[0] = get("/jobs/" + job);
                return last[0].path("state").asText().equals(state);
              });
      return last[0];
    }
  }

  private static ObjectNode job(String kind, String table) {
    return JSON.createObjectNode().put("kind", kind).put("table", table);
  }

  private ServerProcess start(Cluster cluster, String name) {
    List<String> options = new ArrayList<>(ClusterServers.serveOptions(cluster));
    options.add("--console-open");
    return ServerProcess.start(
        AccountUnderTest.serverJar(),
        folder.resolve(name),
        List.of(ClusterServers.engineOption()),
        options);
  }

  @Test
  void theConsoleWorksOnACluster() throws Exception {
    try (Cluster cluster = Cluster.start(ClusterSpec.inOneProcess())) {
      String copy;
      try (ServerProcess killed = start(cluster, "killed")) {
        Console console = new Console(killed);
        fill(console);
        copy = orderSlowCopy(console);
      }
      try (ServerProcess first = start(cluster, "first");
          ServerProcess second = start(cluster, "second")) {
        Console one = new Console(first);
        Console other = new Console(second);
        pagesGoOnAtAnotherServer(one, other);
        listsAndPlans(one, other);
        aJobGoesOnAfterAKill(one, other, copy);
        jobsOfOneServerAreKnownToTheOther(one, other);
        modelsAreTried(one, other);
        recentRequests(one, first);
        sizesAreMeasuredOnce(one, other);
        loadIsSeenAndDiagnosed(one, other, first, second);
      }
    }
  }

  private static void fill(Console console) {
    console.done("POST", "/tables", "{\"name\":\"People\"}");
    for (int from = 0; from < ENTITIES; from += BATCH) {
      ArrayNode changes = JSON.createArrayNode();
      for (int i = from; i < from + BATCH; i++) {
        ObjectNode change = changes.addObject().put("op", "insert");
        change.putArray("k").add("p" + from).add("r%04d".formatted(i));
        change.putObject("v").put("Age", i % 90);
      }
      ObjectNode transaction = JSON.createObjectNode();
      transaction.set("changes", changes);
      console.done("POST", "/tables/People/transaction", transaction);
    }
  }

  /** Orders a copy that has begun, but takes much longer than the server has. */
  private static String orderSlowCopy(Console console) {
    String copy = console.order(job("copy", "People").put("target", "Copy").put("rate", 300));
    Awaitility.await("the copy has begun")
        .atMost(PATIENCE)
        .until(() -> console.get("/jobs/" + copy).path("done").asInt() > 0);
    assertThat(console.get("/jobs/" + copy).path("state").asText()).isEqualTo("running");
    return copy;
  }

  /** A token that one server signed is valid at the other. */
  private static void pagesGoOnAtAnotherServer(Console one, Console other) {
    TreeSet<String> keys = new TreeSet<>();
    String after = null;
    int pages = 0;
    do {
      JsonNode page = (pages % 2 == 0 ? one : other).query("People", "", after);
      page.path("rows").forEach(row -> keys.add(row.path("k").path(1).asText()));
      after = page.path("next").isNull() ? null : page.path("next").asText();
      pages++;
    } while (after != null);
    assertThat(keys).hasSize(ENTITIES);
    assertThat(pages).isGreaterThan(3);
    ObjectNode forged = JSON.createObjectNode().put("filter", "").put("after", "p1.AAAA");
    Answer refused = one.send("POST", ACCOUNT + "/tables/People/query", forged.toString());
    assertThat(refused.status()).isEqualTo(400);
  }

  private static void listsAndPlans(Console one, Console other) {
    one.done("POST", "/queues", "{\"name\":\"orders\"}");
    one.done("POST", "/queues/orders/messages", "{\"body\":\"first\"}");
    one.done("POST", "/containers", "{\"name\":\"pictures\"}");
    one.done("PUT", "/containers/pictures/content?blob=a.txt&type=text/plain", "content");
    assertThat(names(other.get("/tables"))).contains("People");
    assertThat(names(other.get("/queues"))).containsExactly("orders");
    assertThat(names(other.get("/containers"))).containsExactly("pictures");
    assertThat(names(other.get("/containers/pictures/blobs"))).containsExactly("a.txt");
    JsonNode messages = other.get("/queues/orders/messages");
    assertThat(messages.path("rows").path(0).path("body").asText()).isEqualTo("first");
    String filter = "PartitionKey eq 'p100' and Age gt 50";
    JsonNode found = one.query("People", filter, null);
    assertThat(found.path("explain").path("kind").asText()).isEqualTo("partition scan");
    assertThat(found.path("scanned").asInt()).isEqualTo(BATCH);
    JsonNode explained =
        other.done("POST", "/tables/People/explain", JSON.createObjectNode().put("filter", filter));
    assertThat(explained.path("kind").asText()).isEqualTo("partition scan");
    assertThat(explained.path("read").path("n").asInt()).isEqualTo(BATCH);
    assertThat(other.get("/tables/People/keys?prefix=p2").path("keys")).isNotEmpty();
    assertThat(other.get("/tables/People/near?share=0.5").path("k").path(0).asText())
        .startsWith("p");
    assertThat(other.get("/summary").path("tables").path("n").asInt()).isPositive();
  }

  private static List<String> names(JsonNode page) {
    return StreamSupport.stream(page.path("rows").spliterator(), false)
        .map(row -> row.path("name").asText())
        .toList();
  }

  private static void aJobGoesOnAfterAKill(Console one, Console other, String copy) {
    JsonNode done = one.await(copy, "done");
    assertThat(done.path("done").asInt()).isGreaterThanOrEqualTo(ENTITIES);
    assertThat(other.get("/jobs/" + copy + "/log").toString())
        .contains("goes on after a stop of the server");
    assertThat(counted(other, "Copy")).contains("3,000");
  }

  /** Returns what a job that counts a table says. */
  private static String counted(Console console, String table) {
    return console.await(console.order(job("count", table)), "done").path("message").asText();
  }

  private static void jobsOfOneServerAreKnownToTheOther(Console one, Console other) {
    String delete = one.order(job("delete", "Copy").put("filter", "PartitionKey eq 'p100'"));
    assertThat(other.await(delete, "paused").path("asks").asBoolean()).isTrue();
    other.done("POST", "/jobs/" + delete + "/resume", "");
    assertThat(one.await(delete, "done").path("message").asText()).contains("100");
    assertThat(counted(one, "Copy")).contains("2,900");

    String export =
        one.order(job("export", "Copy").put("format", "jsonl").put("filter", "Age lt 10"));
    one.await(export, "done");
    Answer file = other.send("GET", ACCOUNT + "/jobs/" + export + "/result", "");
    assertThat(file.status()).isEqualTo(200);
    String lines = new String(file.body(), StandardCharsets.UTF_8);
    assertThat(lines.lines().count()).isBetween(300L, 400L);
    assertThat(lines).contains("\"Age\"");

    String waiting = other.order(job("copy", "People").put("target", "Other").put("rate", 10));
    one.done("POST", "/jobs/" + waiting + "/cancel", "");
    other.await(waiting, "cancelled");
    assertThat(one.get("/jobs").path("jobs")).hasSize(6);
  }

  private static void modelsAreTried(Console one, Console other) {
    ObjectNode example = (ObjectNode) one.get("/model-examples").path("examples").path(0);
    String name = example.path("name").asText();
    ObjectNode model = JSON.createObjectNode();
    model.set("entities", example.path("entities"));
    model.set("accesses", example.path("accesses"));
    String path = "/models/" + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    one.done("PUT", path, model);
    JsonNode tried = other.done("POST", path + "/try", "{\"proposal\":0}");
    assertThat(tried.path("rows").asInt()).isPositive();
    assertThat(tried.path("tried")).isNotEmpty();
    tried
        .path("tried")
        .forEach(
            access -> assertThat(access.path("asPromised").asBoolean()).as("%s", access).isTrue());
    assertThat(one.get(path).path("tables")).isNotEmpty();
  }

  private static void recentRequests(Console one, ServerProcess server) {
    WireClient tables = new WireClient(server.account(StorageService.TABLE));
    expect(
            tables
                .get("/People()?$filter=" + URLEncoder.encode("Age eq 7", StandardCharsets.UTF_8))
                .send())
        .status(200);
    expect(tables.get("/Missing()").send()).status(404);
    Awaitility.await("the requests are shown")
        .atMost(PATIENCE)
        .until(
            () ->
                one.get("/live/requests").toString().contains("TableNotFound")
                    && one.get("/live/errors").toString().contains("TableNotFound"));
    assertThat(one.get("/live/requests").path("requests")).isNotEmpty();
  }

  /** The measurement of one server is the one that the other shows. */
  private static void sizesAreMeasuredOnce(Console one, Console other) {
    JsonNode[] cost = new JsonNode[1];
    Awaitility.await("the account is measured")
        .atMost(PATIENCE)
        .until(
            () -> {
              cost[0] = one.get("/cost");
              return !cost[0].path("measured").path("at").isNull()
                  && !cost[0].path("measured").path("running").asBoolean();
            });
    int items = 0;
    for (JsonNode size : cost[0].path("stored")) {
      items += size.path("items").asInt();
    }
    System.out.println("sizes of " + items + " items: " + cost[0].path("measured"));
    JsonNode people = stored(cost[0], "People");
    assertThat(people.path("items").asInt()).isEqualTo(ENTITIES);
    assertThat(people.path("bytes").asLong()).isPositive();
    String at = cost[0].path("measured").path("at").asText();
    Awaitility.await("the other server knows it")
        .atMost(PATIENCE)
        .until(() -> !other.get("/cost").path("measured").path("at").isNull());
    assertThat(other.get("/cost").path("measured").path("at").asText()).isEqualTo(at);
  }

  private static JsonNode stored(JsonNode cost, String table) {
    return StreamSupport.stream(cost.path("stored").spliterator(), false)
        .filter(size -> size.path("space").asText().equals(table))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + table + " in " + cost));
  }

  /** Large entities that two servers store are one diagnosis, which both show. */
  private static void loadIsSeenAndDiagnosed(
      Console one, Console other, ServerProcess first, ServerProcess second) {
    one.done("POST", "/tables", "{\"name\":\"Large\"}");
    List<WireClient> clients =
        List.of(
            new WireClient(first.account(StorageService.TABLE)),
            new WireClient(second.account(StorageService.TABLE)));
    AtomicInteger written = new AtomicInteger();
    String text = "x".repeat(30_000);
    Awaitility.await("there is a diagnosis")
        .atMost(DIAGNOSIS_TIME)
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              int n = written.incrementAndGet();
              String entity =
                  "{\"PartitionKey\":\"p%d\",\"RowKey\":\"r\",\"a\":\"%s\",\"b\":\"%s\",\"c\":\"%s\"}"
                      .formatted(n, text, text, text);
              expect(clients.get(n % 2).post("/Large", entity).send()).status(201);
              return one.get("/load/diagnoses").toString().contains("\"space\":\"Large\"")
                  && other.get("/load/diagnoses").toString().contains("\"space\":\"Large\"");
            });
    for (Console console : List.of(one, other)) {
      JsonNode map = console.get("/load?service=table&space=Large&side=writes");
      assertThat(map.path("max").asDouble()).isPositive();
      assertThat(map.path("rows")).isNotEmpty();
      JsonNode inserts = operations(console.get("/cost?step=hour"));
      assertThat(sum(inserts)).isBetween(written.get() / 2, written.get());
    }
  }

  private static JsonNode operations(JsonNode cost) {
    return StreamSupport.stream(cost.path("rows").spliterator(), false)
        .filter(row -> row.path("space").asText().equals("Large"))
        .filter(row -> row.path("kind").asText().equals("insert"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no inserts in " + cost))
        .path("operations");
  }

  private static int sum(JsonNode numbers) {
    int sum = 0;
    for (JsonNode number : numbers) {
      sum += number.asInt();
    }
    return sum;
  }
}
