package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.support.Patience;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.XmlElement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The service as a whole: its properties, the account, and cross-origin requests. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
@ResourceLock(AccountProperties.LOCK)
class BlobServiceConformanceTest {

  private final ScratchContainer container = ScratchContainer.create();
  private final AccountProperties properties = AccountProperties.remember(container.wire());

  @AfterEach
  void restore() {
    properties.restore();
  }

  private XmlElement read() {
    return XmlElement.rootOf(container.wire().get(AccountProperties.RESOURCE).send());
  }

  @Test
  @Documented("blob-rest 8.2: the elements of the properties")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void theElementsOfTheProperties() {
    List<String> names = new ArrayList<>(read().names());
    names.remove("DefaultServiceVersion");
    assertThat(names)
        .containsExactly(
            "Logging",
            "HourMetrics",
            "MinuteMetrics",
            "Cors",
            "DeleteRetentionPolicy",
            "StaticWebsite");
    assertThat(read().child("StaticWebsite").text("Enabled")).isEqualTo("false");
    assertThat(read().child("DeleteRetentionPolicy").text("Enabled")).isEqualTo("false");
  }

  @Test
  @Documented(
      "blob-rest 8.2; queue-rest 4.2: settings are kept, and settings that are not sent stay")
  void propertiesAreKept() {
    String logging =
        "<Logging><Version>1.0</Version><Delete>true</Delete><Read>false</Read><Write>true</Write>"
            + "<RetentionPolicy><Enabled>true</Enabled><Days>7</Days></RetentionPolicy></Logging>";
    expect(properties.set(logging)).status(202);
    String metrics =
        "<MinuteMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>true"
            + "</IncludeAPIs><RetentionPolicy><Enabled>true</Enabled><Days>3</Days>"
            + "</RetentionPolicy></MinuteMetrics>";
    expect(properties.set(metrics + "<DefaultServiceVersion>2021-08-06</DefaultServiceVersion>"))
        .status(202);
    Patience.eventually(
        () -> {
          assertThat(read().child("Logging").text("Delete")).isEqualTo("true");
          assertThat(read().child("Logging").child("RetentionPolicy").text("Days")).isEqualTo("7");
          assertThat(read().child("MinuteMetrics").text("IncludeAPIs")).isEqualTo("true");
          assertThat(read().text("DefaultServiceVersion")).isEqualTo("2021-08-06");
        });
  }

  @Test
  @Documented("blob-rest 8.2: the default version is the version of requests that name none")
  @Differs("Azurite 3.37.0 keeps it, but does not use it")
  void aRequestWithoutAVersionHasTheDefaultOne() {
    String version = "2020-10-02";
    expect(properties.set("<DefaultServiceVersion>" + version + "</DefaultServiceVersion>"))
        .status(202);
    Patience.eventually(
        () ->
            assertThat(
                    container
                        .wire()
                        .get(AccountProperties.RESOURCE)
                        .without("x-ms-version")
                        .send()
                        .header("x-ms-version"))
                .hasValue(version));
  }

  @Test
  @Documented("blob-features 4.2: a website is switched on and off, and has a container")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020")
  void aWebsiteIsSwitchedOnAndOff() {
    expect(
            properties.set(
                "<StaticWebsite><Enabled>true</Enabled><IndexDocument>index.html</IndexDocument>"
                    + "<ErrorDocument404Path>errors/404.html</ErrorDocument404Path>"
                    + "</StaticWebsite>"))
        .status(202);
    Patience.eventually(
        () -> {
          XmlElement website = read().child("StaticWebsite");
          assertThat(website.text("Enabled")).isEqualTo("true");
          assertThat(website.text("IndexDocument")).isEqualTo("index.html");
          assertThat(website.text("ErrorDocument404Path")).isEqualTo("errors/404.html");
        });
    ScratchContainer web = new ScratchContainer(container.wire(), "$web");
    refused(web.on("PUT", "").send(), 409, "ContainerAlreadyExists");
    expect(properties.set("<StaticWebsite><Enabled>false</Enabled></StaticWebsite>")).status(202);
    Patience.eventually(
        () -> assertThat(read().child("StaticWebsite").names()).containsExactly("Enabled"));
    expect(web.list("").send()).status(200);
  }

