package io.lazuli.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables of table-rest 10. */
class CorsWireTest {
  private static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";
  private static final String EXACT =
      rule("GET,PUT", "http://a,http://b", "x-ms-meta-a,x-ms-meta-b*", "x-ms-*,extra", 500);
  private static final String ANY = rule("GET,POST", "*", "*", "", 60);

  private static WireServer server;

  @BeforeAll
  static void start() {
    server = new WireServer();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void forget() {
    rules("");
  }

  @ParameterizedTest
  @CsvSource({
    "'','',''",
    "http://a,'',''",
    "'',GET,''",
  })
  void aPreflightNeedsItsHeaders(String origin, String method, String headers) {
    rules(ANY);
    Answer answer = preflight(origin, method, headers);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.header("x-ms-error-code")).isEqualTo("InvalidHeaderValue");
    assertThat(answer.body()).contains("A required CORS header is not present.");
  }

  @Test
  void withoutRulesNoPreflightPasses() {
    assertPreflightFails("http://a", "GET", "");
  }

  @ParameterizedTest
  @CsvSource({
    "http://a,GET,''",
    "http://b,PUT,x-ms-meta-a",
    "http://b,PUT,'X-MS-Meta-A, x-ms-meta-bcd'",
  })
  void aPreflightThatARuleAllowsPasses(String origin, String method, String headers) {
    rules(EXACT);
    Answer answer = preflight(origin, method, headers);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
    assertThat(answer.header(ALLOW_ORIGIN)).isEqualTo(origin);
    assertThat(answer.header("Access-Control-Allow-Methods")).isEqualTo(method);
    assertThat(answer.header("Access-Control-Allow-Headers"))
        .isEqualTo(headers.isEmpty() ? null : headers.replace(" ", ""));
    assertThat(answer.header("Access-Control-Max-Age")).isEqualTo("500");
    assertThat(answer.header("Access-Control-Allow-Credentials")).isEqualTo("true");
  }

  @ParameterizedTest
  @CsvSource({
    "http://c,GET,''",
    "HTTP://A,GET,''",
    "http://a,DELETE,''",
    "http://a,get,''",
    "http://a,GET,x-ms-meta-c",
    "http://a,GET,'x-ms-meta-a,other'",
    "http://a,GET,'x-ms-meta-b\u00e9'",
  })
  void aPreflightThatNoRuleAllowsFails(String origin, String method, String headers) {
    rules(EXACT);
    assertPreflightFails(origin, method, headers);
  }

  @Test
  void theFirstRuleForOriginAndMethodDecides() {
    rules(EXACT + ANY);
    assertPreflightFails("http://a", "GET", "other");
    assertThat(preflight("http://c", "GET", "other").header(ALLOW_ORIGIN)).isEqualTo("*");
    assertThat(preflight("http://a", "POST", "other").header(ALLOW_ORIGIN)).isEqualTo("*");
  }

  @Test
  void aPreflightNeedsNeitherCredentialsNorAResource() {
    rules(ANY);
    assertThat(preflight("http://a", "GET", "").status()).isEqualTo(200);
    Answer root =
        server.anybody("OPTIONS", "", "", "Origin: x", "Access-Control-Request-Method: GET");
    assertThat(root.status()).isEqualTo(200);
    Answer nobody =
        server.anybody("OPTIONS", "x/t", "", "Origin: x", "Access-Control-Request-Method: GET");
    assertThat(nobody.header("x-ms-error-code")).isEqualTo("CorsPreflightFailure");
  }

  /** The table of table-rest 10.2, and the same for a method whose answers are not cached. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "GET,-,none,-,-",
        "GET,-,exact,Origin,-",
        "GET,-,any,-,*",
        "GET,http://a,none,-,-",
        "GET,http://a,exact,Origin,http://a",
        "GET,http://c,exact,Origin,-",
        "GET,http://c,any,-,*",
        "PUT,-,exact,-,-",
        "POST,-,any,-,-",
        "PUT,http://a,exact,-,http://a",
        "POST,http://c,any,-,*",
        "DELETE,http://a,exact,-,-",
      })
  void answersAreMarked(String method, String origin, String rules, String vary, String allowed) {
    rules(rules.equals("none") ? "" : rules.equals("exact") ? EXACT : ANY);
    Answer answer =
        origin == null
            ? server.owner(method, "/Missing?comp=acl", "")
            : server.owner(method, "/Missing?comp=acl", "", "Origin: " + origin);
    assertThat(answer.header("Vary")).isEqualTo(vary);
    assertThat(answer.header(ALLOW_ORIGIN)).isEqualTo(allowed);
    assertThat(answer.header("Access-Control-Allow-Credentials"))
        .isEqualTo(origin == null || !origin.equals(allowed) ? null : "true");
  }

  @Test
  void exposedPrefixesAreWrittenOut() {
    rules(EXACT);
    Answer answer =
        server.owner("GET", "/Tables", "", "Origin: http://a", "x-ms-version: 2019-02-02");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Access-Control-Expose-Headers").split(","))
        .containsExactlyInAnyOrder("extra", "x-ms-request-id", "x-ms-version");
  }

  @Test
  void refusalsAreMarkedToo() {
    rules(EXACT);
    Answer answer = server.anybody("GET", "/Tables", "", "Origin: http://a");
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.header(ALLOW_ORIGIN)).isEqualTo("http://a");
    assertThat(answer.header("Access-Control-Expose-Headers")).contains("x-ms-error-code");
  }

  private static void assertPreflightFails(String origin, String method, String headers) {
    Answer answer = preflight(origin, method, headers);
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.header("x-ms-error-code")).isEqualTo("CorsPreflightFailure");
    assertThat(answer.body())
        .contains("CORS not enabled or no matching rule found for this request.");
    assertThat(answer.header(ALLOW_ORIGIN)).isNull();
  }

  private static Answer preflight(String origin, String method, String headers) {
    return server.anybody(
        "OPTIONS",
        "/Missing()",
        "",
        line("Origin", origin),
        line("Access-Control-Request-Method", method),
        line("Access-Control-Request-Headers", headers));
  }

  private static String line(String name, String value) {
    return value.isEmpty() ? "x-none: x" : name + ": " + value;
  }

  private static void rules(String rules) {
    String body = "<StorageServiceProperties><Cors>" + rules + "</Cors></StorageServiceProperties>";
    Answer answer = server.owner("PUT", "/?restype=service&comp=properties", body);
    assertThat(answer.status()).isEqualTo(202);
  }

  private static String rule(
      String methods, String origins, String allowed, String exposed, int seconds) {
    return "<CorsRule><AllowedMethods>"
        + methods
        + "</AllowedMethods><AllowedOrigins>"
        + origins
        + "</AllowedOrigins><AllowedHeaders>"
        + allowed
        + "</AllowedHeaders><ExposedHeaders>"
        + exposed
        + "</ExposedHeaders><MaxAgeInSeconds>"
        + seconds
        + "</MaxAgeInSeconds></CorsRule>";
  }
}
