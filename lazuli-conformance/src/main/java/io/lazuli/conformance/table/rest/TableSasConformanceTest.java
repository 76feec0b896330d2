package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.BatchText;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Signatures for one table: their versions, terms and letters, and the operations they never allow.
 */
@Covers(Area.ACCESS)
@Differs("Azurite 3.37.0 answers AuthorizationFailure and checks fewer fields")
class TableSasConformanceTest {

  private static final String NO_PERMISSION =
      "This request is not authorized to perform this operation using this permission.";
  private static final String NOT_AUTHORIZED =
      "This request is not authorized to perform this operation.";

  private final ScratchTable table = ScratchTable.create();

  private WireAnswer query(SharedAccess access) {
    return table.query().sas(access).send();
  }

  private void expectFailed(WireAnswer answer) {
    expect(answer)
        .error(403, "AuthenticationFailed")
        .header("x-ms-error-code", "AuthenticationFailed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2012-02-12",
        "2013-08-15",
        "2014-02-14",
        "2015-02-21",
        "2015-04-05",
        "2015-07-08",
        "2015-12-11",
        "2016-05-31",
        "2017-04-17",
        "2018-03-28",
        "2018-11-09",
        "2019-02-02",
        "2020-04-08",
        "2020-12-06",
        "2024-11-04"
      })
  @Documented("auth 4.2")
  void everyVersionHasItsStringToSign(String version) {
    table.inserted("{\"PartitionKey\":\"a\",\"RowKey\":\"1\"}");
    SharedAccess access =
        table
            .access("raud")
            .with("sv", version)
            .with("st", SharedAccess.time(Duration.ofMinutes(-20)))
            .with("spk", "a")
            .with("srk", "1")
            .with("epk", "b")
            .with("erk", "9");
    expect(query(access)).status(200);
    expect(table.read("a", "1").sas(access).send()).status(200);
    expect(table.insert("{\"PartitionKey\":\"b\",\"RowKey\":\"2\"}").sas(access).send())
        .status(201);
    expectFailed(table.query().sas(access.tokenAltered("epk", "c")).send());
  }

