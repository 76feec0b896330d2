package io.lazuli.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.ConsoleClient;
import io.lazuli.server.console.session.Role;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The routes about jobs, and the kinds of jobs. */
class ConsoleJobsTest {
  private static ConsoleClient console;

  @BeforeAll
  static void start() {
    console = new ConsoleClient();
  }

  @AfterAll
  static void stop() {
    console.close();
  }

  /** Creates a table with 120 entities in each of the partitions A, B and C. */
  private static void fill(String table) {
    create(table);
    for (String partition : List.of("A", "B", "C")) {
      for (int from = 0; from < 120; from += 60) {
        StringBuilder changes = new StringBuilder();
        for (int i = from; i < from + 60; i++) {
          changes
              .append(changes.isEmpty() ? "" : ",")
              .append(
                  "{\"op\":\"insert\",\"k\":[\"%s\",\"%03d\"],\"v\":{\"Age\":%d}}"
                      .formatted(partition, i, i));
        }
        Answer answer =
            console.admin(
                "POST", "/tables/" + table + "/transaction", "{\"changes\":[" + changes + "]}");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
      }
    }
  }

  private static void create(String table) {
    assertThat(console.admin("POST", "/tables", "{\"name\":\"" + table + "\"}").status())
        .isEqualTo(201);
  }

  private static String order(String body) {
    Answer answer = console.admin("POST", "/jobs", body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(202);
    return field(answer.body(), "id");
  }

  private static String field(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\":\"?([^\",}]*)").matcher(json);
    assertThat(found.find()).as(json).isTrue();
    return found.group(1);
  }

  private static String awaitState(String id, String state) {
    await()
        .until(
            () -> {
              String body = console.admin("GET", "/jobs/" + id, "").body();
              assertThat(field(body, "state").equals("failed") && !state.equals("failed"))
                  .as(body)
                  .isFalse();
              return field(body, "state").equals(state);
            });
    return console.admin("GET", "/jobs/" + id, "").body();
  }

  private static long count(String table, String filter) {
    String id =
        order("{\"kind\":\"count\",\"table\":\"%s\",\"filter\":\"%s\"}".formatted(table, filter));
    return Long.parseLong(field(awaitState(id, "done"), "done"));
  }

  @Test
  void aCountIsExactAndKnownAfterwards() {
    fill("Counted");
    String id = order("{\"kind\":\"count\",\"table\":\"Counted\"}");
    String done = awaitState(id, "done");
    assertThat(done)
        .contains("\"done\":360,\"of\":360,\"exact\":true", "360 entities in 3 partitions");
    assertThat(console.admin("GET", "/tables?prefix=counted", "").body())
        .contains("\"entities\":{\"n\":360");
    assertThat(count("Counted", "PartitionKey eq 'A' and Age lt 10")).isEqualTo(10);
    assertThat(console.admin("GET", "/jobs/" + id + "/log", "").body())
        .contains("ordered by admin", "counted: 360 entities");
  }

  @Test
  void aDeleteCountsAsksAndTouchesOnlyWhatMatches() {
    fill("Deleted");
    String filter = "PartitionKey ne 'B' and Age ge 20";
    String id = order("{\"kind\":\"delete\",\"table\":\"Deleted\",\"filter\":\"" + filter + "\"}");
    String asks = awaitState(id, "paused");
    assertThat(asks)
        .contains("\"asks\":true", "\"of\":200,\"exact\":true", "200 entities in 2 partitions");
    assertThat(count("Deleted", "")).isEqualTo(360);
    assertThat(console.admin("POST", "/jobs/" + id + "/resume", "").status()).isEqualTo(200);
    assertThat(awaitState(id, "done")).contains("200 entities were deleted.");
    assertThat(count("Deleted", "")).isEqualTo(160);
    assertThat(count("Deleted", "PartitionKey eq 'B'")).isEqualTo(120);
    assertThat(count("Deleted", filter)).isZero();
  }

