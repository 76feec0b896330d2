package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.support.Patience.eventually;
import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AccountProperties.rule;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.AnswerAssert;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cross-origin requests: the tables of table-rest 10.1 and 10.2. */
@Covers(Area.CORS)
@Differs("Azurite 3.37.0 returns the origin where the rule allows any")
@ResourceLock(AccountProperties.LOCK)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CorsConformanceTest {

  private static final String A = "http://a.example";
  private static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";
  private static final String CREDENTIALS = "Access-Control-Allow-Credentials";
  private static final String EXPOSE = "Access-Control-Expose-Headers";
  private static final String EXACT =
      rule(
          "GET,PUT",
          "http://a.example,http://b.example,http://d.localhost",
          "x-ms-meta-a,x-ms-meta-b*",
          "extra,x-ms-*",
          500);
  private static final String SUB_DOMAINS =
      rule("GET", "http://*.contoso.com,https://*.contoso.com:8443", "x-ms-*", "x-ms-*", 200);
  private static final String ANY = rule("GET,POST", "*", "*", "x-ms-request-id", 60);

  private final ScratchTable table = ScratchTable.create();
  private final AccountProperties properties =
      AccountProperties.remember(ScratchTable.sharedWire());
  private String current = "unknown";

  @AfterAll
  void restore() {
    properties.restore();
  }

  private void rules(String rules) {
    if (!rules.equals(current)) {
      expect(properties.set("<Cors>" + rules + "</Cors>")).status(202);
      current = rules;
    }
  }

  private WireAnswer preflight(
      String path, @Nullable String origin, @Nullable String method, @Nullable String headers) {
    return table.wire().preflight(path, origin, method, headers);
  }

  private void expectPreflightFails(String origin, String method, @Nullable String headers) {
    eventually(
        () ->
            expect(preflight(table.path(), origin, method, headers))
                .error(
                    403,
                    "CorsPreflightFailure",
                    "CORS not enabled or no matching rule found for this request.")
                .lacksHeader(ALLOW_ORIGIN));
  }

  @ParameterizedTest
  @CsvSource({"http://a.example,", ",GET", ","})
  @Documented("table-rest 10.1: Origin or Access-Control-Request-Method missing")
  void aPreflightNeedsItsHeaders(@Nullable String origin, @Nullable String method) {
    rules(ANY);
    expect(preflight(table.path(), origin, method, null))
        .error(400, "InvalidHeaderValue", "A required CORS header is not present.");
  }

  @Test
  @Documented("table-rest 10.1: no rule set")
  void withoutRulesNoPreflightPasses() {
    rules("");
    expectPreflightFails(A, "GET", null);
  }

  @ParameterizedTest
  @CsvSource({
    "http://c.example, GET,",
    "HTTP://A.EXAMPLE, GET,",
    "http://a.example:80, GET,",
    "http://a.example, DELETE,",
    "http://a.example, POST,",
    "http://a.example, GET, x-ms-meta-c",
    "http://a.example, GET, 'x-ms-meta-a,other'"
  })
  @Documented("table-rest 10.1: no rule matches; origins exact and case-sensitive")
  void aPreflightThatNoRuleAllowsFails(String origin, String method, @Nullable String headers) {
    rules(EXACT);
    expectPreflightFails(origin, method, headers);
  }

  @ParameterizedTest
  @CsvSource({
    "http://a.example, GET,",
    "http://b.example, PUT, x-ms-meta-a",
    "http://b.example, GET, 'X-MS-Meta-A,x-ms-meta-bcd'"
  })
  @Documented("table-rest 10.1: match")
  void aPreflightThatARuleAllowsPasses(String origin, String method, @Nullable String headers) {
    rules(EXACT);
    eventually(
        () -> {
          WireAnswer answer = preflight(table.path(), origin, method, headers);
          AnswerAssert passed =
              expect(answer)
                  .status(200)
                  .emptyBody()
                  .header(ALLOW_ORIGIN, origin)
                  .header("Access-Control-Allow-Methods", method)
                  .header("Access-Control-Max-Age", "500")
                  .header(CREDENTIALS, "true");
          if (headers != null) {
            passed.header("Access-Control-Allow-Headers", headers);
          }
        });
  }

  @Test
  @Documented("table-rest 10.1: * if the rule says *")
  void aRuleForAnyOriginIsAnsweredWithAStar() {
    rules(ANY);
    eventually(
        () ->
            expect(preflight(table.path(), "http://z.example", "POST", "anything"))
                .status(200)
                .header(ALLOW_ORIGIN, "*")
                .header("Access-Control-Max-Age", "60"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://www.contoso.com",
        "http://a.b.contoso.com",
        "http://A-1.contoso.com",
        "https://x.contoso.com:8443"
      })
  @Documented("table-rest 10; blob-features 10.2: A12, the sample of the documentation")
  void aWildcardStandsForSubDomains(String origin) {
    rules(SUB_DOMAINS);
    eventually(
        () ->
            expect(preflight(table.path(), origin, "GET", "x-ms-date"))
                .status(200)
                .header(ALLOW_ORIGIN, origin)
                .header(CREDENTIALS, "true"));
    expect(table.query("$top=1").header("Origin", origin).send())
        .status(200)
        .header(ALLOW_ORIGIN, origin)
        .header("Vary", "Origin")
        .header(CREDENTIALS, "true")
        .hasHeader(EXPOSE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://contoso.com",
        "http://.contoso.com",
        "http://xcontoso.com",
        "http://www.contoso.com:80",
        "http://www.contoso.com.example",
        "https://www.contoso.com",
        "https://x.contoso.com:8444",
        "http://www.Contoso.com",
        "HTTP://www.contoso.com",
        "http://a..contoso.com",
        "http://example/.contoso.com"
      })
  @Documented("table-rest 10; blob-features 10.2: A12, scheme and port are exact")
  void aWildcardStandsForNothingElse(String origin) {
    rules(SUB_DOMAINS);
    expectPreflightFails(origin, "GET", null);
  }

  @Test
  @Documented("table-rest 10.1: the first rule for origin and method decides, no other is tried")
  void theFirstRuleDecides() {
    rules(EXACT + ANY);
    eventually(
        () ->
            expect(preflight(table.path(), "http://c.example", "GET", "other"))
                .status(200)
                .header(ALLOW_ORIGIN, "*"));
    expectPreflightFails(A, "GET", "other");
    expect(preflight(table.path(), A, "POST", "other")).status(200).header(ALLOW_ORIGIN, "*");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/Tables",
        "/Missing123()",
        "/Missing123(PartitionKey='p',RowKey='r')",
        "/$batch"
      })
  @Documented("table-rest 10.1: on any path, no authentication, the resource need not exist")
  void aPreflightNeedsNoResource(String path) {
    rules(ANY);
    eventually(() -> expect(preflight(path, A, "GET", null)).status(200));
  }

  /** The seven rows of the table, then other verbs, whose answers never have Vary. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "GET, -, none, -, -",
        "GET, -, exact, Origin, -",
        "GET, -, any, -, *",
        "GET, http://a.example, none, -, -",
        "GET, http://a.example, exact, Origin, http://a.example",
        "GET, http://c.example, exact, Origin, -",
        "GET, http://c.example, any, -, *",
        "PUT, -, exact, -, -",
        "POST, -, any, -, -",
        "PUT, http://a.example, exact, -, http://a.example",
        "POST, http://c.example, any, -, *",
        "DELETE, http://d.localhost, exact, -, -"
      })
  @Documented("table-rest 10.2, 15 CORS: Vary and the allow headers")
  void answersAreMarked(
      String method,
      @Nullable String origin,
      String rules,
      @Nullable String vary,
      @Nullable String allowed) {
    rules(rules.equals("none") ? "" : rules.equals("exact") ? EXACT : ANY);
    eventually(
        () -> {
          WireAnswer answer = actual(method, origin).send();
          expect(answer);
          assertThat(answer.status()).as(answer.toString()).isLessThan(300);
          assertThat(answer.header("Vary").orElse(null)).as(answer.toString()).isEqualTo(vary);
          assertThat(answer.header(ALLOW_ORIGIN).orElse(null))
              .as(answer.toString())
              .isEqualTo(allowed);
          boolean exact = allowed != null && !allowed.equals("*");
          assertThat(answer.header(CREDENTIALS).isPresent()).isEqualTo(exact);
          assertThat(answer.header(EXPOSE).isPresent()).isEqualTo(allowed != null);
        });
  }

  private WireRequest actual(String method, @Nullable String origin) {
    String path = table.path("p", "r");
    WireRequest request =
        switch (method) {
          case "GET" -> table.query("$top=1");
          case "PUT" -> table.wire().put(path, "{}");
          case "POST" -> table.insert(entity(java.util.UUID.randomUUID().toString()));
          default -> {
            table.wire().put(path, "{}").send();
            yield table.wire().delete(path).ifMatch("*");
          }
        };
    return origin == null ? request : request.header("Origin", origin);
  }

  @Test
  @Documented("table-rest 10.2: prefixes expanded to the headers present")
  void exposedPrefixesAreWrittenOut() {
    rules(EXACT);
    eventually(
        () -> {
          WireAnswer answer =
              table
                  .query("$top=1")
                  .header("Origin", A)
                  .header("x-ms-client-request-id", "x")
                  .send();
          String exposed = answer.header(EXPOSE).orElse("");
          assertThat(exposed.split(",", -1))
              .as(answer.toString())
              .contains("extra", "x-ms-request-id", "x-ms-version", "x-ms-client-request-id");
          assertThat(exposed).doesNotContain("*").doesNotContain("Content-Type");
        });
  }

  @Test
  @Documented("table-rest 10.2: no match: the request runs normally")
  void aRequestFromElsewhereRuns() {
    rules(EXACT);
    expect(table.insert(entity("r")).header("Origin", "http://c.localhost").send())
        .status(201)
        .lacksHeader(ALLOW_ORIGIN);
    assertThat(table.rows()).contains("r");
  }

  @Test
  @Documented("table-rest 10.2: a page must be able to read why its request was refused")
  void refusalsAreMarkedToo() {
    rules(EXACT);
    eventually(
        () ->
            expect(table.read("p", "missing").header("Origin", A).send())
                .error(404, "ResourceNotFound")
                .header(ALLOW_ORIGIN, A)
                .header("Vary", "Origin"));
  }
}