  @Test
  @Documented("auth 4.6: treat like the newest known")
  void aVersionOfTheFutureIsSignedLikeTheNewest() {
    expect(query(table.access("r").with("sv", "2099-01-01"))).status(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2009-09-19", "2011-08-18", "", "x"})
  @Documented("auth 4.1, 4.2")
  void aVersionWithoutSignaturesIsRefused(String version) {
    WireAnswer answer = query(table.access("r").with("sv", version));
    assertThat(answer.status()).as(answer.toString()).isIn(400, 403);
  }

  @ParameterizedTest
  @EnumSource
  @Documented("auth 4.5, 10.5")
  void anOperationNeedsItsLettersAndNoOthers(EntityCall call) {
    if (call != EntityCall.INSERT_ENTITY) {
      table.inserted(entity("r"));
    }
    for (char missing : call.letters.toCharArray()) {
      String others = "raud".replace(String.valueOf(missing), "");
      expect(call.on(table, "p", "r").sas(table.access(others)).send())
          .error(403, "AuthorizationPermissionMismatch", NO_PERMISSION)
          .header("x-ms-error-code", "AuthorizationPermissionMismatch");
    }
    expect(call.on(table, "p", "r").sas(table.access(call.letters)).send()).status(call.success);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"GET_ENTITY", "QUERY_ENTITIES"})
  @Documented("auth 4.5, table-rest 8.1: permissions are checked per inner operation, do: whole")
  void anOperationOfABatchNeedsItsLetters(EntityCall call) {
    if (call != EntityCall.INSERT_ENTITY) {
      table.inserted(entity("r"));
    }
    BatchText batch = table.batch().insert(table.name(), entity("first"));
    call.addTo(batch, table, "p", "r");
    for (char missing : call.letters.replace("a", "").toCharArray()) {
      String others = "raud".replace(String.valueOf(missing), "");
      expect(table.wire().batch(batch).sas(table.access(others)).send())
          .error(403, "AuthorizationPermissionMismatch");
    }
    assertThat(table.rows()).doesNotContain("first");
    String letters = "a" + call.letters.replace("a", "");
    WireAnswer answer = table.wire().batch(batch).sas(table.access(letters)).send();
    expect(answer).status(202);
    assertThat(answer.parts()).hasSize(2).allMatch(part -> part.status() == 204);
  }

  @Test
  @Documented("auth 4.5")
  void aReadInABatchNeedsItsLetter() {
    table.inserted(entity("r"));
    BatchText batch = table.batch().add("GET", table.path("p", "r"), "");
    String reads = batch.textOfReads();
    expect(table.wire().batch(batch).body(reads).sas(table.access("aud")).send())
        .error(403, "AuthorizationPermissionMismatch");
    WireAnswer answer = table.wire().batch(batch).body(reads).sas(table.access("r")).send();
    expect(answer).status(202);
    expect(answer.parts().get(0)).status(200);
  }

  @Test
  @Documented("table-rest 8.1: the SAS may be repeated in inner URLs: ignore it there")
  void aSignatureInsideABatchIsIgnored() {
    String token = table.access("a").token();
    BatchText repeated =
        table.batch().add("POST", table.path() + "?" + token, entity("r"), "Prefer: x");
    expect(table.wire().batch(repeated).sas(token).send()).status(202);
    assertThat(table.rows()).containsExactly("r");
    String more = table.access("aud").token();
    BatchText forged = table.batch().add("PUT", table.path("p", "r") + "?" + more, "{\"V\":1}");
    expect(table.wire().batch(forged).sas(token).send())
        .error(403, "AuthorizationPermissionMismatch");
    assertThat(table.stored("p", "r").has("V")).isFalse();
  }

  @Test
  @Documented("auth 4.5")
  void aBatchOnAnotherTableIsRefused() {
    ScratchTable other = ScratchTable.create();
    BatchText batch = table.batch().insert(other.name(), entity("r"));
    expect(table.wire().batch(batch).sas(table.access("raud")).send())
        .error(403, "AuthorizationFailure");
    assertThat(other.rows()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "Create Table, POST, /Tables",
    "Query Tables, GET, /Tables",
    "Get Table, GET, /Tables('%s')",
    "Delete Table, DELETE, /Tables('%s')",
    "Get Table ACL, GET, /%s?comp=acl",
    "Set Table ACL, PUT, /%s?comp=acl",
    "Get Service Properties, GET, " + AccountProperties.RESOURCE,
    "Set Service Properties, PUT, " + AccountProperties.RESOURCE,
    "Get Service Stats, GET, /?restype=service&comp=stats"
  })
  @Documented("auth 4.5, 7, 10.5: never by service SAS")
  void onlyEntityOperationsAreOpen(String operation, String method, String resource) {
    WireRequest request = table.wire().request(method, resource.formatted(table.name()));
    switch (operation) {
      case "Create Table" ->
          request.body(
              "{\"TableName\":\"" + ScratchTable.named(ScratchTable.freshName()).name() + "\"}");
      case "Set Table ACL" ->
          request.header("Content-Type", "application/xml").body("<SignedIdentifiers />");
      case "Set Service Properties" ->
          request
              .header("Content-Type", "application/xml")
              .body("<StorageServiceProperties></StorageServiceProperties>");
      default -> request.without("Content-Type");
    }
    expect(request.sas(table.access("raud")).send())
        .error(403, "AuthorizationFailure", NOT_AUTHORIZED)
        .header("x-ms-error-code", "AuthorizationFailure");
    expect(table.query().send()).status(200);
  }

  @Test
  @Documented("auth 7, 10.5: the code is uncertain for another table")
  void anotherTableIsNotOpen() {
    ScratchTable other = ScratchTable.create();
    other.inserted(entity("r"));
    for (EntityCall call : EntityCall.values()) {
      expect(call.on(other, "p", "r").sas(table.access("raud")).send())
          .error(403, "AuthorizationFailure");
    }
    assertThat(other.rows()).containsExactly("r");
  }

  @Test
  @Documented("auth 4.1, 10.5: signed in lower case")
  void theTableMayBeNamedInAnyLetterCase() {
    String upper = table.name().toUpperCase(Locale.ROOT);
    SharedAccess access = SharedAccess.ofTable(table.wire().account(), upper).permissions("r");
    expect(query(access)).status(200);
    String path = "/" + table.name().toLowerCase(Locale.ROOT);
    expect(table.wire().get(path + "()").sas(table.access("r")).send()).status(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"durra", "dr", "rr", "xrz"})
  @Documented("auth 4.5: do: any order, repeats and unknown letters ignored")
  @Differs("Azure documents one order without repeats")
  void lettersMayComeInAnyOrder(String letters) {
    expect(query(table.access(letters))).status(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2099-01-01",
        "2099-01-01T10:30Z",
        "2099-01-01T10:30:15Z",
        "2099-01-01T10:30:15.1234567Z"
      })
  @Documented("auth 4.1: times, signed as sent")
  void timesHaveFourForms(String expiry) {
    expect(query(table.access("r").with("se", expiry))).status(200);
    String start = expiry.replace("2099", "2019");
    expect(query(table.access("r").with("st", start).with("se", expiry))).status(200);
    expectFailed(query(table.access("r").with("st", expiry).with("se", "2100-01-01")));
    expectFailed(query(table.access("r").with("se", start)));
  }

  @Test
  @Documented("auth 9: st ≤ now < se; no tolerance")
  void aSignatureHoldsFromItsStartToItsExpiry() {
    expectFailed(query(table.access("r").with("st", SharedAccess.time(Duration.ofMinutes(20)))));
    expectFailed(query(table.access("r").with("se", SharedAccess.time(Duration.ofMinutes(-20)))));
    expect(query(table.access("r").with("st", SharedAccess.time(Duration.ofMinutes(-20)))))
        .status(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"tomorrow", "2099", "2099-13-01", "2099-01-01T10:30:15", "2099-01-01T25:00Z"})
  @Documented("auth 7: malformed SAS")
  void timesThatAreNoneAreRefused(String time) {
    expectFailed(query(table.access("r").with("se", time)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"se", "sp"})
  @Documented("auth 4.1: in the SAS or in the policy")
  void expiryAndPermissionsAreRequired(String field) {
    expectFailed(query(table.access("r").without(field)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sp", "st", "se", "sip", "spr", "sv", "spk", "srk", "epk", "erk"})
  @Documented("auth 4.2, 10.5")
  void everyFieldIsSigned(String field) {
    SharedAccess access = table.access("r").with("spk", "a").with("epk", "z");
    expect(query(access)).status(200);
    String value =
        switch (field) {
          case "sp" -> "raud";
          case "st" -> "2019-01-01";
          case "se" -> "2099-01-01";
          case "sip" -> "0.0.0.0-255.255.255.255";
          case "spr" -> "https,http";
          case "sv" -> "2019-07-07";
          default -> "m";
        };
    expectFailed(table.query().sas(access.tokenAltered(field, value)).send());
  }

  @Test
  @Documented("auth 7, 10.5")
  void aWrongSignatureIsRefused() {
    String wrong = Base64.getEncoder().encodeToString(new byte[64]);
    expectFailed(query(table.access("r").key(wrong)));
    String token = table.access("r").token();
    char last = token.charAt(token.indexOf("sig=") + 4);
    String damaged = token.replace("sig=" + last, "sig=" + (last == 'A' ? 'B' : 'A'));
    expectFailed(table.query().sas(damaged).send());
    for (String signature : new String[] {"", "x", "%25%25%25", "AAAA"}) {
      String broken = token.substring(0, token.indexOf("sig=")) + "sig=" + signature;
      expectFailed(table.query().sas(broken).send());
    }
  }

  @Test
  @Documented("auth 9: a raw + in sig is a common mistake")
  void aPlusInASignatureMayBeRaw() {
    SharedAccess access = table.access("r");
    for (int minute = 0; !access.signature().contains("+"); minute++) {
      access.with("se", SharedAccess.time(Duration.ofMinutes(60 + minute)));
    }
    expect(table.query().sas(access.token().replace("%2B", "+")).send()).status(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sp=r", "sp=raud", "tn=x", "se=2099-01-01", "sv=2019-02-02", "spk="})
  @Documented("auth 9: duplicate SAS parameters")
  void aParameterIsGivenOnce(String again) {
    SharedAccess access = table.access("r").with("spk", "");
    expectFailed(table.query().sas(access.token() + "&" + again).send());
  }

  @Test
  @Documented("auth 4.1: sip is an address or a range, inclusive")
  void theAddressOfTheClientMustFit() {
    expect(query(table.access("r").with("sip", "0.0.0.0-255.255.255.255"))).status(200);
    for (String other : new String[] {"203.0.113.7", "203.0.113.1-203.0.113.200"}) {
      expect(query(table.access("r").with("sip", other)))
          .error(403, "AuthorizationSourceIPMismatch");
    }
    expectFailed(query(table.access("r").with("sip", "nowhere")));
  }

  @Test
  @Documented("auth 4.1, 10.5: spr")
  void theProtocolMustFit() {
    expect(query(table.access("r").with("spr", "https,http"))).status(200);
    WireAnswer secureOnly = query(table.access("r").with("spr", "https"));
    if (table.wire().account().isSecure()) {
      expect(secureOnly).status(200);
    } else {
      expect(secureOnly)
          .error(
              403,
              "AuthorizationProtocolMismatch",
              "This request is not authorized to perform this operation using this protocol.");
    }
    expectFailed(query(table.access("r").with("spr", "http")));
  }

  @ParameterizedTest
  @CsvSource({"srk, a", "erk, z"})
  @Documented("auth 6.2: a row only together with its partition; the code is uncertain")
  void aRowKeyNeedsItsPartitionKey(String field, String value) {
    expectFailed(query(table.access("r").with(field, value)));
  }

  @Test
  @Documented("auth 1: do: the header decides, the SAS parameters are ignored")
  void aHeaderDecidesOverASignature() {
    String token = table.access("").with("se", "2019-01-01").token();
    expect(table.wire().get(table.path() + "()?" + token).send()).status(200);
    String good = table.access("r").token();
    expect(
            table
                .wire()
                .get(table.path() + "()?" + good)
                .key(Base64.getEncoder().encodeToString(new byte[64]))
                .send())
        .error(403, "AuthenticationFailed");
  }

  @Test
  @Documented("auth 9: other parameters are not signed; auth 4.1: api-version")
  void aSignatureGoesWithTheOptionsOfARequest() {
    table.inserted(entity("1", "\"A\":1"));
    table.inserted(entity("2", "\"A\":2"));
    String options = "$filter=" + Keys.encode("A gt 0") + "&$top=1&$select=RowKey&timeout=20";
    WireAnswer answer =
        table.query(options, "api-version=2019-02-02").sas(table.access("r")).send();
    expect(answer).status(200).hasHeader("x-ms-continuation-NextRowKey");
    assertThat(answer.values()).hasSize(1);
  }

  @Test
  @Documented("table-rest 3.1: without x-ms-version the sv value counts")
  void aSignatureNeedsNeitherVersionNorDate() {
    expect(table.query().without("x-ms-version").without("x-ms-date").sas(table.access("r")).send())
        .status(200);
  }

  @Test
  @Documented("auth 7, table-rest 9.1")
  void refusalsAreJsonOrXmlAsTheClientReads() {
    SharedAccess access = table.access("r");
    expect(table.insert(entity("r")).sas(access).send())
        .status(403)
        .header("Content-Type", "application/json")
        .header("x-ms-error-code", "AuthorizationPermissionMismatch");
    expect(table.query().accept("application/xml").sas(access.key("bm9wZQ==")).send())
        .error(403, "AuthenticationFailed")
        .header("Content-Type", "application/xml");
  }
}
