package io.lazuli.conformance.queue.rest;

import static io.lazuli.conformance.support.Patience.eventually;
import static io.lazuli.conformance.wire.AccountProperties.rule;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cross-origin requests: queue-rest 2.8. */
@Covers(value = Area.CORS, service = StorageService.QUEUE)
@Differs("Azurite 3.37.0 returns the origin where the rule allows any")
@ResourceLock(AccountProperties.LOCK)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueCorsConformanceTest {

  private static final String A = "http://a.example";
  private static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";
  private static final String CREDENTIALS = "Access-Control-Allow-Credentials";
  private static final String EXPOSE = "Access-Control-Expose-Headers";
  private static final String EXACT =
      rule("GET,PUT", "http://a.example,http://b.example", "x-ms-meta-a,x-ms-b*", "x-ms-*", 500);
  private static final String ANY = rule("GET,POST", "*", "*", "x-ms-request-id", 60);

  private final ScratchQueue queue = ScratchQueue.create();
  private final AccountProperties properties = AccountProperties.remember(queue.wire());
  private String current = "unknown";

  @AfterAll
  void restore() {
    properties.restore();
  }

  private void rules(String name) {
    if (!name.equals(current)) {
      String rules =
          switch (name) {
            case "none" -> "";
            case "exact" -> EXACT;
            case "any" -> ANY;
            case "wildcard" -> rule("GET", "http://*.contoso.com", "x-ms-*", "x-ms-*", 200);
            default -> EXACT + ANY;
          };
      expect(properties.set("<Cors>" + rules + "</Cors>")).status(202);
      current = name;
    }
  }

  private WireAnswer preflight(
      String path, @Nullable String origin, @Nullable String method, @Nullable String headers) {
    return queue.wire().preflight(path, origin, method, headers);
  }

  @ParameterizedTest
  @CsvSource({"http://a.example,", ",GET", ","})
  @Documented(
      "queue-rest 2.8: Origin or Access-Control-Request-Method missing, message of the emulator")
  void aPreflightNeedsItsHeaders(@Nullable String origin, @Nullable String method) {
    rules("any");
    expect(preflight(queue.path(), origin, method, null))
        .error(400, "InvalidHeaderValue", "A required CORS header is not present.");
  }

  @ParameterizedTest
  @CsvSource({
    "none, http://a.example, GET,",
    "exact, http://c.example, GET,",
    "exact, HTTP://A.EXAMPLE, GET,",
    "exact, http://a.example, DELETE,",
    "exact, http://a.example, GET, x-ms-meta-c",
    "exact, http://a.example, GET, 'x-ms-meta-a,other'",
    "both, http://a.example, GET, other",
    "wildcard, http://contoso.com, GET,",
    "wildcard, https://www.contoso.com, GET,"
  })
  @Documented("queue-rest 2.8, 14 CORS: no rule, or one that does not allow the headers")
  void aPreflightThatNoRuleAllowsFails(
      String rules, String origin, String method, @Nullable String headers) {
    rules(rules);
    eventually(
        () ->
            expect(preflight(queue.path(), origin, method, headers))
                .error(
                    403,
                    "CorsPreflightFailure",
                    "CORS not enabled or no matching rule found for this request.")
                .lacksHeader(ALLOW_ORIGIN));
  }

  @ParameterizedTest
  @CsvSource({
    "exact, http://a.example, GET, , 500",
    "wildcard, http://www.contoso.com, GET, x-ms-date, 200",
    "exact, http://b.example, PUT, 'X-MS-Meta-A,x-ms-bcd', 500",
    "both, http://a.example, GET, x-ms-meta-a, 500"
  })
  @Documented("queue-rest 2.8, 14 CORS; blob-features 10.2: exact match, and A12 for the wildcard")
  void aPreflightThatARuleAllowsPasses(
      String rules, String origin, String method, @Nullable String headers, String age) {
    rules(rules);
    eventually(
        () -> {
          WireAnswer answer = preflight(queue.messages(""), origin, method, headers);
          expect(answer)
              .status(200)
              .emptyBody()
              .header(ALLOW_ORIGIN, origin)
              .header("Access-Control-Allow-Methods", method)
              .header("Access-Control-Max-Age", age)
              .header(CREDENTIALS, "true");
          if (headers != null) {
            expect(answer).header("Access-Control-Allow-Headers", headers);
          }
        });
  }

  @ParameterizedTest
  @CsvSource({
    "any, http://z.example, POST, anything, /",
    "both, http://c.example, GET, other, /none/messages",
    "both, http://a.example, POST, other, /none/messages/x"
  })
  @Documented("queue-rest 2.8, 14 CORS: * if the rule says *, on any path, without authentication")
  void aRuleForAnyOriginIsAnsweredWithAStar(
      String rules, String origin, String method, String headers, String path) {
    rules(rules);
    eventually(
        () ->
            expect(preflight(path, origin, method, headers))
                .status(200)
                .header(ALLOW_ORIGIN, "*")
                .header("Access-Control-Max-Age", "60"));
  }

  /** The seven rows of the table, then another verb, whose answers never have Vary. */
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
        "PUT, http://a.example, exact, -, http://a.example",
        "PUT, http://c.localhost, exact, -, -"
      })
  @Documented("queue-rest 2.8, 14 CORS: Vary and the allow headers")
  void answersAreMarked(
      String method,
      @Nullable String origin,
      String rules,
      @Nullable String vary,
      @Nullable String allowed) {
    rules(rules);
    eventually(
        () -> {
          WireRequest request = queue.wire().request(method, queue.path() + "?comp=metadata");
          if (origin != null) {
            request.header("Origin", origin);
          }
          WireAnswer answer = request.send();
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

  @Test
  @Documented("queue-rest 2.8, 14 CORS: the headers that match")
  void exposedPrefixesAreWrittenOut() {
    rules("exact");
    eventually(
        () -> {
          WireAnswer answer = queue.metadata().header("Origin", A).send();
          assertThat(answer.header(EXPOSE).orElse("").split(",", -1))
              .as(answer.toString())
              .contains("x-ms-request-id", "x-ms-version", "x-ms-approximate-messages-count");
          assertThat(answer.header(EXPOSE).orElse("")).doesNotContain("*");
        });
  }

  @Test
  @Documented("queue-rest 2.8: a page must be able to read why its request was refused")
  void refusalsAreMarkedToo() {
    rules("exact");
    eventually(
        () ->
            expect(queue.wire().get("/none-at-all?comp=metadata").header("Origin", A).send())
                .error(404, "QueueNotFound")
                .header(ALLOW_ORIGIN, A)
                .header("Vary", "Origin"));
  }
}
