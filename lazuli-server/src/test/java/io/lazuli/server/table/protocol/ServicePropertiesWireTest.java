package io.lazuli.server.table.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Service properties and statistics on the wire (table-rest 6.6 and 6.7). */
class ServicePropertiesWireTest {
  private static final String PATH = "/?restype=service&comp=properties";
  private static final String ROOT =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?><StorageServiceProperties>%s"
          + "</StorageServiceProperties>";
  private static final String LOGGING =
      "<Logging><Version>1.0</Version><Read>false</Read><Write>false</Write><Delete>false</Delete>"
          + "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></Logging>";
  private static final String HOURS =
      "<HourMetrics><Version>1.0</Version><Enabled>false</Enabled>"
          + "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></HourMetrics>";
  private static final String MINUTES =
      "<MinuteMetrics><Version>1.0</Version><Enabled>false</Enabled>"
          + "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></MinuteMetrics>";
  private static final String RULE =
      "<CorsRule><AllowedMethods>GET,PUT</AllowedMethods><AllowedOrigins>http://a.example"
          + "</AllowedOrigins><AllowedHeaders>x-ms-meta-a,x-ms-meta-b*</AllowedHeaders>"
          + "<ExposedHeaders>x-ms-*</ExposedHeaders><MaxAgeInSeconds>500</MaxAgeInSeconds>"
          + "</CorsRule>";

  private final WireServer server = new WireServer();

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @Test
  void theDefaultsAreThoseOfTheService() {
    Answer answer = server.owner("GET", PATH, "");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type")).isEqualTo("application/xml");
    assertThat(answer.header("Cache-Control")).isNull();
    assertThat(answer.body()).isEqualTo(ROOT.formatted(LOGGING + HOURS + MINUTES + "<Cors />"));
    assertThat(server.owner("GET", PATH.substring(1), "").body()).isEqualTo(answer.body());
  }

