package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Account;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.Header;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.Signing;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import io.lazuli.conformance.wire.WireRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shared keys: which requests are accepted, and how the others are refused. */
@Covers(Area.ACCESS)
class AccessConformanceTest {

  private static final String FAILED =
      "Server failed to authenticate the request. Make sure the value of Authorization header is"
          + " formed correctly including the signature.";

  private final ScratchTable table = ScratchTable.create();

  private void expectRefused(WireRequest insert) {
    expect(insert.send()).error(403, "AuthenticationFailed", FAILED);
    assertThat(table.rows()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"SHARED_KEY", "SHARED_KEY_LITE"})
  @Documented("auth 2.1")
  void bothSchemesAreAccepted(Signing scheme) {
    expect(table.insert(entity("r")).signing(scheme).send()).status(201);
    expect(table.read("p", "r").signing(scheme).send()).status(200);
    expect(table.filter("RowKey eq 'r'").signing(scheme).send()).status(200);
    expect(
            table
                .wire()
                .batch(table.batch().insert(table.name(), entity("b")))
                .signing(scheme)
                .send())
        .status(202);
    expect(table.wire().request("MERGE", table.path("p", "r")).body("{}").signing(scheme).send())
        .status(204);
  }

  @ParameterizedTest
  @EnumSource(names = {"SHARED_KEY", "SHARED_KEY_LITE"})
  @Documented("auth 3.1: the path exactly as sent")
  void thePathIsSignedAsItStands(Signing scheme) {
    table.inserted("{\"PartitionKey\":\"O'Neil & Co\",\"RowKey\":\"réf\"}");
    for (String keys :
        new String[] {
          "(PartitionKey='O%27%27Neil%20%26%20Co',RowKey='r%C3%A9f')",
          "(PartitionKey='O''Neil%20&%20Co',RowKey='r%c3%a9f')",
          "%28PartitionKey=%27O%27%27Neil%20%26%20Co%27,RowKey=%27r%C3%A9f%27%29"
        }) {
      expect(table.wire().get(table.path() + keys).signing(scheme).send()).status(200);
    }
  }

  @Test
  @Documented("auth 2.1: Java sends only Date")
  void theDateMayBeInEitherHeader() {
    String now = WireRequest.httpDate(Instant.now());
    expect(table.insert(entity("1")).without("x-ms-date").header("Date", now).send()).status(201);
    WireRequest both = table.insert(entity("2")).header("Date", "Mon, 15 Jan 2024 10:30:00 GMT");
    expect(both.send()).status(201);
  }

  @Test
  @Documented("auth 2.3")
  void datesOfTheOlderFormAreRead() {
    String now =
        DateTimeFormatter.ofPattern("EEEE, dd-MMM-yy HH:mm:ss 'GMT'", Locale.ROOT)
            .format(Instant.now().atOffset(ZoneOffset.UTC));
    expect(table.insert(entity("r")).header("x-ms-date", now).send()).status(201);
  }

  @ParameterizedTest
  @ValueSource(longs = {-16, 16, -525_600})
  @Documented("auth 2.3")
  @Differs("Azurite 3.37.0 ignores the date")
  void aDateOutsideTheWindowIsRefused(long minutes) {
    Instant date = Instant.now().plus(Duration.ofMinutes(minutes));
    expectRefused(table.insert(entity("r")).header("x-ms-date", WireRequest.httpDate(date)));
  }

  @ParameterizedTest
  @ValueSource(longs = {-14, 14})
  @Documented("auth 2.3")
  void aDateInsideTheWindowIsAccepted(long minutes) {
    Instant date = Instant.now().plus(Duration.ofMinutes(minutes));
    WireRequest insert = table.insert(entity("r"));
    expect(insert.header("x-ms-date", WireRequest.httpDate(date)).send()).status(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "2024-01-15T10:30:00Z", ""})
  @Documented("auth 2.3")
  @Differs("Azurite 3.37.0 ignores the date")
  void aDateThatIsNoneIsRefused(String date) {
    expectRefused(table.insert(entity("r")).header("x-ms-date", date));
  }

  @Test
  @Documented("auth 2.3")
  void aRequestWithoutDateIsRefused() {
    expectRefused(table.insert(entity("r")).without("x-ms-date"));
  }

  @Test
  @Documented("auth 7, 10.5")
  @Differs("Azurite 3.37.0 answers AuthorizationFailure")
  void aWrongSignatureIsRefused() {
    String key = Base64.getEncoder().encodeToString(new byte[64]);
    expectRefused(table.insert(entity("r")).key(key));
    expectRefused(table.insert(entity("r")).key(key).signing(Signing.SHARED_KEY));
    String name = table.wire().account().name();
    expectRefused(table.insert(entity("r")).header("Authorization", "SharedKey " + name + ":"));
    expectRefused(
        table.insert(entity("r")).header("Authorization", "SharedKeyLite " + name + ":%%%"));
  }

  @Test
  @Documented("auth 3.1")
  @Differs("Azurite 3.37.0 answers AuthorizationFailure")
  void theAccountOfTheHeaderMustBeTheOneAddressed() {
    expectRefused(
        table.insert(entity("r")).header("Authorization", "SharedKeyLite other:c2lnbmF0dXJl"));
  }

