package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers to conditions on the wire, from the tables of blob-rest 4. */
class BlobConditionsWireTest {
  private static final String PAST = "Sunday, 06-Nov-94 08:49:37 GMT";
  private static final String FUTURE = "Fri, 01 Jan 2038 00:00:00 GMT";

  private static WireServer server;
  private static int made;

  private String blob;
  private String tag;

  @BeforeAll
  static void start() {
    server = WireServer.ofBlobs();
    server.owner("PUT", "/conditions?restype=container", "");
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void putBlob() {
    blob = "/conditions/blob-" + ++made;
    tag = server.owner("PUT", blob, "content", "x-ms-blob-type: BlockBlob").header("ETag");
  }

  /**
   * Returns the headers of a list of conditions: {@code M} If-Match, {@code N} If-None-Match,
   * {@code S} and {@code U} the dates; 1 for a condition that holds.
   */
  private String[] headers(String conditions, String... more) {
    List<String> headers = new ArrayList<>(List.of(more));
    for (String condition : conditions.isEmpty() ? new String[0] : conditions.split(" ", -1)) {
      boolean met = condition.charAt(1) == '1';
      headers.add(
          switch (condition.charAt(0)) {
            case 'M' -> "If-Match: " + (met ? tag : "\"0x1\"");
            case 'N' -> "If-None-Match: " + (met ? "\"0x1\"" : tag);
            case 'S' -> "If-Modified-Since: " + (met ? PAST : FUTURE);
            default -> "If-Unmodified-Since: " + (met ? FUTURE : PAST);
          });
    }
    return headers.toArray(String[]::new);
  }

  @ParameterizedTest
  @CsvSource({
    "'',200",
    "M1,200",
    "M0,412",
    "N1,200",
    "N0,304",
    "S1,200",
    "S0,304",
    "U1,200",
    "U0,412",
    "M0 U1 N1 S1,412",
    "M1 U0 N1 S1,412",
    "M1 U1 N1 S0,200",
    "M1 U1 N0 S1,200",
    "M1 U1 N0 S0,304",
    "N1 S0,200",
    "N0 S1,200",
    "N0 S0,304",
    "M0 N0,412",
  })
  void readsCombineConditionsAsTheTableSays(String conditions, int status) {
    for (String method : List.of("GET", "HEAD")) {
      Answer answer = server.owner(method, blob, "", headers(conditions));
      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.header("x-ms-error-code"))
          .isEqualTo(status == 200 ? null : "ConditionNotMet");
      if (status == 304) {
        assertThat(answer.body()).isEmpty();
        assertThat(answer.header("Content-Type")).isNull();
      }
    }
  }

  @Test
  void anAnswerWithoutBodyLeavesTheConnectionInStep() {
    Answer notModified = server.owner("GET", blob, "", headers("N0"));
    assertThat(notModified.status()).isEqualTo(304);
    assertThat(notModified.header("Content-Length")).isEqualTo("0");
    assertThat(server.owner("GET", blob, "").body()).isEqualTo("content");
  }

  @ParameterizedTest
  @CsvSource({
    "M1,true",
    "M0,false",
    "N1,true",
    "N0,false",
    "S1,true",
    "S0,false",
    "U1,true",
    "U0,false",
    "N1 S0,true",
    "M1 U0,true",
  })
  void writesFailWith412(String conditions, boolean met) {
    List<Answer> answers =
        List.of(
            server.owner("PUT", blob + "?comp=snapshot", "", headers(conditions)),
            server.owner(
                "PUT",
                blob + "?comp=lease",
                "",
                headers(
                    conditions,
                    "x-ms-lease-action: acquire",
                    "x-ms-lease-duration: -1",
                    "x-ms-proposed-lease-id: 11111111-1111-1111-1111-111111111111")));
    for (Answer answer : answers) {
      assertThat(answer.status()).isEqualTo(met ? 201 : 412);
      assertThat(answer.header("x-ms-error-code")).isEqualTo(met ? null : "ConditionNotMet");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PUT ",
        "PUT ?comp=metadata",
        "PUT ?comp=properties",
        "PUT ?comp=blocklist",
        "DELETE "
      })
  void aWriteWhoseConditionFailsChangesNothing(String request) {
    String[] parts = request.split(" ", -1);
    String body = parts[1].endsWith("blocklist") ? "<BlockList />" : "";
    for (String conditions : List.of("M0", "N0", "S0", "U0")) {
      Answer refused =
          server.owner(
              parts[0], blob + parts[1], body, headers(conditions, "x-ms-blob-type: BlockBlob"));
      assertThat(refused.status()).isEqualTo(412);
    }
    Answer read = server.owner("GET", blob, "");
    assertThat(read.body()).isEqualTo("content");
    assertThat(read.header("ETag")).isEqualTo(tag);
  }

  @Test
  void tagsCountWithAndWithoutQuotesAndInLists() {
    String bare = tag.replace("\"", "");
    assertThat(server.owner("GET", blob, "", "If-Match: " + bare).status()).isEqualTo(200);
    assertThat(server.owner("GET", blob, "", "If-Match: *").status()).isEqualTo(200);
    assertThat(server.owner("GET", blob, "", "If-Match: \"0x1\", " + tag).status()).isEqualTo(200);
    assertThat(server.owner("GET", blob, "", "If-None-Match: \"0x1\", " + bare).status())
        .isEqualTo(304);
    assertThat(server.owner("GET", blob, "", "If-None-Match: *").header("x-ms-error-code"))
        .isEqualTo("UnsatisfiableCondition");
  }

  @ParameterizedTest
  @ValueSource(strings = {"M1 N1", "M1 S1", "U1 N1", "S1 U1"})
  void writesRefuseConditionsThatPullApart(String conditions) {
    assertThat(
            server
                .owner("PUT", blob + "?comp=metadata", "", headers(conditions))
                .header("x-ms-error-code"))
        .isEqualTo("MultipleConditionHeadersNotSupported");
  }

  @Test
  void aBlobThatIsNotThereIsMadeUnlessATagIsExpected() {
    String type = "x-ms-blob-type: BlockBlob";
    assertThat(server.owner("PUT", blob + "x", "a", type, "If-Match: *").status()).isEqualTo(412);
    assertThat(server.owner("PUT", blob + "x", "a", type, "If-None-Match: \"0x1\"").status())
        .isEqualTo(201);
    assertThat(server.owner("DELETE", blob + "y", "", "If-Match: *").header("x-ms-error-code"))
        .isEqualTo("BlobNotFound");
  }

  @Test
  void containersKnowDatesOnly() {
    server.owner("PUT", "/dated?restype=container", "");
    String path = "/dated?restype=container";
    assertThat(server.owner("DELETE", path, "", "If-Unmodified-Since: " + PAST).status())
        .isEqualTo(412);
    assertThat(server.owner("DELETE", path, "", "If-Match: \"0x1\"").status()).isEqualTo(202);
  }

  @Test
  void aDateThatIsNoneIsRefused() {
    Answer refused = server.owner("GET", blob, "", "If-Modified-Since: yesterday");
    assertThat(refused.header("x-ms-error-code")).isEqualTo("InvalidHeaderValue");
    assertThat(refused.body()).contains("<HeaderName>If-Modified-Since</HeaderName>");
  }
}
