package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Request headers that the service must understand, and answer headers that clients rely on. */
@Covers(Area.OPERATIONS)
class HeadersConformanceTest {

  private static final String GUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
  private static final String TAG =
      "W/\"datetime'\\d{4}-\\d\\d-\\d\\dT\\d\\d%3A\\d\\d%3A\\d\\d(\\.\\d{0,6}[1-9])?Z'\"";

  private final ScratchTable table = ScratchTable.create();

  /** Returns one request for each kind of success and failure. */
  private List<WireRequest> oneOfEachKind() {
    table.inserted(entity("r"));
    return List.of(
        table.read("p", "r"),
        table.query(),
        table.insert(entity("new")),
        table.wire().put(table.path("p", "r"), "{}"),
        table.read("p", "missing"),
        table.wire().get("/missing" + table.name() + "()"),
        table.filter("syntax error here"),
        table.wire().get("/Tables").header("Authorization", "SharedKey devstoreaccount1:bm9wZQ=="));
  }

  @Test
  @Documented("table-rest 3.1, 15 headers")
  void theClientsRequestIdComesBackOnSuccessAndFailure() {
    for (WireRequest request : oneOfEachKind()) {
      String id = UUID.randomUUID().toString();
      expect(request.header("x-ms-client-request-id", id).send())
          .header("x-ms-client-request-id", id);
    }
  }

