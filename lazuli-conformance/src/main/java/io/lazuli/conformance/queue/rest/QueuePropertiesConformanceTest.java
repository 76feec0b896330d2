package io.lazuli.conformance.queue.rest;

import static io.lazuli.conformance.support.Patience.eventually;
import static io.lazuli.conformance.wire.AccountProperties.rule;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Service properties and statistics of the queue service. */
@Covers(value = Area.OPERATIONS, service = StorageService.QUEUE)
@Differs("Azurite 3.37.0 writes them in another order and checks few limits")
@ResourceLock(AccountProperties.LOCK)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueuePropertiesConformanceTest {

  private static final String LOGGING =
      "<Logging><Version>1.0</Version><Read>false</Read><Write>true</Write><Delete>true</Delete>"
          + "<RetentionPolicy><Enabled>true</Enabled><Days>3</Days></RetentionPolicy></Logging>";
  private static final String HOURS =
      "<HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs>"
          + "<RetentionPolicy><Enabled>true</Enabled><Days>7</Days></RetentionPolicy>"
          + "</HourMetrics>";
  private static final String MINUTES =
      "<MinuteMetrics><Version>1.0</Version><Enabled>false</Enabled><RetentionPolicy><Enabled>false"
          + "</Enabled></RetentionPolicy></MinuteMetrics>";
  private static final String RULE =
      rule("GET,PUT", "http://a.example", "content-type,x-ms-meta-data*", "x-ms-*", 500);
  private static final String STATS = "/?restype=service&comp=stats";

  private final WireClient wire = ScratchQueue.sharedWire();
  private final AccountProperties properties = AccountProperties.remember(wire);

  @BeforeAll
  void startFromKnownSettings() {
    expect(properties.set(LOGGING + HOURS + MINUTES + "<Cors/>")).status(202).emptyBody();
  }

  @AfterAll
  void restore() {
    properties.restore();
  }

  private void expectKept(String... elements) {
    eventually(() -> assertThat(properties.read()).contains(elements));
  }

  private WireAnswer expectInvalid(String elements) {
    WireAnswer answer = properties.set(elements);
    expect(answer).error(400, "InvalidXmlDocument", "XML specified is not syntactically valid.");
    return answer;
  }

  @Test
  @Documented("queue-rest 4.2, 14 properties")
  void propertiesComeBack() {
    expect(properties.set("<Cors>" + RULE + "</Cors>" + MINUTES + HOURS + LOGGING)).status(202);
    expectKept(LOGGING, HOURS, MINUTES, "<Cors>" + RULE + "</Cors>");
    expect(wire.get(AccountProperties.RESOURCE).send())
        .status(200)
        .header("Content-Type", "application/xml");
    expect(properties.set("<Cors />")).status(202);
    expectKept(LOGGING, HOURS, MINUTES, "<Cors />");
  }

  @Test
  @Documented("queue-rest 4.2, 14 properties: partial update, as Python sends it")
  void omittedPropertiesStay() {
    String quiet = LOGGING.replace("true</Write>", "false</Write>");
    expect(properties.set(quiet)).status(202);
    expectKept(quiet, HOURS, MINUTES);
    expect(properties.set("<Cors>" + RULE + "</Cors>")).status(202);
    expectKept(quiet, HOURS, MINUTES, RULE);
    expect(properties.set(LOGGING + "<Cors/>")).status(202);
    expectKept(LOGGING, HOURS, MINUTES, "<Cors />");
  }

  @Test
  @Covers(Area.ERRORS)
  @Documented("queue-rest 4.2: without any child element")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void nothingToSetIsRefused() {
    expectInvalid("");
    expectKept(LOGGING, HOURS, MINUTES, "<Cors />");
  }

  @ParameterizedTest
  @CsvSource({"1, true", "365, true", "0, false", "366, false", "-1, false", "x, false"})
  @Covers(Area.LIMITS)
  @Documented("queue-rest 4.2, 14 properties: retention 0 and 366")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void daysAreOneTo365(String days, boolean good) {
    String logging = LOGGING.replace("<Days>3", "<Days>" + days);
    if (good) {
      expect(properties.set(logging)).status(202);
      expectKept(logging);
      expect(properties.set(LOGGING)).status(202);
    } else {
      WireAnswer answer = expectInvalid(logging);
      if (!days.equals("x")) {
        assertThat(answer.xml())
            .contains(
                "<Reason>Retention days must be greater than 0 and less than or equal to 365 days."
                    + "</Reason>");
      }
    }
  }

  @Test
  @Covers(Area.CORS)
  @Documented("queue-rest 4.2, 14 properties: six CORS rules")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void fiveRulesAreTheMost() {
    expect(properties.set("<Cors>" + RULE.repeat(5) + "</Cors>")).status(202);
    WireAnswer answer = expectInvalid("<Cors>" + RULE.repeat(6) + "</Cors>");
    assertThat(answer.xml())
        .endsWith("<LineNumber>0</LineNumber><LinePosition>0</LinePosition><Reason /></Error>");
    expect(properties.set("<Cors/>")).status(202);
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
  @Documented("queue-rest 4.2: all five children required in each rule")
  void aRuleHasAllItsChildren(String child) {
    expectInvalid("<Cors>" + RULE.replaceAll("<" + child + ">.*</" + child + ">", "") + "</Cors>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<IncludeAPIs>true</IncludeAPIs>",
        "<Version>1.0</Version>",
        "<RetentionPolicy><Enabled>true</Enabled><Days>7</Days></RetentionPolicy>"
      })
  @Covers(Area.ERRORS)
  @Documented("queue-rest 4.2: IncludeAPIs required when metrics are enabled")
  void metricsHaveAllTheirChildren(String child) {
    expectInvalid(HOURS.replace(child, ""));
  }

  @Test
  @Documented("queue-rest 4.3: on the secondary")
  void statisticsAreOnTheSecondaryAddress() {
    expectStats(new WireClient(wire.account().secondary()).get(STATS).send());
  }

  @Test
  @Documented(
      "queue-rest 4.3: in path style SDKs ask the primary; in host style the primary refuses")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void statisticsOnThePrimaryAddressDependOnItsStyle() {
    WireAnswer answer = wire.get(STATS).send();
    if (wire.account().isPathStyle()) {
      expectStats(answer);
    } else {
      expect(answer).error(400, "InvalidQueryParameterValue");
    }
  }

  private static void expectStats(WireAnswer answer) {
    expect(answer).status(200).header("Content-Type", "application/xml");
    assertThat(answer.xml())
        .matches(
            "<StorageServiceStats><GeoReplication><Status>(live|bootstrap|unavailable)</Status>"
                + "<LastSyncTime( />|>\\w{3}, .* GMT</LastSyncTime>)</GeoReplication>"
                + "</StorageServiceStats>");
  }
}
