package io.lazuli.server.table.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.Mutations;
import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Query;
import io.lazuli.server.settings.AccessPolicyXml;
import io.lazuli.server.settings.ServiceProperties;
import io.lazuli.server.settings.ServicePropertiesXml;
import io.lazuli.server.table.model.EntityLimits;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.query.QueryPlanner;
import io.lazuli.server.table.query.RecordPredicate;
import io.lazuli.storage.fuzz.Fuzz;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each parser of the table protocol returns a value or throws an error of the protocol, whatever
 * the bytes. The time limit finds a parser that does not end.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ParserFuzzTest {
  private static final int ROUNDS = 2_000;

  private static final Mutations FILTERS =
      new Mutations(
          List.of(
              "PartitionKey eq 'p' and (RowKey ge 'a' or not (B eq datetime'2024-01-01T00:00:00Z'))",
              "(A gt 5L) and (B lt -1.5e3) or C ne guid'a455c695-df98-5678-aaaa-81d3367e5a34'",
              "not (not (Flag)) and true or 'O''Neil' le Name and X'00ff' eq Bin",
              "Größe eq '😀' and NaN ne A and -INF lt A and Timestamp gt datetime'2024-01-01'"),
          " and ",
          " or ",
          "not ",
          " eq ",
          " ne ",
          "datetime'",
          "guid'",
          "X'",
          "5L",
          "-",
          " add ");

  private static final Mutations ENTITIES =
      new Mutations(
          List.of(
              "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"A\":1,\"B\":1.5e3,\"C\":true,\"D\":null}",
              "{\"odata.etag\":\"x\",\"A@odata.type\":\"Edm.Int64\",\"A\":\"9007199254740993\","
                  + "\"B@odata.type\":\"Edm.DateTime\",\"B\":\"2024-01-15T10:30:00.1234567Z\"}",
              "{\"G@odata.type\":\"Edm.Guid\",\"G\":\"a455c695-df98-5678-aaaa-81d3367e5a34\","
                  + "\"X@odata.type\":\"Edm.Binary\",\"X\":\"AAEC/w==\",\"D@odata.type\":"
                  + "\"Edm.Double\",\"D\":\"-Infinity\",\"S\":\"\\ud83d\\ude00 é 😀\"}",
              "{\"TableName\":\"People\"}"),
          "\"A\":1,",
          "@odata.type",
          "\"Edm.Int32\"",
          "Edm.Double",
          "\"Timestamp\":{},",
          "[[",
          "{{");

  private static final Mutations PATHS =
      new Mutations(
          List.of(
              "/Tables('People')",
              "/People(PartitionKey='O%27%27Neil%20%26%20Co',RowKey='r%C3%A9f')",
              "/People(RowKey='',PartitionKey='a,b=(c)')/Other()",
              "/People(PartitionKey='p')",
              "/$batch",
              "/"),
          "Tables",
          "PartitionKey='",
          "RowKey=",
          "$metadata",
          "()");

  private static final Mutations QUERIES =
      new Mutations(
          List.of(
              "$filter=A%20eq%205&$select=A,B&$top=10&NextPartitionKey=1!8!cGFydA--&timeout=30",
              "NextTableName=1!4!YWJj&restype=service&comp=properties&$format=json",
              "NextPartitionKey=1!4!w6k=&NextRowKey=&a&&b=&=c"),
          "NextPartitionKey=1!",
          "NextRowKey=",
          "&",
          "!8!",
          "----");

  private static final Mutations BATCHES =
      new Mutations(
          List.of(
              batch(
                  write("POST /devstoreaccount1/People HTTP/1.1", "{\"PartitionKey\":\"p\"}")
                      + write(
                          "PATCH http://h/devstoreaccount1/People(PartitionKey='p',RowKey='a')"
                              + " HTTP/1.1\r\nIf-Match: *\r\nX-HTTP-Method: MERGE",
                          "{\"A\":1}")),
              batch(write("DELETE /People(PartitionKey='p',RowKey='a') HTTP/1.1\nIf-Match: *", "")),
              "--b\r\nContent-Type: application/http\r\n\r\nGET /devstoreaccount1/People("
                  + "PartitionKey='p',RowKey='a')?$select=A HTTP/1.1\r\nAccept: application/json"
                  + "\r\n\r\n--b--\r\n"),
          "--b\r\n",
          "--c\r\n",
          "--c--",
          "Content-ID: 1\r\n",
          "multipart/mixed; boundary=",
          "\r\n");

  private static final Mutations POLICIES =
      new Mutations(
          List.of(
              "<?xml version=\"1.0\" encoding=\"utf-8\"?><SignedIdentifiers><SignedIdentifier>"
                  + "<Id>a&amp;b</Id><AccessPolicy><Start>2024-01-01</Start><Expiry>"
                  + "2034-01-01T00:00:00.1234567Z</Expiry><Permission>raud</Permission>"
                  + "</AccessPolicy></SignedIdentifier></SignedIdentifiers>",
              "<?xml version='1.1'?><SignedIdentifiers><SignedIdentifier><Id><![CDATA[é]]>&#1;"
                  + "</Id></SignedIdentifier>"
                  + "<SignedIdentifier><Id>&#x1F600;</Id></SignedIdentifier></SignedIdentifiers>"),
          "<Id>",
          "</Id>",
          "<!DOCTYPE a [<!ENTITY e \"ee\">]>",
          "&e;",
          "&#13;",
          "&#1;",
          "<![CDATA[",
          "]]>",
          "<?xml version=\"1.1\"?>",
          "<!--",
          "-->",
          " a='b'",
          "xmlns:x=''");

  private static final Mutations PROPERTIES =
      new Mutations(
          List.of(
              "<StorageServiceProperties><Logging><Version>1.0</Version><Read>true</Read><Write>"
                  + "false</Write><Delete>true</Delete><RetentionPolicy><Enabled>true</Enabled>"
                  + "<Days>7</Days></RetentionPolicy></Logging><HourMetrics><Version>1.0</Version>"
                  + "<Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs><RetentionPolicy>"
                  + "<Enabled>false</Enabled></RetentionPolicy></HourMetrics>"
                  + "</StorageServiceProperties>",
              "<StorageServiceProperties><Logging><Version><![CDATA[&&&&&&&&]]></Version><Read>true"
                  + "</Read><Write>false</Write><Delete>true</Delete><RetentionPolicy><Enabled>"
                  + "false</Enabled></RetentionPolicy></Logging></StorageServiceProperties>",
              "<?xml version=\"1.0\"?><StorageServiceProperties><Cors><CorsRule><AllowedOrigins>"
                  + "http://a,*</AllowedOrigins><AllowedMethods>GET,PUT</AllowedMethods>"
                  + "<AllowedHeaders>x-ms-*,a</AllowedHeaders><ExposedHeaders>*</ExposedHeaders>"
                  + "<MaxAgeInSeconds>500</MaxAgeInSeconds></CorsRule></Cors>"
                  + "</StorageServiceProperties>"),
          "<Version>",
          "<?xml version=\"1.1\"?>",
          "&#1;",
          "&amp;",
          "&lt;",
          "<![CDATA[&]]>",
          ",");

  @Test
  void filters() {
    Fuzz.run(
        2 * ROUNDS,
        FILTERS::next,
        text -> {
          String filter = new String(Mutations.toBytes(text), StandardCharsets.UTF_8);
          answered(
              () ->
                  RecordPredicate.of(
                      QueryPlanner.plan(ODataFilterParser.parse(filter)).residual()));
          answered(() -> ODataFilterParser.parseForTables(filter));
        });
  }

  @Test
  void entities() {
    Fuzz.run(
        2 * ROUNDS,
        ENTITIES::next,
        text -> {
          byte[] body = Mutations.toBytes(text);
          answered(() -> check(EntityParser.parse(body).properties()));
          answered(() -> EntityParser.tableName(body));
        });
  }

  private static void check(List<Property> properties) {
    EntityLimits.checkNames(properties);
    EntityLimits.checkValues(properties, Integer.MAX_VALUE);
  }

  @Test
  void paths() {
    Fuzz.run(2 * ROUNDS, PATHS::next, text -> answered(() -> ResourcePath.parse(text, "account")));
  }

  @Test
  void queriesAndContinuations() {
    Fuzz.run(
        2 * ROUNDS,
        QUERIES::next,
        text ->
            answered(
                () -> {
                  for (Query.Parameter parameter : Query.parse(text).parameters()) {
                    answered(() -> ContinuationToken.decode(parameter.value()));
                    Projection.parse(parameter.value());
                  }
                }));
  }

  @Test
  void batches() {
    Fuzz.run(
        2 * ROUNDS,
        BATCHES::next,
        text ->
            answered(
                () -> {
                  BatchRequest batch =
                      BatchRequest.parse(Mutations.toBytes(text), "multipart/mixed; boundary=b");
                  for (BatchRequest.InnerRequest inner : batch.operations()) {
                    answered(
                        () -> {
                          TableRequest request = inner.addressed("devstoreaccount1", "http://h");
                          TableRoute.of(request).decode(request);
                        });
                  }
                }));
  }

  /** Accepted policies can be written, and the written form is read as the same policies. */
  @Test
  void accessPolicies() {
    Fuzz.run(
        ROUNDS,
        POLICIES::next,
        text ->
            answered(
                () -> {
                  List<StoredAccessPolicy> policies =
                      AccessPolicyXml.parse(Mutations.toBytes(text), "raud");
                  byte[] shown = AccessPolicyXml.write(policies);
                  assertThat(taken(() -> AccessPolicyXml.parse(shown, "raud"))).isEqualTo(policies);
                }));
  }

  /** Accepted properties are stored in their written form, so they must be readable again. */
  @Test
  void serviceProperties() {
    Fuzz.run(
        ROUNDS,
        PROPERTIES::next,
        text ->
            answered(
                () -> {
                  ServiceProperties changed =
                      ServicePropertiesXml.parse(Mutations.toBytes(text), true)
                          .applyTo(ServiceProperties.DEFAULT);
                  byte[] shown = ServicePropertiesXml.write(changed, true);
                  assertThat(
                          taken(() -> ServicePropertiesXml.parse(shown, true))
                              .applyTo(ServiceProperties.DEFAULT))
                      .isEqualTo(changed);
                }));
  }

  private static void answered(Runnable parser) {
    try {
      parser.run();
    } catch (ServiceException e) {
      assertThat(e.error().status()).isIn(400, 404, 405, 413, 415, 501);
      assertThat(e.error().code()).isNotEmpty();
      assertThat(e.text()).isNotEmpty();
    }
  }

  /** Parses a document that the server wrote; it must be accepted. */
  private static <T> T taken(Supplier<T> parser) {
    try {
      return parser.get();
    } catch (ServiceException e) {
      throw new AssertionError("not readable again", e);
    }
  }

  private static String write(String head, String body) {
    return "--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
        + head
        + "\r\nContent-Type: application/json\r\nContent-ID: 1\r\n\r\n"
        + body
        + "\r\n";
  }

  private static String batch(String parts) {
    return "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
        + parts
        + "--c--\r\n--b--\r\n";
  }
}
