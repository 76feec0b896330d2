package io.lazuli.server.table.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The header {@code x-lazuli-explain} on the wire. */
class ExplainWireTest {
  private static final String ONLY = "x-lazuli-explain: only";
  private static final String WITH = "x-lazuli-explain: with";
  private static final String SALES = "/Staff()?$filter=PartitionKey%20eq%20'Sales'";

  private static WireServer server;

  @BeforeAll
  static void start() {
    server = new WireServer();
    server.owner("POST", "/Tables", "{\"TableName\":\"Staff\"}");
    for (int i = 0; i < 7; i++) {
      server.owner(
          "POST",
          "/Staff",
          "{\"PartitionKey\":\"Sales\",\"RowKey\":\"" + i + "\",\"Secret\":\"swordfish\"}");
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @Test
  void onlyExplainsAndReadsNothing() {
    Answer answer = server.owner("GET", SALES, "", ONLY);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("content-type")).isEqualTo("application/json");
    assertThat(answer.body())
        .contains("\"kind\":\"partition scan\"", "\"complete\":true")
        .doesNotContain("swordfish");
  }

  @Test
  void headerExplainsInAnAnswerWithoutEntities() {
    Answer answer = server.owner("GET", SALES, "", "x-lazuli-explain: header");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("{\"value\":[]}");
    assertThat(answer.header("x-lazuli-plan"))
        .startsWith("{\"kind\":\"partition scan\"")
        .contains("\"complete\":true");
  }

  @Test
  void sizesAreKnownOnceAQueryHasReadThem() {
    server.owner("GET", SALES, "");
    assertThat(server.owner("GET", SALES, "", ONLY).body())
        .contains("\"read\":{\"n\":7,\"atLeast\":null,\"basis\":\"counted\"");
  }

  @Test
  void withAnswersTheQueryAndExplainsIt() {
    Answer answer = server.owner("GET", SALES, "", WITH);
    assertThat(answer.body()).contains("swordfish");
    assertThat(answer.header("x-lazuli-plan"))
        .startsWith("{\"kind\":\"partition scan\"")
        .contains("\"read\":{\"n\":7,\"atLeast\":null,\"basis\":\"measured\"");
  }

  @Test
  void withoutTheHeaderThePlanIsShort() {
    assertThat(server.owner("GET", SALES, "").header("x-lazuli-plan"))
        .isEqualTo("partition scan; read=7");
  }

  @Test
  void anEntityByItsAddressIsAPoint() {
    assertThat(server.owner("GET", "/Staff(PartitionKey='Sales',RowKey='1')", "", ONLY).body())
        .contains("\"kind\":\"point\"", "point.ok")
        .doesNotContain("swordfish");
  }

  @Test
  void errorsAreThoseOfTheQuery() {
    assertThat(server.owner("GET", "/Missing()", "", ONLY).status()).isEqualTo(404);
    assertThat(server.owner("GET", "/Staff()?$filter=Age%20eq", "", ONLY).status()).isEqualTo(400);
    assertThat(server.owner("GET", SALES, "", "x-lazuli-explain: maybe").status()).isEqualTo(400);
  }

  @Test
  void itNeedsThePermissionOfTheQuery() {
    String writer = WireServer.tableToken("Staff", "sp", "a", "se", "2034-01-01");
    assertThat(server.holder(writer, "GET", SALES, "", ONLY).status()).isEqualTo(403);
    String other = WireServer.tableToken("Other", "sp", "r", "se", "2034-01-01");
    assertThat(server.holder(other, "GET", SALES, "", ONLY).status()).isEqualTo(403);
  }

  @Test
  void aTokenForSomeKeysLearnsNothingAboutOthers() {
    server.owner("GET", SALES, "");
    String narrow =
        WireServer.tableToken(
            "Staff",
            "sp",
            "r",
            "se",
            "2034-01-01",
            "spk",
            "Sales",
            "srk",
            "2",
            "epk",
            "Sales",
            "erk",
            "3");
    Answer answer = server.holder(narrow, "GET", SALES, "", ONLY);
    assertThat(answer.body())
        .contains("\"kind\":\"range\"", "narrowed to it", "\"n\":null")
        .doesNotContain("\"n\":7");
    assertThat(server.holder(narrow, "GET", SALES, "", WITH).header("x-lazuli-plan"))
        .contains("\"read\":{\"n\":2,");
  }
}
