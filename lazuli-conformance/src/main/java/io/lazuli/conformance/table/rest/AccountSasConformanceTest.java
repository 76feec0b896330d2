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
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Account signatures for the table service: services, resource types, permission letters and terms.
 */
@Covers(Area.ACCESS)
@Differs("Azurite 3.37.0 answers AuthorizationFailure and needs other letters")
class AccountSasConformanceTest {

  private static final String ALL_LETTERS = "rwdlacup";

  private final ScratchTable table = ScratchTable.create();

  private SharedAccess access(String letters) {
    return SharedAccess.ofAccount(table.wire().account()).permissions(letters);
  }

  private void expectFailed(SharedAccess access) {
    expect(table.query().sas(access).send()).error(403, "AuthenticationFailed");
  }

  /** A row of the table in auth 5. Several words of letters are alternatives. */
  record Row(
      String operation,
      char type,
      String letters,
      int success,
      Function<ScratchTable, WireRequest> request) {

    @Override
    public String toString() {
      return operation;
    }
  }

  static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    rows.add(
        new Row(
            "Get Service Properties",
            's',
            "r",
            200,
            t -> t.wire().get(AccountProperties.RESOURCE)));
    rows.add(
        new Row(
            "Set Service Properties", 's', "w", 202, AccountSasConformanceTest::keepProperties));
    rows.add(new Row("Query Tables", 'c', "l", 200, t -> t.wire().get("/Tables?$top=1")));
    rows.add(
        new Row("Get Table", 'c', "l r", 200, t -> t.wire().get("/Tables('" + t.name() + "')")));
    rows.add(new Row("Create Table", 'c', "c w", 201, AccountSasConformanceTest::create));
    rows.add(
        new Row(
            "Delete Table",
            'c',
            "d",
            204,
            t -> t.wire().delete("/Tables('" + ScratchTable.create().name() + "')")));
    for (EntityCall call : EntityCall.values()) {
      String key = call == EntityCall.INSERT_ENTITY ? "new" : "r";
      rows.add(new Row(call.name(), 'o', call.letters, call.success, t -> call.on(t, "p", key)));
    }
    rows.add(new Row("batch", 'o', "ad", 202, AccountSasConformanceTest::batch));
    return rows;
  }

  private static WireRequest keepProperties(ScratchTable table) {
    return table
        .wire()
        .request("PUT", AccountProperties.RESOURCE)
        .header("Content-Type", "application/xml")
        .body("<StorageServiceProperties></StorageServiceProperties>");
  }

  private static WireRequest create(ScratchTable table) {
    String name = ScratchTable.named(ScratchTable.freshName()).name();
    return table.wire().post("/Tables", "{\"TableName\":\"" + name + "\"}");
  }

  private static WireRequest batch(ScratchTable table) {
    return table
        .wire()
        .batch(
            table
                .batch()
                .insert(table.name(), entity("new"))
                .add("DELETE", table.path("p", "r"), "", "If-Match: *"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  @Documented("auth 5: srt and sp of each operation")
  void anOperationNeedsItsTypeAndItsLetters(Row row) {
    table.inserted(entity("r"));
    String others = "sco".replace(String.valueOf(row.type()), "");
    expect(row.request().apply(table).sas(access(ALL_LETTERS).with("srt", others)).send())
        .error(
            403,
            "AuthorizationResourceTypeMismatch",
            "This request is not authorized to perform this operation using this resource type.");
    String type = String.valueOf(row.type());
    for (char letter : row.letters().replace(" ", "").toCharArray()) {
      String lacking =
          row.letters().contains(" ")
              ? ALL_LETTERS.replaceAll("[" + row.letters() + "]", "")
              : ALL_LETTERS.replace(String.valueOf(letter), "");
      expect(row.request().apply(table).sas(access(lacking).with("srt", type)).send())
          .error(
              403,
              "AuthorizationPermissionMismatch",
              "This request is not authorized to perform this operation using this permission.");
    }
    for (String letters : row.letters().split(" ", -1)) {
      expect(row.request().apply(table).sas(access(letters).with("srt", type)).send())
          .status(row.success());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "PUT"})
  @Documented("auth 5: do: not allowed for ACLs")
  void policiesAreNotOpenToSignatures(String method) {
    WireRequest request = table.wire().request(method, table.path() + "?comp=acl");
    if (method.equals("PUT")) {
      request.header("Content-Type", "application/xml").body("<SignedIdentifiers />");
    }
    expect(request.sas(access(ALL_LETTERS)).send()).error(403, "AuthorizationFailure");
  }

  @ParameterizedTest
  @ValueSource(strings = {"t", "tb", "bqt", "btqf"})
  @Documented("auth 5: letters of services in any order, signed as sent")
  void aSignatureForSeveralServicesOpensTables(String services) {
    expect(table.query().sas(access("r").with("ss", services)).send()).status(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"b", "q", "bqf"})
  @Documented("auth 5, 7: the service is checked first")
  void aSignatureForOtherServicesDoesNot(String services) {
    expect(
            table
                .query()
                .sas(access("").with("srt", "s").with("ss", services).permissions("w"))
                .send())
        .error(
            403,
            "AuthorizationServiceMismatch",
            "This request is not authorized to perform this operation using this service.");
  }

  @Test
  @Documented("auth 5: check in this order, each with its own code")
  void theTypeIsJudgedBeforeTheLetters() {
    expect(table.insert(entity("r")).sas(access("r").with("srt", "s")).send())
        .error(403, "AuthorizationResourceTypeMismatch");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2015-04-05", "2018-03-28", "2019-02-02", "2020-04-08", "2020-10-02"})
  @Documented("auth 5: nine lines")
  void versionsBeforeEncryptionScopes(String version) {
    expect(table.query().sas(access("r").with("sv", version)).send()).status(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2020-12-06", "2021-12-02", "2024-11-04"})
  @Documented("auth 5: a tenth line, for ses")
  void versionsWithEncryptionScopes(String version) {
    expect(table.query().sas(access("r").with("sv", version)).send()).status(200);
    SharedAccess scoped = access("r").with("sv", version).with("ses", "scope");
    expect(table.query().sas(scoped).send()).status(200);
  }

  @Test
  @Documented("auth 5: 2015-04-05 and later")
  void olderVersionsHaveNone() {
    WireAnswer answer = table.query().sas(access("r").with("sv", "2015-02-21")).send();
    assertThat(answer.status()).as(answer.toString()).isIn(400, 403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"se", "sp", "srt"})
  @Documented("auth 5: required")
  void fieldsThatAreRequired(String field) {
    WireAnswer answer = table.query().sas(access("r").without(field)).send();
    assertThat(answer.status()).as(answer.toString()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sp", "ss", "srt", "st", "se", "sip", "spr", "sv"})
  @Documented("auth 5: the signed fields")
  void everyFieldIsSigned(String field) {
    String value =
        switch (field) {
          case "sp" -> "rwdl";
          case "ss" -> "bt";
          case "srt" -> "o";
          case "st" -> "2019-01-01";
          case "se" -> "2099-01-01";
          case "sip" -> "0.0.0.0-255.255.255.255";
          case "spr" -> "https,http";
          default -> "2019-07-07";
        };
    expect(table.query().sas(access("r").tokenAltered(field, value)).send())
        .error(403, "AuthenticationFailed");
    expect(table.query().sas(access("r").with(field, value)).send()).status(200);
  }

  @Test
  @Documented("auth 5: as for a service SAS")
  void startExpiryAddressAndProtocolBind() {
    expectFailed(access("r").with("st", SharedAccess.time(Duration.ofMinutes(20))));
    expectFailed(access("r").with("se", SharedAccess.time(Duration.ofMinutes(-20))));
    expect(table.query().sas(access("r").with("sip", "203.0.113.7")).send())
        .error(403, "AuthorizationSourceIPMismatch");
    if (!table.wire().account().isSecure()) {
      expect(table.query().sas(access("r").with("spr", "https")).send())
          .error(403, "AuthorizationProtocolMismatch");
    }
  }
}
