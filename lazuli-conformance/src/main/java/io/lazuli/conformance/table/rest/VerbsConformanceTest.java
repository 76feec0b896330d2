package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.BatchText;
import io.lazuli.conformance.wire.Signing;
import io.lazuli.conformance.wire.WireAnswer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Verbs: which resource accepts which, and verbs in the X-HTTP-Method header of a POST. */
@Covers(Area.OPERATIONS)
class VerbsConformanceTest {

  private static final String NOT_IMPLEMENTED =
      "The requested operation is not implemented on the specified resource.";

  private final ScratchTable table = ScratchTable.create();

  @ParameterizedTest
  @CsvSource({
    "PUT, /%s",
    "DELETE, /%s",
    "PATCH, /%s",
    "MERGE, /%s()",
    "FROB, /%s",
    "FROB, '/%s(PartitionKey=''p'',RowKey=''r'')'",
    "POST, '/%s(PartitionKey=''p'',RowKey=''r'')'",
    "PUT, /Tables",
    "DELETE, /Tables",
    "PUT, /Tables('%s')",
    "POST, /Tables('%s')",
    "PATCH, /Tables('%s')",
    "GET, /$batch",
    "PUT, /$batch"
  })
  @Documented("table-rest 6")
  void otherVerbsOnAKnownResourceAreNotAllowed(String method, String resource) {
    table.inserted(entity("r", "\"V\":1"));
    String path = resource.formatted(table.name());
    expect(table.wire().request(method, path).body("{}").send())
        .error(
            405,
            "MethodNotAllowed",
            "The requested method is not allowed on the specified resource.");
    assertThat(table.stored("p", "r").path("V").asInt()).isEqualTo(1);
  }

  @Test
  @Documented("table-rest 6")
  void headIsNotAllowed() {
    assertThat(table.wire().request("HEAD", table.path()).send().status()).isEqualTo(405);
    assertThat(table.wire().request("HEAD", "/Tables").send().status()).isEqualTo(405);
  }

  @Test
  @Documented("table-rest 2.2")
  void theMetadataDocumentIsNotImplemented() {
    expect(table.wire().get("/$metadata").send()).error(501, "NotImplemented", NOT_IMPLEMENTED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$orderby=RowKey",
        "$skip=1",
        "$skiptoken=x",
        "$expand=x",
        "$inlinecount=allpages",
        "$count=true"
      })
  @Documented("table-rest 7.1: do")
  void otherSystemOptionsAreNotImplemented(String option) {
    expect(table.query(option).send()).error(501, "NotImplemented", NOT_IMPLEMENTED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"foo=bar", "timeout=20", "api-version=2019-02-02", "x", "$filter=", "="})
  @Documented("table-rest 6, 7.1")
  void otherOptionsAreIgnored(String option) {
    table.inserted(entity("r"));
    WireAnswer answer = table.query(option).send();
    expect(answer).status(200);
    assertThat(answer.values()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "30", "90"})
  @Documented("table-rest 6, 11: every operation accepts it; the maximum is 30 s")
  void everyOperationHasATimeout(String seconds) {
    String timeout = "timeout=" + seconds;
    String path = table.path("p", "r") + "?" + timeout;
    expect(table.wire().post(table.path() + "?" + timeout, entity("r")).send()).status(201);
    expect(table.wire().get(path).send()).status(200);
    expect(table.query(timeout).send()).status(200);
    expect(table.wire().put(path, "{}").send()).status(204);
    expect(table.wire().patch(path, "{}").ifMatch("*").send()).status(204);
    expect(table.wire().delete(path).ifMatch("*").send()).status(204);
    expect(table.wire().get("/Tables?$top=1&" + timeout).send()).status(200);
    expect(table.wire().get("/Tables('" + table.name() + "')?" + timeout).send()).status(200);
    expect(table.wire().get(table.path() + "?comp=acl&" + timeout).send()).status(200);
    expect(table.wire().get(AccountProperties.RESOURCE + "&" + timeout).send()).status(200);
    BatchText batch = table.batch().insert(table.name(), entity("b"));
    expect(
            table
                .wire()
                .request("POST", "/$batch?" + timeout)
                .header("Content-Type", "multipart/mixed; boundary=" + batch.boundary())
                .body(batch.text())
                .send())
        .status(202);
    expect(table.wire().delete("/Tables('" + table.name() + "')?" + timeout).send()).status(204);
  }

  @ParameterizedTest
  @CsvSource({"MERGE, 3", "PATCH, 3", "PUT, 2"})
  @Documented("table-rest 6.12: Logic Apps, bodies without keys")
  void aPostCarriesAnotherVerb(String verb, int sum) {
    table.inserted(entity("r", "\"A\":1"));
    WireAnswer answer =
        table
            .wire()
            .post(table.path("p", "r"), "{\"B\":2}")
            .header("X-HTTP-Method", verb)
            .signing(Signing.SHARED_KEY)
            .ifMatch("*")
            .send();
    expect(answer).status(204).hasHeader("ETag");
    int stored =
        table.stored("p", "r").path("A").asInt() + table.stored("p", "r").path("B").asInt();
    assertThat(stored).isEqualTo(sum);
  }

  @Test
  @Documented("table-rest 6.12")
  void aPostCarriesADelete() {
    table.inserted(entity("r"));
    expect(
            table
                .wire()
                .request("POST", table.path("p", "r"))
                .header("X-HTTP-Method", "DELETE")
                .header("Content-Length", "0")
                .ifMatch("*")
                .send())
        .status(204);
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Documented("table-rest 6.12")
  void onlyAPostMayCarryAnotherVerb() {
    table.inserted(entity("r", "\"V\":1"));
    expect(table.wire().put(table.path("p", "r"), "{}").header("X-HTTP-Method", "MERGE").send())
        .error(
            400,
            "XMethodNotUsingPost",
            "The request uses X-HTTP-Method with an HTTP verb other than POST.");
    assertThat(table.stored("p", "r").path("V").asInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"FROB", "GET", "merge"})
  @Documented("table-rest 6.12")
  void otherVerbsMayNotBeCarried(String verb) {
    table.inserted(entity("r"));
    expect(table.wire().post(table.path("p", "r"), "{}").header("X-HTTP-Method", verb).send())
        .error(400, "XMethodIncorrectValue", "The specified X-HTTP-Method is invalid.");
  }

  @Test
  @Documented("table-rest 6.12")
  void onlyOneVerbMayBeCarried() {
    table.inserted(entity("r"));
    expect(
            table
                .wire()
                .post(table.path("p", "r"), "{}")
                .anotherHeader("X-HTTP-Method", "MERGE")
                .anotherHeader("X-HTTP-Method", "PUT")
                .send())
        .error(400, "XMethodIncorrectCount", "More than one X-HTTP-Method is specified.");
  }
}