  @Test
  @Documented("auth 10.5")
  void onlySharedKeyCoversTheContentType() {
    Account account = table.wire().account();
    String date = WireRequest.httpDate(Instant.now());
    Signing.Signed signed =
        new Signing.Signed(
            account.service(),
            "POST",
            account.pathPrefix() + table.path(),
            List.of(new Header("Content-Type", "application/json"), new Header("x-ms-date", date)));
    for (Signing scheme : new Signing[] {Signing.SHARED_KEY, Signing.SHARED_KEY_LITE}) {
      String name = scheme == Signing.SHARED_KEY ? "SharedKey " : "SharedKeyLite ";
      String signature = scheme.signature(account.name(), account.key(), signed);
      WireAnswer answer =
          table
              .insert(entity("r"))
              .header("x-ms-date", date)
              .header("Content-Type", "application/json;charset=utf-8")
              .header("Authorization", name + account.name() + ":" + signature)
              .send();
      expect(answer).status(scheme == Signing.SHARED_KEY ? 403 : 201);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2015-12-11", "2019-07-07", "2020-12-06", "2099-01-01"})
  @Documented("auth 7: bearer tokens are not configured")
  @Differs("Azurite 3.37.0 answers AuthorizationFailure")
  void aRequestWithoutCredentialsIsRefused(String version) {
    expectRefused(table.insert(entity("r")).header("x-ms-version", version).signing(Signing.NONE));
  }

  @ParameterizedTest
  @EnumSource(names = {"SHARED_KEY", "SHARED_KEY_LITE"})
  @Documented("auth 3.1: path-style secondary is uncertain, do: with and without the suffix")
  void theSecondaryMayBeSignedAsThePrimary(Signing scheme) {
    Account secondary = table.wire().account().secondary();
    String date = WireRequest.httpDate(Instant.now());
    for (String prefix :
        new String[] {secondary.pathPrefix(), table.wire().account().pathPrefix()}) {
      Signing.Signed signed =
          new Signing.Signed(
              secondary.service(),
              "GET",
              prefix + table.path() + "()",
              List.of(new Header("x-ms-date", date)));
      String name = scheme == Signing.SHARED_KEY ? "SharedKey " : "SharedKeyLite ";
      String signature = scheme.signature(secondary.name(), secondary.key(), signed);
      WireRequest request = new WireClient(secondary).get(table.path() + "()");
      request.header("x-ms-date", date);
      request.header("Authorization", name + secondary.name() + ":" + signature);
      expect(request.send()).status(200);
    }
  }

  /** Invalid credentials that a stranger may send. */
  enum Stranger {
    NO_CREDENTIALS,
    WRONG_KEY,
    WRONG_SIGNATURE,
    EXPIRED_SIGNATURE,
    UNKNOWN_POLICY,
    SIGNATURE_FOR_ANOTHER_TABLE;

    WireRequest of(WireRequest request, ScratchTable own, String asked) {
      String wrong = Base64.getEncoder().encodeToString(new byte[64]);
      SharedAccess access = SharedAccess.ofTable(own.wire().account(), asked).permissions("raud");
      return switch (this) {
        case NO_CREDENTIALS -> request.signing(Signing.NONE);
        case WRONG_KEY -> request.key(wrong);
        case WRONG_SIGNATURE -> request.sas(access.key(wrong));
        case EXPIRED_SIGNATURE -> request.sas(access.with("se", "2019-01-01"));
        case UNKNOWN_POLICY -> request.sas(access.without("sp").without("se").with("si", "nobody"));
        case SIGNATURE_FOR_ANOTHER_TABLE -> request.sas(own.access("raud"));
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  @Documented("auth 7, table-rest 14: a refused caller learns nothing")
  void aStrangerDoesNotLearnWhatExists(Stranger stranger) {
    ScratchTable there = ScratchTable.create();
    there.inserted(entity("r"));
    ScratchTable missing = ScratchTable.named(ScratchTable.freshName());
    for (EntityCall call : EntityCall.values()) {
      WireAnswer one = stranger.of(call.on(there, "p", "r"), table, there.name()).send();
      WireAnswer other = stranger.of(call.on(missing, "p", "r"), table, missing.name()).send();
      expect(one).status(403);
      expect(other).error(403, one.errorCode(), one.errorMessage());
      assertThat(one.text()).doesNotContain(there.name());
      assertThat(other.headers().stream().map(Header::name).toList())
          .isEqualTo(one.headers().stream().map(Header::name).toList());
    }
    assertThat(there.rows()).containsExactly("r");
  }

  @Test
  @Documented("auth 8")
  void aBearerTokenIsRefused() {
    expectRefused(table.insert(entity("r")).header("Authorization", "Bearer abc.def.ghi"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SharedKey", "SharedKey devstoreaccount1", "Basic abc:def", "nonsense", ":"})
  @Documented("auth 7")
  void aHeaderThatDoesNotParseIsBadInput(String header) {
    expect(table.insert(entity("r")).header("Authorization", header).send())
        .error(
            400,
            "InvalidAuthenticationInfo",
            "Authentication information is not given in the correct format. Check the value of"
                + " Authorization header.");
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Documented("auth 7, table-rest 9.1")
  void refusalsHaveThePlainContentTypeAndTheCodeInAHeader() {
    expect(table.query().signing(Signing.NONE).send())
        .status(403)
        .header("Content-Type", "application/json")
        .header("x-ms-error-code", "AuthenticationFailed");
    expect(table.query().signing(Signing.NONE).accept("application/atom+xml").send())
        .status(403)
        .header("Content-Type", "application/xml")
        .header("x-ms-error-code", "AuthenticationFailed");
  }

  @Test
  @Documented("table-rest 8.1")
  void aBatchIsRefusedAsAWhole() {
    WireAnswer answer =
        table
            .wire()
            .batch(table.batch().insert(table.name(), entity("r")))
            .signing(Signing.NONE)
            .send();
    expect(answer).error(403, "AuthenticationFailed");
    assertThat(table.rows()).isEmpty();
  }
}
