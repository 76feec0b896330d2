package io.lazuli.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.ConsoleClient;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.console.model.ModelJson;
import io.lazuli.server.console.session.Role;
import io.lazuli.server.design.GuideExamples;
import io.lazuli.server.http.RawConnection.Answer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The routes about models, through the admin port. */
@Timeout(60)
class ConsoleModelTest {
  private static final String API = "/api/v1/accounts/" + ConsoleClient.ACCOUNT;

  private final ConsoleClient console = new ConsoleClient();

  @AfterEach
  void close() {
    console.close();
  }

  private static String body(String example) {
    GuideExamples.Example found = GuideExamples.byName().get(example);
    return new String(
        JsonOut.bytes(json -> ModelJson.write(json, found.entities(), found.accesses())),
        StandardCharsets.US_ASCII);
  }

  @Test
  void aModelIsStoredReadAndDeleted() {
    assertThat(console.admin("GET", "/models", "").body()).isEqualTo("{\"models\":[]}");
    assertThat(console.admin("PUT", "/models/My%20shop", body("log-tail")).status()).isEqualTo(204);
    assertThat(console.admin("GET", "/models", "").body())
        .isEqualTo("{\"models\":[{\"name\":\"My shop\"}]}");
    Answer found = console.admin("GET", "/models/My%20shop", "");
    assertThat(found.status()).isEqualTo(200);
    assertThat(found.body())
        .contains("\"name\":\"My shop\"", "newest first 10 50/s", "\"tables\":[]");
    assertThat(console.admin("DELETE", "/models/My%20shop", "").status()).isEqualTo(204);
    assertThat(console.admin("GET", "/models/My%20shop", "").status()).isEqualTo(404);
  }

  @Test
  void readersProposeButDoNotStore() {
    Answer proposed =
        console.as(Role.READER, "POST", API + "/models/propose", body("intra-partition-index"));
    assertThat(proposed.status()).isEqualTo(200);
    assertThat(proposed.body())
        .contains(
            "\"rowKey\":\"empid_{empid, 6 digits}\"",
            "Intra-partition secondary index pattern",
            "AsyncIndexedTable");
    String model = API + "/models/a";
    assertThat(console.as(Role.READER, "PUT", model, body("log-tail")).status()).isEqualTo(403);
    assertThat(console.as(Role.READER, "DELETE", model, "").status()).isEqualTo(403);
    assertThat(console.as(Role.READER, "POST", model + "/try", "").status()).isEqualTo(403);
    assertThat(console.as(Role.READER, "GET", API + "/model-examples", "").body())
        .contains("Log tail pattern");
  }

  @Test
  void wrongModelsAreRefusedAndChangeNothing() {
    String[] wrong = {
      "{}",
      "{\"entities\":[]}",
      "{\"entities\":[{\"name\":\"A\"}]}",
      body("log-tail").replace("list Expense", "list Nobody"),
      body("log-tail").replace("\"count\":5000000", "\"count\":0"),
      body("log-tail").replace("\"type\":\"DateTime\"", "\"type\":\"Money\""),
      body("log-tail").replace("\"digits\":0", "\"digits\":99"),
      body("log-tail").replace("\"count\"", "\"counts\""),
    };
    for (String each : wrong) {
      assertThat(console.admin("PUT", "/models/a", each).status()).as(each).isEqualTo(400);
      assertThat(console.admin("POST", "/models/propose", each).status()).as(each).isEqualTo(400);
    }
    assertThat(console.admin("PUT", "/models/%27a", body("log-tail")).status()).isEqualTo(400);
    assertThat(console.admin("GET", "/models", "").body()).isEqualTo("{\"models\":[]}");
    assertThat(console.admin("POST", "/models/none/try", "{}").status()).isEqualTo(404);
  }

  @Test
  void anAccountHasAHundredModels() {
    for (int i = 0; i < 100; i++) {
      assertThat(console.admin("PUT", "/models/m" + i, body("log-tail")).status()).isEqualTo(204);
    }
    assertThat(console.admin("PUT", "/models/more", body("log-tail")).body())
        .contains("TooManyModels");
    assertThat(console.admin("PUT", "/models/m7", body("archive")).status()).isEqualTo(204);
  }

  /**
   * The server's own planner chooses the kinds that were proposed, for every example and design.
   */
  @Test
  void everyAccessOfTheGuideIsOfThePromisedKind() {
    for (String example : GuideExamples.byName().keySet()) {
      String name = example.replace("-", "");
      assertThat(console.admin("PUT", "/models/" + name, body(example)).status()).isEqualTo(204);
      Answer tried = console.admin("POST", "/models/" + name + "/try", "{\"proposal\":0}");
      if (example.equals("log-data")) {
        assertThat(tried.body()).contains("NothingToTry");
        continue;
      }
      assertThat(tried.status()).as(example + tried.body()).isEqualTo(200);
      assertThat(tried.body())
          .as(example)
          .contains("\"tried\":[")
          .doesNotContain("\"asPromised\":false");
      assertThat(tried.body()).as(example).doesNotContain("\"returned\":0}");
    }
  }

  @Test
  void aTrialCanBeRepeatedButTakesNoForeignTable() {
    assertThat(console.admin("PUT", "/models/a", body("employees")).status()).isEqualTo(204);
    assertThat(console.admin("POST", "/models/a/try", "{}").status()).isEqualTo(200);
    assertThat(console.admin("POST", "/models/a/try", "{}").status()).isEqualTo(200);
    assertThat(console.admin("GET", "/models/a", "").body()).contains("\"TryAEmployee\"");
    assertThat(console.admin("POST", "/models/a/try", "{\"proposal\":9}").status()).isEqualTo(400);
    assertThat(console.admin("POST", "/tables", "{\"name\":\"TryBEmployee\"}").status())
        .isEqualTo(201);
    assertThat(console.admin("PUT", "/models/b", body("employees")).status()).isEqualTo(204);
    assertThat(console.admin("POST", "/models/b/try", "{}").status()).isEqualTo(409);
    assertThat(console.admin("POST", "/tables/TryBEmployee/query", "{}").body())
        .contains("\"rows\":[]");
  }
}