  @Test
  @Documented("blob-features 4.2: Enabled alone is legal, two index documents are not")
  void aWebsiteHasOneIndexDocument() {
    expect(properties.set("<StaticWebsite><Enabled>true</Enabled></StaticWebsite>")).status(202);
    refused(
        properties.set(
            "<StaticWebsite><Enabled>true</Enabled><IndexDocument>a</IndexDocument>"
                + "<DefaultIndexDocumentPath>b</DefaultIndexDocumentPath></StaticWebsite>"),
        400,
        "InvalidXmlDocument");
  }

  @Test
  @Documented("blob-rest 8.2; queue-rest 4.2: a body that is not valid")
  void aBodyMustBeProperties() {
    refused(
        container.wire().request("PUT", AccountProperties.RESOURCE).body("<Storage").send(),
        400,
        "InvalidXmlDocument");
  }

  @Test
  @Documented("blob-rest 8.3; queue-rest 4.3: statistics, in path style")
  void aServiceTellsHowItsCopyIs() {
    WireAnswer answer = container.wire().get("/?restype=service&comp=stats").send();
    if (container.wire().account().isPathStyle()) {
      expect(answer).status(200);
      assertThat(XmlElement.rootOf(answer).child("GeoReplication").text("Status"))
          .isEqualTo("live");
    } else {
      refused(answer, 400, "InvalidQueryParameterValue");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  @Documented("blob-rest 8.4: the account is described at any path")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void theAccountIsDescribedAnywhere(String verb) {
    String query = "?restype=account&comp=properties";
    for (String path : List.of("/", container.path(), "/none0815", container.path("none"))) {
      expect(container.wire().request(verb, path + query).send())
          .status(200)
          .header("x-ms-sku-name", "Standard_LRS")
          .header("x-ms-account-kind", "StorageV2")
          .header("x-ms-is-hns-enabled", "false")
          .emptyBody();
    }
  }

  @Test
  @Covers(Area.CORS)
  @Documented("blob-rest 3; queue-rest 2.8: preflights and cross-origin requests")
  void pagesOfOtherOriginsMayCall() {
    expect(
            properties.set(
                "<Cors>"
                    + AccountProperties.rule("GET,PUT", "http://a.example", "x-ms-*", "x-ms-*", 60)
                    + "</Cors>"))
        .status(202);
    container.stored("b", "x");
    Patience.eventually(
        () ->
            expect(preflight("http://a.example", "PUT"))
                .status(200)
                .header("Access-Control-Allow-Origin", "http://a.example")
                .header("Access-Control-Allow-Methods", "PUT")
                .header("Access-Control-Max-Age", "60"));
    expect(preflight("http://b.example", "PUT")).status(403);
    expect(preflight("http://a.example", "DELETE")).status(403);
    WireAnswer answer = container.get("b").header("Origin", "http://a.example").send();
    expect(answer)
        .status(200)
        .header("Access-Control-Allow-Origin", "http://a.example")
        .hasHeader("Access-Control-Expose-Headers");
    expect(container.get("b").header("Origin", "http://b.example").send())
        .status(200)
        .lacksHeader("Access-Control-Allow-Origin");
  }

  @Test
  @Covers(Area.CORS)
  @Documented("queue-rest 2.8; blob-features 10.2: A12, a wildcard stands for sub-domains")
  void pagesOfSubDomainsMayCall() {
    String rule = AccountProperties.rule("GET", "http://*.contoso.com", "x-ms-*", "x-ms-*", 60);
    expect(properties.set("<Cors>" + rule + "</Cors>")).status(202);
    container.stored("b", "x");
    String origin = "http://www.contoso.com";
    Patience.eventually(
        () ->
            expect(preflight(origin, "GET"))
                .status(200)
                .header("Access-Control-Allow-Origin", origin));
    expect(preflight("http://contoso.com", "GET")).status(403);
    expect(container.get("b").header("Origin", origin).send())
        .status(200)
        .header("Access-Control-Allow-Origin", origin)
        .header("Vary", "Origin");
  }

  private WireAnswer preflight(String origin, String method) {
    return container.wire().preflight(container.path("b"), origin, method, "x-ms-version");
  }
}