  @Test
  void aDeleteCanBeCancelledBeforeAndWhileItRuns() {
    fill("Kept");
    String first = order("{\"kind\":\"delete\",\"table\":\"Kept\"}");
    awaitState(first, "paused");
    assertThat(console.admin("POST", "/jobs/" + first + "/cancel", "").body())
        .contains("\"state\":\"cancelled\"");
    assertThat(count("Kept", "")).isEqualTo(360);
    String second = order("{\"kind\":\"delete\",\"table\":\"Kept\",\"ask\":false,\"rate\":10}");
    await()
        .until(
            () -> !field(console.admin("GET", "/jobs/" + second, "").body(), "done").equals("0"));
    assertThat(console.admin("POST", "/jobs/" + second + "/cancel", "").status()).isEqualTo(200);
    String cancelled = awaitState(second, "cancelled");
    assertThat(count("Kept", "")).isEqualTo(360 - Long.parseLong(field(cancelled, "done")));
    Answer late = console.admin("POST", "/jobs/" + second + "/resume", "");
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.body()).contains("The job is cancelled.");
    assertThat(console.admin("DELETE", "/jobs/" + second, "").status()).isEqualTo(204);
    assertThat(console.admin("GET", "/jobs/" + second, "").status()).isEqualTo(404);
  }

  @Test
  void anEditSetsAndRemovesOneProperty() {
    fill("Edited");
    String set =
        order(
            "{\"kind\":\"edit\",\"table\":\"Edited\",\"filter\":\"Age lt 30\",\"property\":\"Age\","
                + "\"type\":\"Int32\",\"value\":\"1\",\"ask\":false}");
    assertThat(awaitState(set, "done"))
        .contains("87 entities were changed; 3 had the value already.");
    assertThat(count("Edited", "Age eq 1")).isEqualTo(90);
    String add =
        order(
            "{\"kind\":\"edit\",\"table\":\"Edited\",\"filter\":\"PartitionKey eq 'A'\","
                + "\"property\":\"Big\",\"type\":\"Int64\",\"value\":\"9007199254740993\","
                + "\"ask\":false}");
    assertThat(awaitState(add, "done")).contains("120 entities were changed.");
    assertThat(count("Edited", "Big eq 9007199254740993L")).isEqualTo(120);
    String remove =
        order("{\"kind\":\"edit\",\"table\":\"Edited\",\"property\":\"Age\",\"ask\":false}");
    assertThat(awaitState(remove, "done")).contains("360 entities were changed.");
    assertThat(count("Edited", "Age ge 0")).isZero();
    assertThat(count("Edited", "Big eq 9007199254740993L")).isEqualTo(120);
  }

  /** One property of each kind, by name, because CSV sorts columns. */
  private static final String MANY_TYPES =
      "{\"B\":true,\"D\":46.5,\"E\":\"\",\"F\":\"=1+1\","
          + "\"G\":{\"t\":\"Guid\",\"v\":\"c9da6455-213d-42c9-9a79-3e9149a57833\"},\"I\":-46,"
          + "\"L\":{\"t\":\"Int64\",\"v\":\"-9007199254740993\"},"
          + "\"N\":{\"t\":\"Double\",\"v\":\"NaN\"},\"Q\":\"'=1\","
          + "\"S\":\"a, \\\"b\\\"\\r\\n\u00e4\","
          + "\"T\":{\"t\":\"DateTime\",\"v\":\"2026-11-18T06:54:32.1234567Z\"},"
          + "\"U\":\"x\\ud800y\",\"W\":{\"t\":\"Double\",\"v\":\"46.0\"},"
          + "\"X\":{\"t\":\"Binary\",\"v\":\"AP8=\"},\"Z\":{\"t\":\"Double\",\"v\":\"-0.0\"}}";

  private static String values(String table) {
    String body = console.admin("POST", "/tables/" + table + "/query", "{\"limit\":1000}").body();
    assertThat(body).contains("\"next\":null");
    return body.substring(body.indexOf("\"rows\":"), body.indexOf(",\"next\":"))
        .replaceAll("\"e\":\"W[^}]*?Z\",\"v\"", "\"v\"");
  }

  private static String result(String id) {
    Answer answer = console.admin("GET", "/jobs/" + id + "/result", "");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type")).isEqualTo("application/octet-stream");
    assertThat(answer.header("Content-Disposition")).startsWith("attachment; filename=\"");
    assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
    return answer.body();
  }

  private static String upload(String content) {
    Answer answer = console.admin("PUT", "/files", content);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return field(answer.body(), "file");
  }

  @Test
  void whatIsExportedCanBeImportedAndIsEqual() {
    fill("Source");
    assertThat(
            console
                .admin(
                    "POST",
                    "/tables/Source/entities",
                    "{\"k\":[\"=p\",\"'-r\"],\"v\":" + MANY_TYPES + "}")
                .status())
        .isEqualTo(201);
    for (String format : List.of("jsonl", "csv")) {
      String id = order("{\"kind\":\"export\",\"table\":\"Source\",\"format\":\"" + format + "\"}");
      assertThat(awaitState(id, "done"))
          .contains("\"name\":\"Source." + format + "\"", "361 entities");
      String file = result(id);
      assertThat(file).contains(format.equals("csv") ? "'=1+1,Edm.String" : "\"F\":\"=1+1\"");
      String target = "To" + format;
      String load =
          order(
              "{\"kind\":\"import\",\"table\":\"%s\",\"format\":\"%s\",\"file\":\"%s\"}"
                  .formatted(target, format, upload(file)));
      assertThat(awaitState(load, "done")).contains("361 entities were written.");
      assertThat(values(target)).isEqualTo(values("Source"));
    }
    String copy = order("{\"kind\":\"copy\",\"table\":\"Source\",\"target\":\"Copied\"}");
    assertThat(awaitState(copy, "done")).contains("361 entities were copied to Copied.");
    assertThat(values("Copied")).isEqualTo(values("Source"));
  }

  @Test
  void anExportHasOnlyWhatMatchesAndMayLeaveFormulas() {
    fill("Formulas");
    String set =
        order(
            "{\"kind\":\"edit\",\"table\":\"Formulas\",\"property\":\"F\",\"type\":\"String\","
                + "\"value\":\"@x\",\"ask\":false}");
    awaitState(set, "done");
    String id =
        order(
            "{\"kind\":\"export\",\"table\":\"Formulas\",\"format\":\"csv\",\"guard\":false,"
                + "\"filter\":\"PartitionKey eq 'B' and Age lt 2\"}");
    awaitState(id, "done");
    assertThat(result(id).split("\r\n", -1))
        .satisfies(
            lines -> {
              assertThat(lines).hasSize(4);
              assertThat(lines[0]).isEqualTo("PartitionKey,RowKey,Timestamp,Age,Age@type,F,F@type");
              assertThat(lines[2]).startsWith("B,001,").endsWith(",1,Edm.Int32,@x,Edm.String");
            });
    console.admin("DELETE", "/jobs/" + id, "");
    assertThat(console.admin("GET", "/jobs/" + id + "/result", "").status()).isEqualTo(404);
  }

  @Test
  void aWrongFileIsRefusedAtItsRecord() {
    String good = "{\"PartitionKey\":\"p\",\"RowKey\":\"1\",\"N\":1}\n";
    for (String bad :
        List.of(
            "{\"PartitionKey\":\"p\",\"RowKey\":\"2\",\"N@odata.type\":\"Edm.Int64\",\"N\":\"x\"}",
            "{\"PartitionKey\":\"p\"}",
            "no JSON",
            "{\"PartitionKey\":\"a/b\",\"RowKey\":\"2\"}")) {
      String id =
          order(
              "{\"kind\":\"import\",\"table\":\"Wrong\",\"format\":\"jsonl\",\"file\":\"%s\"}"
                  .formatted(upload(good + bad + "\n")));
      assertThat(awaitState(id, "failed")).contains("Record 2 of the file is wrong");
    }
    String csv = upload("PartitionKey,X\r\np,1\r\n");
    String id =
        order(
            "{\"kind\":\"import\",\"table\":\"Wrong\",\"format\":\"csv\",\"file\":\""
                + csv
                + "\"}");
    assertThat(awaitState(id, "failed")).contains("The file has no column RowKey.");
    Answer missing =
        console.admin("POST", "/jobs", "{\"kind\":\"import\",\"table\":\"Wrong\",\"file\":\"u1\"}");
    assertThat(missing.status()).isEqualTo(404);
  }

  @Test
  void whatAServerCannotDoIsToldWithTheReason() {
    assertThat(console.admin("GET", "/jobs", "").body())
        .contains(
            "{\"name\":\"backup\",\"unavailable\":\"This engine has no backups of its own.\"");
    Answer answer = console.admin("POST", "/jobs", "{\"kind\":\"verify\"}");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains("Only servers with the engine rocksdb");
  }

  @Test
  void badOrdersAreRefusedAndChangeNothing() {
    create("Orders1");
    for (String body :
        List.of(
            "{}",
            "{\"kind\":\"nothing\"}",
            "{\"kind\":\"count\"}",
            "{\"kind\":\"count\",\"table\":\"!\"}",
            "{\"kind\":\"delete\",\"table\":\"Orders1\",\"filter\":\"Age eq )\"}",
            "{\"kind\":\"delete\",\"table\":\"Orders1\",\"rate\":0}",
            "{\"kind\":\"edit\",\"table\":\"Orders1\"}",
            "{\"kind\":\"edit\",\"table\":\"Orders1\",\"property\":\"RowKey\"}",
            "{\"kind\":\"edit\",\"table\":\"Orders1\",\"property\":\"X\",\"type\":\"Int32\","
                + "\"value\":\"x\"}",
            "{\"kind\":\"edit\",\"table\":\"Orders1\",\"property\":\"a b\"}",
            "{\"kind\":\"count\",\"table\":\"Orders1\",\"unknown\":1}")) {
      Answer answer = console.admin("POST", "/jobs", body);
      assertThat(answer.status()).as(body + answer.body()).isEqualTo(400);
    }
    assertThat(console.admin("POST", "/jobs", "{\"kind\":\"count\",\"table\":\"None1\"}").status())
        .isEqualTo(404);
    assertThat(console.admin("GET", "/jobs", "").body()).doesNotContain("Orders1");
  }

  @Test
  void onlyOperatorsSeeAndOrderJobs() {
    String jobs = "/api/v1/accounts/" + ConsoleClient.ACCOUNT + "/jobs";
    assertThat(console.as(Role.EDITOR, "GET", jobs, "").status()).isEqualTo(403);
    assertThat(console.as(Role.OPERATOR, "GET", jobs, "").status()).isEqualTo(200);
    assertThat(console.admin("GET", "/jobs/jnone", "").status()).isEqualTo(404);
  }

  @Test
  void streamsBeginWithOpenJobsForThoseWhoMaySeeThem() throws Exception {
    console.admin("POST", "/tables", "{\"name\":\"Streamed\"}");
    Answer ordered = console.admin("POST", "/jobs", "{\"kind\":\"delete\",\"table\":\"Streamed\"}");
    assertThat(ordered.status()).isEqualTo(202);
    assertThat(streamOf(Role.OPERATOR)).contains("event: job", field(ordered.body(), "id"));
    assertThat(streamOf(Role.EDITOR)).contains("event: summary").doesNotContain("event: job");
    String moved = "/jobs/" + field(ordered.body(), "id") + "/cancel";
    assertThat(console.admin("POST", moved, "{}").status()).isEqualTo(200);
    assertThat(streamOf(Role.OPERATOR)).doesNotContain("event: job");
  }

  /** Returns the stream up to its first summary. */
  private static String streamOf(Role role) throws Exception {
    try (RawConnection connection = new RawConnection(console.server().adminPort())) {
      connection.send(
          "GET /api/v1/events?account="
              + ConsoleClient.ACCOUNT
              + " HTTP/1.1\r\nHost: "
              + console.host()
              + "\r\n"
              + "Cookie: lazuli="
              + console.session(role)
              + "\r\n\r\n");
      StringBuilder read = new StringBuilder();
      while (read.indexOf("\"health\"") < 0) {
        read.append(new String(connection.bytes(1), StandardCharsets.US_ASCII));
      }
      return read.toString();
    }
  }
}
