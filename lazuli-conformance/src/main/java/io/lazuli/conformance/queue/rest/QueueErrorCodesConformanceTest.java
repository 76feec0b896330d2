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
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.Signing;
import io.lazuli.conformance.wire.WireAnswer;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table of errors, row by row: status, code, message and details. It leaves out the errors that
 * a client cannot cause: internal errors, errors after an administrator's change, and codes that
 * are unused according to the reference.
 */
@Covers(value = Area.ERRORS, service = StorageService.QUEUE)
@Differs("Azurite 3.37.0 has other codes and messages, or an empty body")
class QueueErrorCodesConformanceTest {

  private static final String NONE = "";

  private final ScratchQueue queue = ScratchQueue.create();

  /** A row of queue-rest 8 and a request that causes this error. */
  record Row(
      String code,
      int status,
      String message,
      String details,
      Function<ScratchQueue, WireAnswer> request) {

    @Override
    public String toString() {
      return code + ": " + message;
    }
  }

  private static WireAnswer put(ScratchQueue queue, String path, String body) {
    return queue.wire().request("PUT", path).body(body).send();
  }

  /** Returns the rows that were recorded from Azure. */
  static List<Row> recorded() {
    return List.of(
        new Row(
            "EmptyMetadataKey",
            400,
            "The key for one of the metadata key-value pairs is empty.",
            "<MetadataValue>v</MetadataValue>",
            q -> q.wire().request("PUT", q.path()).header("x-ms-meta-", "v").send()),
        new Row(
            "InvalidAuthenticationInfo",
            400,
            "Authentication information is not given in the correct format. Check the value of"
                + " Authorization header.",
            NONE,
            q -> q.metadata().header("Authorization", "SharedKey").send()),
        new Row(
            "InvalidHeaderValue",
            400,
            "The value for one of the HTTP headers is not in the correct format.",
            "<HeaderName>x-ms-version</HeaderName><HeaderValue>x</HeaderValue>",
            q -> q.metadata().header("x-ms-version", "x").send()),
        new Row(
            "InvalidMetadata",
            400,
            "The metadata specified is invalid. It has characters that are not permitted.",
            NONE,
            q -> q.wire().request("PUT", q.path()).header("x-ms-meta-a-b", "v").send()),
        new Row(
            "InvalidQueryParameterValue",
            400,
            "Value for one of the query parameters specified in the request URI is invalid.",
            "<QueryParameterName>visibilitytimeout</QueryParameterName><QueryParameterValue>5"
                + "</QueryParameterValue><Reason>messagettl must be greater than"
                + " visibilitytimeout</Reason>",
            q -> q.put("a", "visibilitytimeout=5&messagettl=5").send()),
        new Row(
            "InvalidResourceName",
            400,
            "The specifed resource name contains invalid characters.",
            NONE,
            q -> q.wire().request("PUT", "/a_b").send()),
        new Row(
            "MissingRequiredQueryParameter",
            400,
            "A query parameter that's mandatory for this request is not specified.",
            "<QueryParameterName>popreceipt</QueryParameterName>",
            q -> q.wire().delete(q.message("x", "")).send()),
        new Row(
            "OutOfRangeInput",
            400,
            "The specified resource name length is not within the permissible limits.",
            NONE,
            q -> q.wire().request("PUT", "/ab").send()),
        new Row(
            "OutOfRangeQueryParameterValue",
            400,
            "One of the query parameters specified in the request URI is outside the permissible"
                + " range.",
            "<QueryParameterName>numofmessages</QueryParameterName><QueryParameterValue>33"
                + "</QueryParameterValue><MinimumAllowed>1</MinimumAllowed><MaximumAllowed>32"
                + "</MaximumAllowed>",
            q -> q.get("numofmessages=33").send()),
        new Row(
            "AuthorizationFailure",
            403,
            "This request is not authorized to perform this operation.",
            NONE,
            q -> q.wire().delete(q.path()).sas(q.access("raup")).send()),
        new Row(
            "AuthorizationPermissionMismatch",
            403,
            "This request is not authorized to perform this operation using this permission.",
            NONE,
            q -> q.get("").sas(q.access("r")).send()),
        new Row(
            "AuthorizationResourceTypeMismatch",
            403,
            "This request is not authorized to perform this operation using this resource type.",
            NONE,
            q -> q.get("").sas(ofAccount(q).with("srt", "s")).send()),
        new Row(
            "AuthorizationServiceMismatch",
            403,
            "This request is not authorized to perform this operation using this service.",
            NONE,
            q -> q.get("").sas(ofAccount(q).with("ss", "b")).send()),
        new Row(
            "MessageNotFound",
            404,
            "The specified message does not exist.",
            NONE,
            q -> q.delete("00000000-0000-0000-0000-000000000000", "AAAA").send()),
        new Row(
            "QueueNotFound",
            404,
            "The specified queue does not exist.",
            NONE,
            q -> q.wire().get("/" + ScratchQueue.freshName() + "/messages").send()),
        new Row(
            "QueueAlreadyExists",
            409,
            "The specified queue already exists.",
            NONE,
            q -> q.wire().request("PUT", q.path()).header("x-ms-meta-a", "b").send()),
        new Row(
            "RequestBodyTooLarge",
            413,
            "The request body is too large and exceeds the maximum permissible limit.",
            "<MaxLimit>65536</MaxLimit>",
            q -> q.put("x".repeat(65_537), "").send()));
  }

