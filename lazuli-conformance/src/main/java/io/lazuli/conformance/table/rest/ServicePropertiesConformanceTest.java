package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.support.Patience.eventually;
import static io.lazuli.conformance.wire.AccountProperties.rule;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Service properties and statistics: which settings are kept, which are refused, and where they are
 * read.
 */
@Covers(Area.OPERATIONS)
@Differs("Azurite 3.37.0 writes them in another order and checks few limits")
@ResourceLock(AccountProperties.LOCK)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServicePropertiesConformanceTest {

  private static final String OFF = "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>";
  private static final String LOGGING =
      "<Logging><Version>1.0</Version><Read>true</Read><Write>false</Write><Delete>true</Delete>"
          + "<RetentionPolicy><Enabled>true</Enabled><Days>5</Days></RetentionPolicy></Logging>";
  private static final String HOURS =
      "<HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs>"
          + "<RetentionPolicy><Enabled>true</Enabled><Days>7</Days></RetentionPolicy>"
          + "</HourMetrics>";
  private static final String MINUTES =
      "<MinuteMetrics><Version>1.0</Version><Enabled>false</Enabled>" + OFF + "</MinuteMetrics>";
  private static final String RULE =
      rule("GET,PUT", "http://a.example", "x-ms-meta-a,x-ms-meta-b*", "x-ms-*", 500);
  private static final String STATS = "/?restype=service&comp=stats";

  private final WireClient wire = ScratchTable.sharedWire();
  private final AccountProperties properties =
      AccountProperties.remember(ScratchTable.sharedWire());

  @BeforeAll
  void startFromKnownSettings() {
    expect(properties.set(LOGGING + HOURS + MINUTES + "<Cors/>")).status(202);
  }

  @AfterAll
  void restore() {
    properties.restore();
  }

  private void expectKept(String... elements) {
    eventually(() -> assertThat(properties.read()).contains(elements));
  }

  private void expectSet(String elements) {
    expect(properties.set(elements)).status(202).emptyBody();
  }

  private void expectInvalid(String elements) {
    expect(properties.set(elements))
        .error(400, "InvalidXmlDocument", "XML specified is not syntactically valid.")
        .header("Content-Type", "application/xml")
        .header("x-ms-error-code", "InvalidXmlDocument");
  }

  @Test
  @Documented("table-rest 6.6, 15 properties: the service decides the order of elements")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void propertiesComeBackInTheServicesOrder() {
    expectSet("<Cors>" + RULE + "</Cors>" + MINUTES + HOURS + LOGGING);
    String whole = LOGGING + HOURS + MINUTES + "<Cors>" + RULE + "</Cors>";
    expectKept("<StorageServiceProperties>" + whole + "</StorageServiceProperties>");
    expect(wire.get(AccountProperties.RESOURCE).send())
        .header("Content-Type", "application/xml")
        .lacksHeader("Cache-Control");
    expectSet("<Cors/>");
    expectKept(LOGGING, HOURS, MINUTES, "<Cors />");
  }

  @Test
  @Documented("table-rest 6.6: a missing root element keeps the stored setting")
  void omittedPropertiesStay() {
    expectSet(LOGGING + HOURS + MINUTES + "<Cors>" + RULE + "</Cors>");
    String quiet = LOGGING.replace("true</Read>", "false</Read>");
    expectSet(quiet);
    expectKept(quiet, HOURS, MINUTES, "<Cors>" + RULE + "</Cors>");
    expectSet("");
    expectKept(quiet, HOURS, MINUTES, "<Cors>" + RULE + "</Cors>");
    expectSet(LOGGING + "<Cors></Cors>");
    expectKept(LOGGING, HOURS, MINUTES, "<Cors />");
  }

  @Test
  @Documented("table-rest 6.6: IncludeAPIs only when metrics are enabled, Days only with retention")
  void disabledPartsAreOmitted() {
    String on =
        MINUTES.replace(
            "false</Enabled><Ret", "true</Enabled><IncludeAPIs>false</IncludeAPIs><Ret");
    expectSet(on);
    expectKept(LOGGING, HOURS, on, "<Cors />");
    expectSet(MINUTES);
    expectKept(LOGGING, HOURS, MINUTES, "<Cors />");
  }

  @Test
  @Documented("table-rest 6.6: child order is free")
  void theOrderOfChildrenIsFree() {
    expectSet(
        "<Logging><RetentionPolicy><Days>5</Days><Enabled>true</Enabled></RetentionPolicy>"
            + "<Delete>true</Delete><Write>false</Write><Read>true</Read><Version>1.0</Version>"
            + "</Logging>");
    expectKept(LOGGING, HOURS, MINUTES, "<Cors />");
  }

  @Test
  @Documented("table-rest 6.6: literal names before the prefixed ones")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void namesOfHeadersComeBeforePrefixes() {
    expectSet("<Cors>" + rule("GET", "http://a.example", "x-ms-b*,x-ms-a", "y*,x", 1) + "</Cors>");
    String sorted = rule("GET", "http://a.example", "x-ms-a,x-ms-b*", "x,y*", 1);
    expectKept(LOGGING, HOURS, MINUTES, "<Cors>" + sorted + "</Cors>");
    expectSet("<Cors/>");
  }

  @Test
  @Documented("table-rest 6.6: the name of versions before 2013-08-15")
  void metricsOfOldVersionsAreThoseOfHours() {
    String changed = HOURS.replace("<Days>7", "<Days>9");
    WireAnswer answer =
        wire.request("PUT", AccountProperties.RESOURCE)
            .header("Content-Type", "application/xml")
            .header("x-ms-version", "2012-02-12")
            .body(
                "<StorageServiceProperties>"
                    + LOGGING
                    + changed.replace("HourMetrics", "Metrics")
                    + "</StorageServiceProperties>")
            .send();
    expect(answer).status(202);
    expectKept(LOGGING, changed, MINUTES, "<Cors />");
    expectSet(HOURS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<Version>1.0</Version>",
        "<Read>true</Read>",
        "<Write>false</Write>",
        "<Delete>true</Delete>",
        "<RetentionPolicy><Enabled>true</Enabled><Days>5</Days></RetentionPolicy>",
        "<Enabled>true</Enabled>",
        "<Days>5</Days>"
      })
  @Documented("table-rest 6.6: inside a root element every child is required")
  void loggingHasAllItsChildren(String child) {
    expectInvalid(LOGGING.replace(child, ""));
    expectKept(LOGGING, HOURS, MINUTES, "<Cors />");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<Version>1.0</Version>",
        "<Enabled>true</Enabled><IncludeAPIs>",
        "<IncludeAPIs>true</IncludeAPIs>",
        "<RetentionPolicy><Enabled>true</Enabled><Days>7</Days></RetentionPolicy>"
      })
  @Documented("table-rest 6.6: inside a root element every child is required")
  void metricsHaveAllTheirChildren(String child) {
    expectInvalid(HOURS.replace(child, child.endsWith("<IncludeAPIs>") ? "<IncludeAPIs>" : ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "AllowedMethods",
        "AllowedOrigins",
        "AllowedHeaders",
        "ExposedHeaders",
        "MaxAgeInSeconds"
      })
  @Covers(Area.CORS)
  @Documented("table-rest 6.6: a CORS rule needs all five children")
  void aRuleHasAllItsChildren(String child) {
    expectInvalid("<Cors>" + RULE.replaceAll("<" + child + ">.*</" + child + ">", "") + "</Cors>");
  }

  @ParameterizedTest
  @CsvSource({"1, true", "365, true", "0, false", "366, false", "-1, false", "x, false"})
  @Covers(Area.LIMITS)
  @Documented("table-rest 6.6, 15 properties: 366 days")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void daysAreOneTo365(String days, boolean accepted) {
    String logging = LOGGING.replace("<Days>5", "<Days>" + days);
    if (accepted) {
      expectSet(logging);
      expectKept(logging, HOURS, MINUTES, "<Cors />");
      expectSet(LOGGING);
    } else {
      expectInvalid(logging);
    }
  }

  @Test
  @Covers(Area.CORS)
  @Documented("table-rest 5.4, 6.6, 10, 15 properties: six CORS rules")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void fiveRulesAreTheMost() {
    expectSet("<Cors>" + RULE.repeat(5) + "</Cors>");
    expectInvalid("<Cors>" + RULE.repeat(6) + "</Cors>");
    expectKept(LOGGING, HOURS, MINUTES, "<Cors>" + RULE.repeat(5) + "</Cors>");
    expectSet("<Cors/>");
  }

  private static String many(int count, String item) {
    return IntStream.range(0, count)
        .mapToObj(i -> item.formatted(i))
        .collect(Collectors.joining(","));
  }

  @ParameterizedTest
  @CsvSource({"64, true", "65, false"})
  @Covers(Area.CORS)
  @Documented("table-rest 10: 64 origins per rule")
  void aRuleHas64Origins(int count, boolean accepted) {
    expectRule(rule("GET", many(count, "http://o%d.example"), "x-a", "x-b", 1), accepted);
  }

  @ParameterizedTest
  @CsvSource({
    "*, true",
    "http://*.contoso.com, true",
    "https://*.contoso.com:8443, true",
    "*.contoso.com, false",
    "http://*, false",
    "http://a*.contoso.com, false",
    "http://a.*.contoso.com, false",
    "http://*.*.contoso.com, false",
    "http://*.contoso.com:*, false",
    "ftp://*.contoso.com, false"
  })
  @Covers(Area.CORS)
  @Documented(
      "table-rest 10; blob-features 10.2: A12; MicrosoftDocs/azure-docs#117277: a wildcard is at the"
          + " top level, after http:// or https://")
  void aWildcardIsTheFirstLabelOfAnOrigin(String origin, boolean accepted) {
    expectRule(rule("GET", origin, "x-a", "x-b", 1), accepted);
  }

  @ParameterizedTest
  @CsvSource({"256, true", "257, false"})
  @Covers(Area.CORS)
  @Documented("table-rest 10: each at most 256 characters")
  void namesHave256Characters(int length, boolean accepted) {
    String origin = "http://" + "o".repeat(length - "http://".length());
    expectRule(rule("GET", origin, "x-a", "x-b", 1), accepted);
    expectRule(rule("GET", "http://a", "h".repeat(length), "x-b", 1), accepted);
    expectRule(rule("GET", "http://a", "x-a", "h".repeat(length), 1), accepted);
  }

  @ParameterizedTest
  @CsvSource({"64, 2, true", "65, 0, false", "0, 3, false"})
  @Covers(Area.CORS)
  @Documented("table-rest 10: 64 literal and 2 prefixed headers per list")
  void aListHas64LiteralAnd2PrefixedHeaders(int literal, int prefixed, boolean accepted) {
    String comma = literal > 0 && prefixed > 0 ? "," : "";
    String headers = many(literal, "h%d") + comma + many(prefixed, "p%d*");
    expectRule(rule("GET", "http://a", headers, "x-b", 1), accepted);
    expectRule(rule("GET", "http://a", "x-a", headers, 1), accepted);
  }

  @ParameterizedTest
  @CsvSource({"6, true", "9, false"})
  @Covers(Area.CORS)
  @Documented("table-rest 10: all settings without tags have at most 2 KiB")
  void allRulesHaveTwoKibibytes(int origins, boolean accepted) {
    expectRule(
        rule("GET", many(origins, "http://o%d." + "x".repeat(230)), "x-a", "x-b", 1), accepted);
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELETE", "GET", "HEAD", "MERGE", "POST", "OPTIONS", "PUT", "PATCH"})
  @Covers(Area.CORS)
  @Documented("table-rest 10: allowed methods; PATCH too")
  void methodsOfARule(String method) {
    expectRule(rule(method, "http://a", "x-a", "x-b", 1), true);
    expectRule(rule("FETCH," + method, "http://a", "x-a", "x-b", 1), false);
  }

  @Test
  @Covers(Area.CORS)
  @Documented("table-rest 10: lists of headers may be empty")
  void aRuleMayAllowAndExposeNothing() {
    expectRule(rule("GET", "http://a", "", "", 0), true);
  }

  private void expectRule(String rule, boolean accepted) {
    if (accepted) {
      expectSet("<Cors>" + rule + "</Cors>");
      expectSet("<Cors/>");
    } else {
      expectInvalid("<Cors>" + rule + "</Cors>");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"<Other/>", "<Cors><Other/></Cors>", "<Cors/><Cors/>", "<Logging/>", "<"})
  @Covers(Area.ERRORS)
  @Documented("table-rest 6.6, 9.2")
  void aDocumentThatIsNoneIsInvalidXml(String elements) {
    expectInvalid(elements);
    expectKept(LOGGING, HOURS, MINUTES, "<Cors />");
  }

  @ParameterizedTest
  @CsvSource({
    "/%s?restype=service&comp=properties",
    "/%s?restype=service&comp=stats",
    "/?comp=properties"
  })
  @Covers(Area.ERRORS)
  @Documented("table-rest 6.6, 9.2: on a path that is not the root, or without restype")
  void thePropertiesAreAtTheRootAlone(String resource) {
    expect(wire.get(resource.formatted(ScratchTable.freshName())).send())
        .error(
            400,
            "InvalidQueryParameterValue",
            "Value for one of the query parameters specified in the request URI is invalid.")
        .header("Content-Type", "application/xml")
        .header("x-ms-error-code", "InvalidQueryParameterValue");
  }

  @Test
  @Documented("table-rest 2.2: the slash may be missing in path style")
  void theSlashOfTheRootMayBeMissing() {
    String target = wire.account().isPathStyle() ? wire.account().pathPrefix() : "/";
    String query = AccountProperties.RESOURCE.substring(1);
    expect(wire.requestTarget("GET", target + query).send()).status(200);
  }

  @Test
  @Documented("table-rest 6.7")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void statisticsAreOnTheSecondaryAddress() {
    WireClient secondary = new WireClient(wire.account().secondary());
    WireAnswer answer = secondary.get(STATS).send();
    expect(answer).status(200).header("Content-Type", "application/xml");
    expectStats(answer.xml());
  }

  @Test
  @Documented("table-rest 6.7: emulator clients call it on the primary, do: answer")
  @Differs("Azure answers 400 InvalidQueryParameterValue")
  void statisticsAreOnThePrimaryAddressToo() {
    WireAnswer answer = wire.get(STATS).send();
    expect(answer).status(200);
    expectStats(answer.xml());
  }

  private void expectStats(String xml) {
    assertThat(xml)
        .matches(
            "<StorageServiceStats><GeoReplication><Status>(live|bootstrap|unavailable)</Status>"
                + "<LastSyncTime( />|>.*</LastSyncTime>)</GeoReplication></StorageServiceStats>");
    if (xml.contains("live")) {
      String time = xml.replaceAll(".*<LastSyncTime>|</LastSyncTime>.*", "");
      assertThat(ZonedDateTime.parse(time, DateTimeFormatter.RFC_1123_DATE_TIME))
          .isAfter(ZonedDateTime.now(ZoneOffset.UTC).minus(Duration.ofDays(1)));
    }
  }
}
