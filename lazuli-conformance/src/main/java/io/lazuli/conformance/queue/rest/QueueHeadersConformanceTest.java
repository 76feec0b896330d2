package io.lazuli.conformance.queue.rest;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.wire.Signing;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import io.lazuli.conformance.wire.WireRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers and versions, which are the same for all operations. */
@Covers(value = Area.OPERATIONS, service = StorageService.QUEUE)
class QueueHeadersConformanceTest {

  private static final String GUID = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

  private final ScratchQueue queue = ScratchQueue.create();
  private final WireClient wire = queue.wire();

  @ParameterizedTest
  @CsvSource({
    "GET, /?comp=list, xml",
    "PUT, /%s, ''",
    "GET, /%s?comp=metadata, ''",
    "HEAD, /%s?comp=metadata, ''",
    "PUT, /%s?comp=metadata, ''",
    "GET, /%s?comp=acl, xml",
    "GET, /%s/messages, xml",
    "DELETE, /%s/messages, ''",
    "GET, /%s?comp=none, error",
    "GET, /none-%s?comp=metadata, error",
    "HEAD, /none-%s?comp=metadata, code",
    "PUT, /a--b, error",
    "DELETE, /%s/messages/x?popreceipt=AAAA, error"
  })
  @Documented("queue-rest 2.5, 14 headers")
  @Differs("Azurite 3.37.0 answers with its own version")
  void everyAnswerHasItsHeaders(String method, String path, String kind) {
    WireAnswer answer =
        wire.request(method, path.formatted(queue.name()))
            .header("x-ms-client-request-id", "my id: 42")
            .send();
    expect(answer)
        .header("x-ms-client-request-id", "my id: 42")
        .header("x-ms-version", WireRequest.NEWER_VERSION)
        .hasHeader("Server");
    assertThat(answer.header("x-ms-request-id").orElse("")).matches(GUID);
    Instant now = Instant.now();
    assertThat(QueueTimes.date(answer))
        .isBetween(now.minus(Duration.ofMinutes(5)), now.plus(Duration.ofMinutes(5)));
    boolean failed = kind.equals("error") || kind.equals("code");
    assertThat(answer.header("x-ms-error-code").isPresent()).isEqualTo(failed);
    if (kind.equals("xml") || kind.equals("error")) {
      expect(answer).header("Content-Type", "application/xml");
      assertThat(answer.text().replace("\uFEFF", ""))
          .startsWith("<?xml version=\"1.0\" encoding=\"utf-8\"?><");
    }
    if (kind.isEmpty() && !answer.statusLine().contains("204")) {
      expect(answer).header("Content-Length", "0");
    }
    if (failed && kind.equals("error")) {
      expect(answer).header("x-ms-error-code", answer.errorCode());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /?comp=list",
    "GET, /%s?comp=metadata",
    "HEAD, /%s?comp=metadata",
    "GET, /%s/messages"
  })
  @Documented("queue-rest 2.5: no-cache on GET and HEAD")
  void readsAreNotCached(String method, String path) {
    expect(wire.request(method, path.formatted(queue.name())).send())
        .header("Cache-Control", "no-cache");
  }

