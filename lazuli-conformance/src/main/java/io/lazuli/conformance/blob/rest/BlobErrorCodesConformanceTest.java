package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.Refusal;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rows of the table of errors whose messages no other case checks. It leaves out the errors that a
 * client of Lazuli cannot cause: pending copies and containers that are being deleted.
 */
@Covers(value = Area.ERRORS, service = StorageService.BLOB)
class BlobErrorCodesConformanceTest {

  private static final String A = "11111111-aaaa-4aaa-8aaa-111111111111";
  private static final String B = "22222222-bbbb-4bbb-8bbb-222222222222";

  private final ScratchContainer container = ScratchContainer.create();

  /**
   * A row of blob-rest 16 and a request that causes this error. The container has a blob {@code b}.
   */
  record Row(
      int status, String code, String message, Function<ScratchContainer, WireRequest> request) {

    @Override
    public String toString() {
      return code + ": " + message;
    }
  }

  static List<Row> leases() {
    return List.of(
        new Row(
            409,
            "LeaseAlreadyPresent",
            "There is already a lease present.",
            c -> {
              c.leased("b", A);
              return c.lease("b", "acquire").header("x-ms-lease-duration", "15");
            }),
        new Row(
            409,
            "LeaseIdMismatchWithLeaseOperation",
            "The lease ID specified did not match the lease ID for the blob.",
            c -> {
              c.leased("b", A);
              return c.lease("b", "renew").header("x-ms-lease-id", B);
            }),
        new Row(
            409,
            "LeaseIsBreakingAndCannotBeAcquired",
            "The lease ID matched, but the lease is currently in breaking state and cannot be"
                + " acquired until it is broken.",
            c ->
                breaking(c)
                    .lease("b", "acquire")
                    .header("x-ms-lease-duration", "15")
                    .header("x-ms-proposed-lease-id", A)),
        new Row(
            409,
            "LeaseIsBreakingAndCannotBeChanged",
            "The lease ID matched, but the lease is currently in breaking state and cannot be"
                + " changed.",
            c ->
                breaking(c)
                    .lease("b", "change")
                    .header("x-ms-lease-id", A)
                    .header("x-ms-proposed-lease-id", B)),
        new Row(
            409,
            "LeaseIsBrokenAndCannotBeRenewed",
            "The lease ID matched, but the lease has been broken explicitly and cannot be renewed.",
            c -> breaking(c).lease("b", "renew").header("x-ms-lease-id", A)),
        new Row(
            409,
            "LeaseNotPresentWithLeaseOperation",
            "There is currently no lease on the blob.",
            c -> c.lease("b", "break")),
        new Row(
            409,
            "LeaseNotPresentWithLeaseOperation",
            "There is currently no lease on the container.",
            c -> c.on("PUT", "comp=lease").header("x-ms-lease-action", "break")));
  }

  private static ScratchContainer breaking(ScratchContainer container) {
    container.leased("b", A);
    expect(container.lease("b", "break").header("x-ms-lease-break-period", "60").send())
        .status(202);
    return container;
  }

  static List<Row> others() {
    return List.of(
        new Row(
            400,
            "UnsatisfiableCondition",
            "The request includes an unsatisfiable condition for this operation.",
            c -> c.get("b").header("If-None-Match", "*")),
        new Row(
            411,
            "MissingContentLengthHeader",
            "The Content-Length header was not specified.",
            c -> c.put("b", "x").chunked(1)),
        new Row(
            400,
            "InvalidInput",
            "One of the request inputs is not valid.",
            c ->
                c.on("POST", "comp=batch")
                    .header("Content-Type", "multipart/mixed; boundary=x")
                    .body("no batch")),
        new Row(
            400,
            "MissingRequiredHeader",
            "An HTTP header that's mandatory for this request is not specified.",
            c -> c.put("b", "x").without("x-ms-blob-type")),
        new Row(
            400,
            "InvalidHeaderValue",
            "The value for one of the HTTP headers is not in the correct format.",
            c -> c.put("b", "x").header("x-ms-blob-type", "Book")),
        new Row(
            400,
            "OutOfRangeQueryParameterValue",
            "One of the query parameters specified in the request URI is outside the permissible"
                + " range.",
            c -> c.list("maxresults=0")),
        new Row(
            400,
            "InvalidQueryParameterValue",
            "Value for one of the query parameters specified in the request URI is invalid.",
            c -> c.on("GET", "b", "snapshot=yesterday")),
        new Row(
            413,
            "RequestBodyTooLarge",
            "The request body is too large and exceeds the maximum permissible limit.",
            c ->
                c.put("b", "")
                    .header("Content-Length", "5242880001")
                    .header("Expect", "100-continue")));
  }

  @ParameterizedTest
  @MethodSource({"leases", "others"})
  @Documented("blob-rest 16; queue-rest 8: status, code and message")
  void anErrorHasItsCodeAndItsWords(Row row) {
    container.stored("b", "x");
    WireAnswer answer = row.request().apply(container).send();
    expect(answer)
        .error(row.status(), row.code(), row.message())
        .header("x-ms-error-code", row.code())
        .header("Content-Type", "application/xml");
    assertThat(answer.errorText()).contains("RequestId:", "Time:");
  }

  @Test
  @Documented("blob-rest 16: parameters that exclude each other")
  void parametersMayExcludeEachOther() {
    container.stored("b", "x");
    Refusal.refused(
        container
            .on(
                "GET",
                "b",
                "snapshot=2020-01-01T00:00:00.0000000Z&versionid=2020-01-01T00:00:00.0000000Z")
            .send(),
        400,
        "MutuallyExclusiveQueryParameters");
  }
}