  @Test
  void propertiesComeBackInTheServicesOrder() {
    String logging =
        "<Logging><Version>2.0</Version><Read>true</Read><Write>false</Write><Delete>true</Delete>"
            + "<RetentionPolicy><Enabled>true</Enabled><Days>365</Days></RetentionPolicy></Logging>";
    String minutes =
        "<MinuteMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>true"
            + "</IncludeAPIs><RetentionPolicy><Enabled>true</Enabled><Days>1</Days>"
            + "</RetentionPolicy></MinuteMetrics>";
    assertThat(set("<Cors>" + RULE + RULE + "</Cors>" + minutes + logging).status()).isEqualTo(202);
    assertThat(properties())
        .isEqualTo(ROOT.formatted(logging + HOURS + minutes + "<Cors>" + RULE + RULE + "</Cors>"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.0", "1", "", "2.0"})
  void logsAndMetricsComeInKnownFormsOnly(String version) {
    String other = "<Version>" + version + "</Version>";
    for (String part : List.of(LOGGING, HOURS, MINUTES)) {
      boolean known = part.equals(LOGGING) && version.equals("2.0");
      assertThat(set(part.replace("<Version>1.0</Version>", other)).status())
          .isEqualTo(known ? 202 : 400);
    }
  }

  @Test
  void omittedPropertiesStay() {
    set("<Cors>" + RULE + "</Cors>");
    String hours = HOURS.replace("<Enabled>false</Enabled></Ret", "<Enabled>true</Enabled></Ret");
    assertThat(set(hours.replace("</Ret", "<Days>7</Days></Ret")).status()).isEqualTo(202);
    assertThat(properties()).contains(RULE).contains("<Days>7</Days>");
    assertThat(set("").status()).isEqualTo(202);
    assertThat(properties()).contains(RULE).contains("<Days>7</Days>");
    assertThat(set("<Cors/>").status()).isEqualTo(202);
    assertThat(properties()).contains("<Cors />").contains("<Days>7</Days>");
  }

  @Test
  void theNameOfTheMetricsBefore2013IsUnderstood() {
    String older =
        "<Metrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>false</IncludeAPIs>"
            + "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></Metrics>";
    assertThat(set(older).status()).isEqualTo(202);
    assertThat(properties()).contains(older.replace("Metrics>", "HourMetrics>"));
  }

  @Test
  void namesOfHeadersComeBeforePrefixes() {
    set("<Cors>" + RULE.replace("x-ms-meta-a,x-ms-meta-b*", "b*, x ,a*,y") + "</Cors>");
    assertThat(properties()).contains("<AllowedHeaders>x,y,b*,a*</AllowedHeaders>");
  }

  /**
   * Properties are stored as the document that the server returns, so the document must stay
   * readable.
   */
  @Test
  void aVersionThatWouldMakeThemUnreadableIsRefused() {
    for (String version : List.of("<![CDATA[" + "&".repeat(30_000) + "]]>", "v".repeat(257), "é")) {
      assertRefused(LOGGING.replace("1.0", version));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "<Days>366</Days>",
        "<Days>0</Days>",
        "<Days>x</Days>",
        "''",
      })
  void daysAreFrom1To365(String days) {
    assertRefused(
        LOGGING.replace(
            "<Enabled>false</Enabled></Ret", "<Enabled>true</Enabled>" + days + "</Ret"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<Version>1.0</Version>",
        "<Read>false</Read>",
        "<Write>false</Write>",
        "<Delete>false</Delete>",
        "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>",
        "<Enabled>false</Enabled>",
      })
  void everyChildIsRequired(String child) {
    assertThat(LOGGING).contains(child);
    assertRefused(LOGGING.replace(child, ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<AllowedMethods>GET,PUT</AllowedMethods>",
        "<AllowedOrigins>http://a.example</AllowedOrigins>",
        "<AllowedHeaders>x-ms-meta-a,x-ms-meta-b*</AllowedHeaders>",
        "<ExposedHeaders>x-ms-*</ExposedHeaders>",
        "<MaxAgeInSeconds>500</MaxAgeInSeconds>",
      })
  void aRuleHasFiveChildren(String child) {
    assertThat(RULE).contains(child);
    assertRefused("<Cors>" + RULE.replace(child, "") + "</Cors>");
  }

  @ParameterizedTest
  @CsvSource({
    "'GET,PUT','GET,FETCH'",
    "'GET,PUT',''",
    "http://a.example,''",
    "x-ms-meta-a,'a*,b*'",
    "500,-1",
    "500,soon",
    "x-ms-*,'é'",
  })
  void aRuleThatIsNoneIsRefused(String from, String to) {
    assertRefused("<Cors>" + RULE.replace(from, to) + "</Cors>");
  }

  @Test
  void theLimitsOfRules() {
    String five = RULE.repeat(5);
    assertThat(set("<Cors>" + five + "</Cors>").status()).isEqualTo(202);
    assertRefused("<Cors>" + five + RULE + "</Cors>");
    assertRefused("<Cors>" + RULE.replace("http://a.example", "o,".repeat(65)) + "</Cors>");
    assertRefused("<Cors>" + RULE.replace("x-ms-*", "h,".repeat(65)) + "</Cors>");
    assertRefused("<Cors>" + RULE.replace("x-ms-*", "h".repeat(257)) + "</Cors>");
    String long2 = ("x".repeat(250) + ",").repeat(8);
    assertRefused("<Cors>" + RULE.replace("x-ms-*", long2) + "</Cors>");
    assertThat(set("<Cors>" + RULE.replace("x-ms-*", "h,".repeat(64)) + "</Cors>").status())
        .isEqualTo(202);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<Other/>", "<StorageServiceProperties><Other/>", "x"})
  void aDocumentThatIsNoneIsRefused(String body) {
    Answer answer = server.owner("PUT", PATH, body);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains("<m:code>InvalidXmlDocument</m:code>");
    assertRefused("<Other/>");
    assertRefused("<Cors/><Cors/>");
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/MyTable?restype=service&comp=properties,400",
    "GET,/?comp=properties,400",
    "GET,/?restype=service&comp=other,400",
    "GET,/,400",
    "POST,/?restype=service&comp=properties,405",
    "PUT,/?restype=service&comp=stats,405",
  })
  void unknownResourcesOfTheService(String method, String path, int status) {
    Answer answer = server.owner(method, path, "");
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("x-ms-error-code"))
        .isEqualTo(status == 400 ? "InvalidQueryParameterValue" : "MethodNotAllowed");
  }

  @Test
  void theCopyIsLive() {
    Answer answer = server.owner("GET", "/?restype=service&comp=stats", "");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type")).isEqualTo("application/xml");
    String head =
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><StorageServiceStats><GeoReplication>"
            + "<Status>live</Status><LastSyncTime>";
    String tail = "</LastSyncTime></GeoReplication></StorageServiceStats>";
    assertThat(answer.body()).startsWith(head).endsWith(tail);
    String time = answer.body().substring(head.length(), answer.body().length() - tail.length());
    assertThat(HttpDate.parse(time)).isAfter(Instant.now().minus(Duration.ofMinutes(1)));
  }

  @Test
  void anAccountSignatureForTheServiceReadsProperties() {
    String token = WireServer.accountToken("sco", "r");
    assertThat(server.holder(token, "GET", PATH, "").status()).isEqualTo(200);
    assertThat(server.holder(token, "PUT", PATH, ROOT.formatted("")).header("x-ms-error-code"))
        .isEqualTo("AuthorizationPermissionMismatch");
    String objects = WireServer.accountToken("co", "rw");
    assertThat(server.holder(objects, "GET", PATH, "").header("x-ms-error-code"))
        .isEqualTo("AuthorizationResourceTypeMismatch");
  }

  private Answer set(String content) {
    return server.owner("PUT", PATH, ROOT.formatted(content));
  }

  private void assertRefused(String content) {
    Answer answer = set(content);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.header("x-ms-error-code")).isEqualTo("InvalidXmlDocument");
    assertThat(answer.body()).contains("XML specified is not syntactically valid.");
  }

  private String properties() {
    return server.owner("GET", PATH, "").body();
  }
}