  @Test
  @Documented("queue-rest 2.5: a new id for each request")
  void everyRequestHasAnIdOfItsOwn() {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      WireAnswer answer = queue.metadata().send();
      ids.add(answer.header("x-ms-request-id").orElse(""));
      expect(answer).lacksHeader("x-ms-client-request-id");
    }
    assertThat(ids).hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2011-08-18",
        "2015-04-05",
        "2018-11-09",
        "2022-11-02",
        "2026-10-06",
        "2099-12-31"
      })
  @Documented("queue-rest 2.4, 14 versions: known and future versions are echoed")
  @Differs("Azurite 3.37.0 answers with its own version")
  void everyVersionIsAcceptedAndNamedInTheAnswer(String version) {
    expect(queue.put("text", "").header("x-ms-version", version).send())
        .status(201)
        .header("x-ms-version", version);
    expect(queue.get("").header("x-ms-version", version).send())
        .status(200)
        .header("x-ms-version", version);
  }

  @ParameterizedTest
  @ValueSource(strings = {"newest", "2020-1-1", "20200101"})
  @Covers(Area.ERRORS)
  @Documented("queue-rest 2.4")
  void aVersionThatIsNoneIsRefused(String version) {
    WireAnswer answer = queue.metadata().header("x-ms-version", version).send();
    expect(answer)
        .error(
            400,
            "InvalidHeaderValue",
            "The value for one of the HTTP headers is not in the correct format.");
    assertThat(answer.xml())
        .endsWith(
            "<HeaderName>x-ms-version</HeaderName><HeaderValue>"
                + version
                + "</HeaderValue></Error>");
  }

  @Test
  @Documented("queue-rest 2.4: do: the newest behaviour, where Azure requires it")
  void aVersionMayBeMissing() {
    expect(queue.metadata().without("x-ms-version").send()).status(200);
  }

  @Test
  @Documented("queue-rest 2.4: with a SAS, api-version, then sv")
  void aSignatureBringsItsVersion() {
    WireRequest named = queue.metadata().without("x-ms-version").without("x-ms-date");
    expect(named.sas(queue.access("r").with("sv", "2020-02-10")).send())
        .status(200)
        .header("x-ms-version", "2020-02-10");
    WireRequest other =
        wire.get(queue.path() + "?comp=metadata&api-version=2018-11-09")
            .without("x-ms-version")
            .without("x-ms-date");
    expect(other.sas(queue.access("r").with("sv", "2020-02-10")).send())
        .status(200)
        .header("x-ms-version", "2018-11-09");
  }

  @Test
  @Documented("queue-rest 2.3: requests without a body send Content-Length: 0 or no Content-Length")
  void aLengthOfNothingMayBeSentOrNot() {
    for (String method : new String[] {"GET", "PUT"}) {
      String path = queue.path() + "?comp=metadata";
      int status = method.equals("GET") ? 200 : 204;
      expect(wire.request(method, path).send()).status(status);
      expect(wire.request(method, path).header("Content-Length", "0").send()).status(status);
    }
    expect(wire.delete(queue.messages("")).header("Content-Length", "0").send()).status(204);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "30", "999"})
  @Documented("queue-rest 2.3: timeout, which JavaScript sends with every request")
  void aTimeoutIsAccepted(String seconds) {
    expect(queue.get("timeout=" + seconds).send()).status(200);
    expect(wire.get("/?comp=list&maxresults=1&timeout=" + seconds).send()).status(200);
  }

  @Test
  @Documented("queue-rest 2.7: the parts of an error")
  void anErrorHasItsParts() {
    WireAnswer answer = wire.get("/" + ScratchQueue.freshName() + "?comp=metadata").send();
    expect(answer).error(404, "QueueNotFound");
    assertThat(answer.errorText())
        .matches(
            "The specified queue does not exist\\.\nRequestId:"
                + answer.header("x-ms-request-id").orElse("")
                + "\nTime:\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{7}Z");
    assertThat(answer.xml()).startsWith("<Error><Code>QueueNotFound</Code><Message>");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /none-%s?comp=metadata | 404 The specified queue does not exist.",
        "HEAD | /none-%s?comp=metadata | 404 The specified queue does not exist.",
        "PUT | /a_b | 400 The specifed resource name contains invalid characters.",
        "PATCH | /%s | 405 The resource doesn't support specified Http Verb.",
        "GET | /%s?comp=metadata | 200 OK",
        "HEAD | /%s?comp=metadata | 200 OK",
        "PUT | /%s | 204 No Content"
      })
  @Covers(Area.ERRORS)
  @Documented("queue-rest 2.7; blob-features 10.2: A2")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  @Differs("Azurite 3.37.0 answers with the phrases of HTTP")
  void theStatusLineOfAnErrorCarriesItsMessage(String method, String path, String line) {
    WireAnswer answer = wire.request(method, path.formatted(queue.name())).send();
    assertThat(answer.status() + " " + answer.reason()).isEqualTo(line);
  }

  @Test
  @Covers(Area.ERRORS)
  @Documented("queue-rest 2.7; blob-features 10.2: A19")
  void anErrorOnHeadHasOnlyItsCode() {
    for (int i = 0; i < 3; i++) {
      expect(wire.request("HEAD", "/" + ScratchQueue.freshName() + "?comp=metadata").send())
          .status(404)
          .header("x-ms-error-code", "QueueNotFound")
          .lacksHeader("Content-Type")
          .lacksHeader("Content-Length")
          .emptyBody();
      expect(queue.metadata().send()).status(200);
    }
  }

  @Test
  @Covers(Area.ACCESS)
  @Documented("queue-rest 3, 8: no credentials")
  void withoutCredentialsAClientIsToldHowToComeBack() {
    expect(queue.metadata().signing(Signing.NONE).send())
        .error(401, "NoAuthenticationInformation")
        .hasHeader("WWW-Authenticate");
  }
}
