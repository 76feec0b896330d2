package io.lazuli.server.console;

import static io.lazuli.server.ConsoleClient.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.lazuli.server.ConsoleClient;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The routes about tables, queries and entities. */
class ConsoleTablesTest {
  private static final String HOSTILE = "<img src=x onerror=alert(1)>\u202e\u200b\u0001";

  private static ConsoleClient console;

  @BeforeAll
  static void start() {
    console = new ConsoleClient();
    create("Staff");
    for (int i = 0; i < 25; i++) {
      insert("Staff", i < 20 ? "Sales" : "Legal", "%03d".formatted(i), "{\"Age\":" + i + "}");
    }
  }

  @AfterAll
  static void stop() {
    console.close();
  }

  private static void create(String table) {
    assertThat(console.admin("POST", "/tables", "{\"name\":\"" + table + "\"}").status())
        .isEqualTo(201);
  }

  private static Answer insert(String table, String pk, String rk, String values) {
    Answer answer =
        console.admin(
            "POST",
            "/tables/" + table + "/entities",
            "{\"k\":[" + json(pk) + "," + json(rk) + "],\"v\":" + values + "}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer;
  }

  private static String json(String text) {
    StringBuilder out = new StringBuilder("\"");
    text.chars().forEach(c -> out.append("\\u%04x".formatted(c)));
    return out.append('"').toString();
  }

  @Test
  void tablesAreListedByPrefixAndPage() {
    for (String name : List.of("PageA", "PageB", "PageC")) {
      create(name);
    }
    Answer first = console.admin("GET", "/tables?prefix=page&limit=2", "");
    assertThat(first.body()).contains("PageA", "PageB").doesNotContain("PageC", "Staff");
    String next = field(first, "next");
    Answer second = console.admin("GET", "/tables?prefix=page&limit=2&after=" + next, "");
    assertThat(second.body()).contains("PageC", "\"next\":null").doesNotContain("PageA");
    Answer other = console.admin("GET", "/tables?prefix=st&after=" + next, "");
    assertThat(other.status()).isEqualTo(400);
    assertThat(other.body()).contains("InvalidToken");
    assertThat(console.admin("DELETE", "/tables/PageA", "").status()).isEqualTo(204);
    assertThat(console.admin("DELETE", "/tables/PageA", "").status()).isEqualTo(404);
  }

  @Test
  void aQueryHasColumnsRowsAndAnExplanation() {
    Answer answer =
        console.admin(
            "POST", "/tables/Staff/query", "{\"filter\":\"PartitionKey eq 'Legal'\",\"limit\":3}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body())
        .contains(
            "{\"name\":\"Age\",\"types\":[\"Int32\"]",
            "\"k\":[\"Legal\",\"020\"]",
            "\"v\":{\"Age\":20}",
            "\"kind\":\"partition scan\"",
            "\"basis\":\"measured\"");
    String next = field(answer, "next");
    String more =
        console
            .admin(
                "POST",
                "/tables/Staff/query",
                "{\"filter\":\"PartitionKey eq 'Legal'\",\"after\":\"" + next + "\"}")
            .body();
    assertThat(more).contains("\"023\"", "\"024\"", "\"next\":null").doesNotContain("\"022\"");
  }

  @Test
  void tokensOfOthersAreRefused() {
    String next =
        field(
            console.admin("POST", "/tables/Staff/query", "{\"filter\":\"\",\"limit\":1}"), "next");
    create("Foreign");
    for (String table : List.of("Foreign", "Staff")) {
      String filter = table.equals("Staff") ? "Age eq 1" : "";
      assertThat(
              console
                  .admin(
                      "POST",
                      "/tables/" + table + "/query",
                      "{\"filter\":\"" + filter + "\",\"after\":\"" + next + "\"}")
                  .body())
          .contains("InvalidToken");
    }
    String forged = next.substring(0, next.length() - 2) + "AA";
    for (String bad : List.of(forged, "p1.", "p2." + next.substring(3), "x", "p1.!!!")) {
      assertThat(
              console.admin("POST", "/tables/Staff/query", "{\"after\":\"" + bad + "\"}").status())
          .as(bad)
          .isEqualTo(400);
    }
  }

  @Test
  void containsLooksIntoEveryEntity() {
    create("Texts");
    insert("Texts", "p", "1", "{\"A\":\"find the needle here\"}");
    insert("Texts", "p", "2", "{\"A\":\"hay\"}");
    assertThat(console.admin("POST", "/tables/Texts/query", "{\"contains\":\"needle\"}").body())
        .contains("\"1\"", "\"scanned\":2", "contains.search")
        .doesNotContain("\"hay\"");
  }

  @Test
  void aWrongFilterSaysWhere() {
    Answer query = console.admin("POST", "/tables/Staff/query", "{\"filter\":\"Age eq )\"}");
    assertThat(query.status()).isEqualTo(400);
    assertThat(query.body()).contains("\"error\":{\"key\":\"filter.value\"", "\"from\":7,\"to\":8");
    Answer explain = console.admin("POST", "/tables/Staff/explain", "{\"filter\":\"Age eq )\"}");
    assertThat(explain.status()).isEqualTo(200);
    assertThat(explain.body()).contains("\"kind\":null", "\"from\":7");
    Answer soFar =
        console.admin(
            "POST", "/tables/Staff/explain", "{\"filter\":\"PartitionKey eq 'Sales' and \"}");
    assertThat(soFar.body())
        .contains(
            "\"kind\":\"partition scan\"",
            "\"complete\":false",
            "\"soFar\":\"PartitionKey eq 'Sales'\"",
            "\"error\":null",
            "\"read\":{\"n\":20,\"atLeast\":null,\"basis\":\"counted\"");
  }

  @Test
  void everyTypeSurvives() {
    create("Types");
    String values =
        "{\"S\":\"text\",\"I\":46,\"L\":{\"t\":\"Int64\",\"v\":\"9007199254740993\"},"
            + "\"D\":46.5,\"W\":{\"t\":\"Double\",\"v\":\"46.0\"},"
            + "\"N\":{\"t\":\"Double\",\"v\":\"NaN\"},\"Z\":{\"t\":\"Double\",\"v\":\"-0.0\"},"
            + "\"B\":true,\"T\":{\"t\":\"DateTime\",\"v\":\"2026-11-18T06:54:32.1234567Z\"},"
            + "\"G\":{\"t\":\"Guid\",\"v\":\"c9da6455-213d-42c9-9a79-3e9149a57833\"},"
            + "\"X\":{\"t\":\"Binary\",\"v\":\"AP8=\"},\"E\":\"\"}";
    insert("Types", "p", "r", values);
    assertThat(console.admin("GET", "/tables/Types/entities?pk=p&rk=r", "").body())
        .contains("\"v\":" + values);
    assertThat(console.admin("GET", "/tables/Types/columns", "").body())
        .contains("{\"name\":\"L\",\"types\":[\"Int64\"],\"share\":1.0}", "\"sampled\":1");
    for (String bad :
        List.of(
            "{\"A\":null}",
            "{\"A\":[]}",
            "{\"A\":{\"t\":\"Int64\"}}",
            "{\"A\":{\"t\":\"Int64\",\"v\":\"x\"}}",
            "{\"A\":{\"t\":\"Nope\",\"v\":\"1\"}}",
            "{\"A\":99999999999}",
            "{\"PartitionKey\":\"x\"}")) {
      assertThat(
              console
                  .admin(
                      "POST", "/tables/Types/entities", "{\"k\":[\"p\",\"bad\"],\"v\":" + bad + "}")
                  .status())
          .as(bad)
          .isEqualTo(400);
    }
  }

  @Test
  void aConflictAnswersWithWhatIsStored() {
    create("Conflict");
    String etag = field(insert("Conflict", "p", "r", "{\"A\":1}"), "e");
    String path = "/tables/Conflict/entities?pk=p&rk=r";
    Answer changed = console.admin("PATCH", path, "{\"v\":{\"B\":2}}", "If-Match: " + etag);
    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.body()).contains("\"v\":{\"A\":1,\"B\":2}");
    Answer refused = console.admin("PUT", path, "{\"v\":{\"C\":3}}", "If-Match: " + etag);
    assertThat(refused.status()).isEqualTo(412);
    assertThat(refused.body())
        .contains("UpdateConditionNotSatisfied", "\"stored\":{", "\"A\":1,\"B\":2");
    assertThat(console.admin("PUT", path, "{\"v\":{\"C\":3}}").status()).isEqualTo(400);
    assertThat(console.admin("DELETE", path, "", "If-Match: " + etag).status()).isEqualTo(412);
    assertThat(console.admin("DELETE", path, "", "If-Match: *").status()).isEqualTo(204);
    Answer gone = console.admin("PATCH", path, "{\"v\":{}}", "If-Match: *");
    assertThat(gone.status()).isEqualTo(412);
    assertThat(gone.body()).contains("\"stored\":null");
    assertThat(console.admin("GET", path, "").status()).isEqualTo(404);
  }

  @Test
  void aTransactionIsAllOrNothing() {
    create("Group");
    String etag = field(insert("Group", "p", "1", "{\"A\":1}"), "e").replace("\"", "\\\"");
    String both =
        "{\"changes\":[{\"op\":\"insert\",\"k\":[\"p\",\"2\"],\"v\":{}},"
            + "{\"op\":\"%s\",\"k\":[\"p\",\"1\"],\"e\":\"%s\",\"v\":{\"A\":2}}]}";
    Answer done = console.admin("POST", "/tables/Group/transaction", both.formatted("merge", etag));
    assertThat(done.status()).as(done.body()).isEqualTo(200);
    Answer refused =
        console.admin(
            "POST",
            "/tables/Group/transaction",
            both.formatted("replace", etag).replace("\"2\"]", "\"3\"]"));
    assertThat(refused.status()).isEqualTo(412);
    assertThat(refused.body()).contains("\"index\":1", "\"stored\":{", "\"A\":2");
    assertThat(console.admin("GET", "/tables/Group/entities?pk=p&rk=3", "").status())
        .isEqualTo(404);
  }

  @Test
  void keysAreFoundBySeeks() {
    assertThat(console.admin("GET", "/tables/Staff/keys?prefix=S", "").body())
        .isEqualTo("{\"keys\":[\"Sales\"],\"more\":false}");
    assertThat(console.admin("GET", "/tables/Staff/keys?pk=Legal&prefix=02&limit=2", "").body())
        .isEqualTo("{\"keys\":[\"020\",\"021\"],\"more\":true}");
    assertThat(console.admin("GET", "/tables/Staff/keys?limit=101", "").status()).isEqualTo(400);
  }

  @Test
  void nearJumpsIntoTheTable() {
    Answer near = console.admin("GET", "/tables/Staff/near?share=1", "");
    assertThat(near.body()).contains("\"k\":[\"Sales\"", "\"exact\":false");
    String page =
        console
            .admin("POST", "/tables/Staff/query", "{\"after\":\"" + field(near, "after") + "\"}")
            .body();
    assertThat(page).contains("Sales");
    create("Empty");
    assertThat(console.admin("GET", "/tables/Empty/near?share=0.5", "").body())
        .contains("\"k\":null");
  }

  @Test
  void hostileNamesAndValuesPassAsData() throws IOException {
    create("Hostile");
    String lone = HOSTILE.replace("\u0001", "") + "\ud800";
    insert(
        "Hostile",
        HOSTILE.replace("\u0001", "").replace("/", ""),
        "r",
        "{\"A\":" + json(lone) + ",\"__proto__\":1}");
    Answer answer = console.admin("POST", "/tables/Hostile/query", "{}");
    assertThat(answer.body()).matches("[ -~]+").contains("\\uD800", "\\u202E");
    assertThat(strings(answer.body())).contains(lone);
    assertThat(answer.header("content-type")).startsWith("application/json");
    for (String name : List.of("<b>", "a'b", "..", "%00", "x".repeat(300), "\u202e")) {
      assertThat(console.admin("GET", "/tables/" + encoded(name) + "/columns", "").status())
          .as(name)
          .isIn(400, 404);
    }
  }

  @Test
  void limitsAreChecked() {
    for (String limit : List.of("0", "1001", "-1", "\"5\"", "1.5", "99999999999999999999")) {
      assertThat(console.admin("POST", "/tables/Staff/query", "{\"limit\":" + limit + "}").status())
          .as(limit)
          .isEqualTo(400);
    }
    String filter = "x".repeat(9_000);
    assertThat(
            console
                .admin("POST", "/tables/Staff/query", "{\"filter\":\"" + filter + "\"}")
                .status())
        .isEqualTo(400);
    assertThat(console.admin("POST", "/tables/Staff/query", "{\"filtre\":\"\"}").status())
        .isEqualTo(400);
    assertThat(console.admin("POST", "/tables/Staff/query", "[".repeat(5_000)).status())
        .isEqualTo(400);
  }

  /** Returns the first text with a name in an answer. */
  static String field(Answer answer, String name) {
    try (JsonParser json = new JsonFactory().createParser(answer.body())) {
      while (json.nextToken() != null) {
        if (json.currentToken() == JsonToken.FIELD_NAME && json.currentName().equals(name)) {
          json.nextToken();
          return json.getText();
        }
      }
      throw new AssertionError(name + " is missing: " + answer.body());
    } catch (IOException e) {
      throw new AssertionError(answer.body(), e);
    }
  }

  private static List<String> strings(String text) throws IOException {
    List<String> strings = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(text)) {
      while (json.nextToken() != null) {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
          strings.add(json.getText());
        }
      }
    }
    return strings;
  }
}