  @Test
  @Documented("table-rest 3.2")
  void everyAnswerHasANewRequestIdAndADate() {
    List<String> ids =
        oneOfEachKind().stream()
            .map(WireRequest::send)
            .peek(answer -> expect(answer).hasHeader("Date").hasHeader("x-ms-request-id"))
            .map(answer -> answer.header("x-ms-request-id").orElseThrow())
            .toList();
    assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.matches(GUID));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2009-09-19",
        "2011-08-18",
        "2013-08-15",
        "2015-12-11",
        "2017-04-17",
        "2018-03-28",
        "2019-02-02",
        "2020-12-06",
        "2026-10-06",
        "2099-12-31"
      })
  @Documented("table-rest 3.2, 3.3")
  @Differs("Azurite 3.37.0 answers with its own version")
  void anyVersionIsAcceptedAndNamedInTheAnswer(String version) {
    for (WireRequest request : oneOfEachKind()) {
      expect(request.header("x-ms-version", version).send()).header("x-ms-version", version);
    }
  }

  @Test
  @Documented("table-rest 3.1")
  void aRequestWithoutVersionIsServed() {
    expect(table.query().without("x-ms-version").send()).status(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"latest", "2019", "2019-2-2", "20190202", "2019-02-02x"})
  @Documented("table-rest 3.3")
  void textThatIsNoVersionIsRefused(String version) {
    expect(table.query().header("x-ms-version", version).send())
        .error(
            400,
            "InvalidHeaderValue",
            "The value for one of the HTTP headers is not in the correct format.");
  }

  @Test
  @Documented("table-rest 3.2, 6.9")
  @Differs("Azurite 3.37.0 sends no Location, and sends Preference-Applied without Prefer")
  void insertNamesTheEntityAndThePreferenceItApplied() {
    String location = table.base() + table.path("p", "1");
    expect(table.insert(entity("1")).send())
        .status(201)
        .header("Location", location)
        .lacksHeader("DataServiceId")
        .lacksHeader("Preference-Applied");
    expect(table.insert(entity("2")).prefer("return-content").send())
        .status(201)
        .header("Preference-Applied", "return-content")
        .lacksHeader("DataServiceId");
    expect(table.insert(entity("3")).prefer("return-no-content").send())
        .status(204)
        .header("Preference-Applied", "return-no-content")
        .header("Location", location.replace("'1'", "'3'"))
        .header("DataServiceId", location.replace("'1'", "'3'"))
        .lacksHeader("Content-Type")
        .emptyBody();
  }

  @Test
  @Documented("table-rest 3.2, 6.3")
  @Differs("Azurite 3.37.0 sends no Location, and sends Preference-Applied without Prefer")
  void createTableNamesTheTableAndThePreferenceItApplied() {
    for (String preference : List.of("", "return-content", "return-no-content")) {
      ScratchTable other = ScratchTable.named(ScratchTable.freshName());
      String location = table.base() + "/Tables('" + other.name() + "')";
      WireRequest request =
          table.wire().post("/Tables", "{\"TableName\":\"" + other.name() + "\"}");
      WireAnswer answer = (preference.isEmpty() ? request : request.prefer(preference)).send();
      boolean silent = preference.equals("return-no-content");
      expect(answer).status(silent ? 204 : 201).header("Location", location).lacksHeader("ETag");
      assertThat(answer.header("Preference-Applied").orElse("")).isEqualTo(preference);
      assertThat(answer.header("DataServiceId").orElse("")).isEqualTo(silent ? location : "");
    }
  }

  @Test
  @Documented("table-rest 3.2, 6.10")
  void writesThatAreNoInsertsIgnorePreferAndSendNoLocation() {
    table.inserted(entity("r"));
    for (String method : List.of("PUT", "PATCH", "MERGE")) {
      WireAnswer answer =
          table
              .wire()
              .request(method, table.path("p", "r"))
              .body("{}")
              .prefer("return-content")
              .send();
      expect(answer)
          .status(204)
          .hasHeader("ETag")
          .lacksHeader("Location")
          .lacksHeader("DataServiceId")
          .lacksHeader("Preference-Applied")
          .emptyBody();
    }
  }

  @Test
  @Documented("table-rest 3.2")
  void anETagIsSentWithOneEntityAndWithNothingElse() {
    WireAnswer inserted = table.insert(entity("r")).send();
    assertThat(inserted.etag()).matches(TAG);
    assertThat(table.read("p", "r").send().etag()).isEqualTo(inserted.etag());
    assertThat(table.wire().put(table.path("p", "r"), "{}").send().etag()).matches(TAG);
    assertThat(table.wire().patch(table.path("p", "r"), "{}").send().etag()).matches(TAG);
    expect(table.query().send()).lacksHeader("ETag");
    expect(table.wire().get("/Tables").send()).lacksHeader("ETag");
    expect(table.wire().delete(table.path("p", "r")).ifMatch("*").send()).lacksHeader("ETag");
  }

  @Test
  @Documented("table-rest 3.2")
  @Differs("Azurite 3.37.0 leaves both out on some answers")
  void odataAnswersForbidCachingAndSniffing() {
    for (WireRequest request : oneOfEachKind().subList(0, 5)) {
      expect(request.send())
          .header("Cache-Control", "no-cache")
          .header("X-Content-Type-Options", "nosniff");
    }
  }

  @Test
  @Documented("table-rest 3.2")
  @Differs("Azure sends Content-Length: 0; HTTP forbids it with 204, so it may be left out")
  void anAnswerWithoutContentHasNoBodyAndNoContentType() {
    expect(table.wire().put(table.path("p", "r"), "{}").send())
        .status(204)
        .lacksHeader("Content-Type")
        .emptyBody();
    expect(table.wire().delete(table.path("p", "r")).ifMatch("*").send())
        .status(204)
        .lacksHeader("Content-Type")
        .emptyBody();
    expect(table.query().send()).status(200);
  }

  @Test
  @Documented("table-rest 3.1")
  void bodiesMayComeInChunks() {
    expect(table.insert(entity("r", "\"V\":\"äöü日本\"")).chunked(7).send()).status(201);
    assertThat(table.stored("p", "r").path("V").asText()).isEqualTo("äöü日本");
  }

  @Test
  @Documented("table-rest 3.1: Java sends it")
  void requestsWithoutBodyMayNameALengthOfNought() {
    table.inserted(entity("r"));
    expect(table.read("p", "r").header("Content-Length", "0").send()).status(200);
    expect(
            table
                .wire()
                .delete(table.path("p", "r"))
                .ifMatch("*")
                .header("Content-Length", "0")
                .send())
        .status(204);
  }

  @Test
  @Documented("table-rest 3.1: older .NET sends it")
  void aClientThatAsksFirstIsToldToContinue() {
    expect(table.insert(entity("r")).header("Expect", "100-continue").send()).status(201);
  }

  @Test
  @Documented("table-rest 3.1")
  void headersOfOldClientsAreReadAndIgnored() {
    WireRequest request = table.insert(entity("r"));
    request.header("DataServiceVersion", "1.0;NetFx").header("MaxDataServiceVersion", "2.0;NetFx");
    request.header("Accept-Charset", "UTF-8").header("x-ms-return-client-request-id", "true");
    expect(request.header("If-None-Match", "W/\"x\"").send()).status(201);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json; odata=nometadata",
        "application/json;charset=utf-8",
        "application/json;odata=minimalmetadata;streaming=true;charset=utf-8",
        "Application/JSON"
      })
  @Documented("table-rest 3.1")
  void contentTypesMayCarryParameters(String contentType) {
    expect(table.insert(entity("r")).header("Content-Type", contentType).send()).status(201);
  }

  @Test
  @Documented("table-rest 4.1: do")
  void aBodyWithoutContentTypeIsJson() {
    expect(table.insert(entity("r")).without("Content-Type").send()).status(201);
  }

  @Test
  @Documented("table-rest 4.1, 4.8")
  void atomBodiesAreRefused() {
    expect(table.insert(entity("r")).header("Content-Type", "application/atom+xml").send())
        .error(415, "AtomFormatNotSupported", "Atom format is not supported.");
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Documented("table-rest 4.6, 15 timestamps")
  void theETagIsTheTimestamp() {
    String tag = table.inserted(entity("r"));
    String stamp = table.stored("p", "r").path("Timestamp").asText();
    assertThat(tag).isEqualTo("W/\"datetime'" + stamp.replace(":", "%3A") + "'\"");
    assertThat(table.read("p", "r").send().json().path("odata.etag").asText()).isEqualTo(tag);
  }
}
