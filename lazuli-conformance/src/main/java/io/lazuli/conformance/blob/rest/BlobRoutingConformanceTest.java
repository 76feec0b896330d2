package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.Refusal;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The requests of all operations, the headers of every answer, and operations that are not
 * implemented yet.
 */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class BlobRoutingConformanceTest {

  private final ScratchContainer container = ScratchContainer.create();

  @Test
  @Documented("blob-rest 3.3; queue-rest 2.5: the headers of every answer")
  void everyAnswerHasItsHeaders() {
    container.stored("b", "x");
    List<WireRequest> requests =
        List.of(
            container.get("b"),
            container.head("none"),
            container.get("none"),
            container.put("b", "y"),
            container.list(""),
            container.on("DELETE", "b", ""));
    for (WireRequest request : requests) {
      WireAnswer answer = request.header("x-ms-client-request-id", "mine").send();
      expect(answer)
          .hasHeader("x-ms-request-id")
          .hasHeader("Date")
          .hasHeader("Server")
          .header("x-ms-version", WireRequest.NEWER_VERSION)
          .header("x-ms-client-request-id", "mine");
    }
  }

  @Test
  @Covers(Area.ERRORS)
  @Documented("blob-rest 3.3; blob-features 10.2: A2; Azure/azure-storage-java#94 for 304")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2016 to 2023")
  @Differs("Azurite 3.37.0 accepts any version with --skipApiVersionCheck")
  void theStatusLineOfAnErrorCarriesItsMessage() {
    String tag = container.stored("b", "xyz").etag();
    String missing = "404 The specified blob does not exist.";
    expectLine(container.get("none"), missing);
    expectLine(container.head("none"), missing);
    expectLine(container.on("PUT", ""), "409 The specified container already exists.");
    expectLine(
        container.get("b").header("x-ms-range", "bytes=9-"),
        "416 The range specified is invalid for the current size of the resource.");
    expectLine(
        container.get("b").header("x-ms-version", "new"),
        "400 The value for one of the HTTP headers is not in the correct format.");
    expectLine(
        container.get("b").header("If-None-Match", tag),
        "304 The condition specified using HTTP conditional header(s) is not met.");
    expectLine(
        container.get("b").header("If-Match", "\"0x1\""),
        "412 The condition specified using HTTP conditional header(s) is not met.");
  }

  @Test
  @Documented("blob-rest 3.3; blob-features 10.2: A2, success keeps the phrases of HTTP")
  void theStatusLineOfASuccessIsThatOfHttp() {
    expectLine(container.put("b", "xyz"), "201 Created");
    expectLine(container.get("b"), "200 OK");
    expectLine(container.head("b"), "200 OK");
    expectLine(container.get("b").header("x-ms-range", "bytes=1-"), "206 Partial Content");
    expectLine(container.on("DELETE", "b", ""), "202 Accepted");
  }

  @Test
  @Covers(Area.ERRORS)
  @Documented("blob-rest 3.3; blob-features 10.2: A19")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void anErrorOnHeadHasOnlyItsCode() {
    container.stored("b", "x");
    for (int i = 0; i < 3; i++) {
      expectBare(container.head("none").send(), 404, "BlobNotFound");
      expectBare(container.head("b").header("If-Match", "\"0x1\"").send(), 412, "ConditionNotMet");
      expect(container.get("b").send()).status(200).header("Content-Length", "1");
      expect(container.head("b").send()).status(200).header("Content-Length", "1");
    }
  }

  private static void expectBare(WireAnswer answer, int status, String code) {
    expect(answer)
        .status(status)
        .header("x-ms-error-code", code)
        .lacksHeader("Content-Type")
        .lacksHeader("Content-Length")
        .emptyBody();
  }

  private static void expectLine(WireRequest request, String line) {
    WireAnswer answer = request.send();
    assertThat(answer.status() + " " + answer.reason()).isEqualTo(line);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2011-08-18", "2019-02-02", "2026-10-06", "2099-12-31"})
  @Documented("blob-rest 20.15; queue-rest 2.4: versions known and unknown")
  void anyVersionIsAccepted(String version) {
    container.stored("b", "x");
    expect(container.get("b").header("x-ms-version", version).send())
        .status(200)
        .header("x-ms-version", version);
  }

  @Test
  @Documented("blob-rest 3; queue-rest 2.4: a version that is not a date")
  void aVersionMustBeADate() {
    Refusal.headerRefused(
        container.list("").header("x-ms-version", "newest").send(), "x-ms-version", "newest");
  }

  @Test
  @Documented("blob-features 9.4: Get User Delegation Key needs a token")
  void theAccountKeyGetsNoUserDelegationKey() {
    WireRequest request =
        container.wire().request("POST", "/?restype=service&comp=userdelegationkey");
    expect(request.header("Content-Length", "0").send())
        .status(403)
        .header("x-ms-error-code", "AuthenticationFailed");
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, blob, comp=immutabilityPolicies",
    "DELETE, blob, comp=immutabilityPolicies",
    "PUT, blob, comp=legalhold",
    "POST, blob, comp=query",
    "PUT, blob, comp=incrementalcopy"
  })
  @Documented("blob-rest 3.2, 1, 20.15, 16: do: operations that come later answer 501")
  @Differs("Azurite 3.37.0 has some of them, Azure has all")
  void operationsThatAreNotOfferedAreRefusedByName(String verb, String resource, String query) {
    container.stored("b", "x");
    WireRequest request =
        switch (resource) {
          case "container" -> container.on(verb, query);
          default -> container.on(verb, "b", query);
        };
    if (verb.equals("POST")) {
      request.header("Content-Length", "0");
    }
    refused(
        request.send(),
        501,
        "NotImplemented",
        "The requested operation is not implemented on the specified resource.");
    assertThat(container.content("b")).isEqualTo("x");
  }

  @ParameterizedTest
  @CsvSource({
    "x-ms-structured-body, XSM/1.0; properties=crc64",
    "x-ms-encryption-key, MDEyMzQ1NjcwMTIzNDU2NzAxMjM0NTY3MDEyMzQ1Njc=",
    "x-ms-encryption-key-sha256, 3QFFFpRA5+XANHqwwbT4yXDmrT/2JaLt/FKHjzhOdoE=",
    "x-ms-immutability-policy-until-date, 'Wed, 01 Jan 2050 00:00:00 GMT'",
    "x-ms-immutability-policy-mode, unlocked",
    "x-ms-legal-hold, true"
  })
  @Documented(
      "blob-rest 1, 16, 20.15: do: refuse headers that would change the meaning of a request")
  @Differs("Azure has these; Azurite 3.37.0 ignores some and answers 500 to others")
  void parametersThatChangeTheMeaningAreRefused(String header, String value) {
    WireAnswer answer = container.put("b", "x").header(header, value).send();
    refused(
        answer,
        400,
        "UnsupportedHeader",
        "One of the HTTP headers specified in the request is not supported.");
    assertThat(answer.text()).contains("<HeaderName>" + header + "</HeaderName>");
    refused(container.get("b").send(), 404, "BlobNotFound");
  }

  @ParameterizedTest
  @CsvSource({
    "x-ms-encryption-scope, $account-encryption-key",
    "x-ms-rehydrate-priority, High",
    "x-ms-upn, true",
    "x-ms-legal-hold, false",
    "x-ms-file-request-intent, backup"
  })
  @Documented("blob-rest 1: harmless headers are ignored")
  void harmlessHeadersAreIgnored(String header, String value) {
    expect(container.put("b", "x").header(header, value).send()).status(201);
  }

  @ParameterizedTest
  @CsvSource({
    "PATCH, '', 405",
    "POST, '', 405",
    "PUT, comp=nonsense, 400",
    "GET, comp=nonsense, 400"
  })
  @Documented("queue-rest 2.2; blob-rest 3.2: do: requests that are not operations")
  void unknownOperationsAreRefused(String verb, String query, int status) {
    container.stored("b", "x");
    WireAnswer answer = container.on(verb, "b", query).header("Content-Length", "0").send();
    assertThat(answer.status()).as("%s", answer).isIn(400, 405, status);
    assertThat(container.content("b")).isEqualTo("x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"True", "TRUE", "true"})
  @Documented("blob-rest 3.2: booleans in any letter case")
  void truthHasAnyCase(String yes) {
    container.stored("b", "hello");
    expect(
            container
                .get("b")
                .header("x-ms-range", "bytes=0-1")
                .header("x-ms-range-get-content-md5", yes)
                .send())
        .header("Content-MD5", Checksums.md5("he"));
  }

  @Test
  @Documented("blob-rest 3.4: Expect: 100-continue")
  void aClientMayAskBeforeItSends() {
    expect(container.put("b", "hello").header("Expect", "100-continue").send()).status(201);
    assertThat(container.content("b")).isEqualTo("hello");
  }

  @Test
  @Documented("blob-rest 3.4: a connection stays open after an early refusal")
  void aConnectionLivesOnAfterARefusal() {
    for (int i = 0; i < 5; i++) {
      refused(
          container.put("b", new byte[300_000]).header("If-Match", "\"0x1\"").send(),
          412,
          "ConditionNotMet");
    }
    expect(container.put("b", "x").send()).status(201);
  }
}