  /** Returns the rows that are only documented. */
  static List<Row> documented() {
    return List.of(
        new Row(
            "MetadataTooLarge",
            400,
            "The size of the specified metadata exceeds the maximum size permitted.",
            NONE,
            q ->
                q.wire()
                    .request("PUT", q.path())
                    .header("x-ms-meta-a", "v".repeat(5_000))
                    .header("x-ms-meta-b", "v".repeat(5_000))
                    .send()),
        new Row(
            "NoAuthenticationInformation",
            401,
            "Server failed to authenticate the request. Please refer to the information in the"
                + " www-authenticate header.",
            NONE,
            q -> q.metadata().signing(Signing.NONE).send()),
        new Row(
            "CorsPreflightFailure",
            403,
            "CORS not enabled or no matching rule found for this request.",
            NONE,
            q ->
                q.wire()
                    .request("OPTIONS", q.path())
                    .signing(Signing.NONE)
                    .header("Origin", "http://nowhere.example")
                    .header("Access-Control-Request-Method", "MERGE")
                    .send()),
        new Row(
            "AuthorizationProtocolMismatch",
            403,
            "This request is not authorized to perform this operation using this protocol.",
            NONE,
            q -> protocol(q)),
        new Row(
            "UnsupportedHttpVerb",
            405,
            "The resource doesn't support specified Http Verb.",
            NONE,
            q -> put(q, q.messages(""), ScratchQueue.body("a"))));
  }

  private static SharedAccess ofAccount(ScratchQueue queue) {
    return SharedAccess.ofAccount(queue.wire().account()).permissions("rwdlacup");
  }

  /**
   * Sends a request over HTTP with a signature for HTTPS. The opposite mismatch does not exist,
   * because a signature for HTTP alone is malformed.
   */
  private static WireAnswer protocol(ScratchQueue queue) {
    return queue.get("").sas(queue.access("p").with("spr", "https")).send();
  }

  private void expectRow(Row row) {
    WireAnswer answer = row.request().apply(queue);
    expect(answer)
        .error(row.status(), row.code(), row.message())
        .header("x-ms-error-code", row.code())
        .header("Content-Type", "application/xml");
    assertThat(answer.xml()).endsWith("</Message>" + row.details() + "</Error>");
  }

  @ParameterizedTest
  @MethodSource("recorded")
  @Documented("queue-rest 8, 2.7: every row marked R")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aRecordedErrorHasItsStatusCodeWordsAndDetails(Row row) {
    expectRow(row);
  }

  @ParameterizedTest
  @MethodSource("documented")
  @Documented("queue-rest 8, 2.7: other rows that a client can cause")
  void aDocumentedErrorHasItsStatusCodeWordsAndDetails(Row row) {
    if (row.code().equals("AuthorizationProtocolMismatch") && queue.wire().account().isSecure()) {
      return;
    }
    expectRow(row);
  }
}
