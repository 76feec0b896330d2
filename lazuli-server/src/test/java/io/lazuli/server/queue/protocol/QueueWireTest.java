package io.lazuli.server.queue.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.Version;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and answers of the queue service on the wire (queue-rest). */
class QueueWireTest {
  private static final String HEAD = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";
  private static WireServer server;
  private static int made;

  private String queue;

  @BeforeAll
  static void start() {
    server = WireServer.ofQueues();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void makeQueue() {
    queue = "/queue-" + ++made;
    assertThat(server.owner("PUT", queue, "").status()).isEqualTo(201);
  }

  @Test
  void everyAnswerHasTheHeadersOfTheService() {
    Answer answer =
        server.owner("GET", queue + "?comp=metadata", "", "x-ms-client-request-id: mine");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Server")).isEqualTo("Lazuli-Queue/" + Version.current());
    assertThat(answer.header("x-ms-request-id")).hasSize(36);
    assertThat(answer.header("x-ms-client-request-id")).isEqualTo("mine");
    assertThat(answer.header("Cache-Control")).isEqualTo("no-cache");
    assertThat(answer.header("Content-Length")).isEqualTo("0");
    assertThat(answer.header("Date")).endsWith("GMT");
    assertThat(
            server
                .owner("GET", queue + "?comp=metadata", "", "x-ms-version: 2099-01-01")
                .header("x-ms-version"))
        .isEqualTo("2099-01-01");
  }

  @Test
  void anErrorIsXmlWithItsDetailsBehindTheMessage() {
    Answer answer = server.owner("GET", queue + "/messages?numofmessages=33", "");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.header("Content-Type")).isEqualTo("application/xml");
    assertThat(answer.header("x-ms-error-code")).isEqualTo("OutOfRangeQueryParameterValue");
    assertThat(answer.body())
        .startsWith(
            HEAD
                + "<Error><Code>OutOfRangeQueryParameterValue</Code><Message>One of the query"
                + " parameters specified in the request URI is outside the permissible range.\n"
                + "RequestId:"
                + answer.header("x-ms-request-id")
                + "\nTime:")
        .endsWith(
            "Z</Message><QueryParameterName>numofmessages</QueryParameterName>"
                + "<QueryParameterValue>33</QueryParameterValue><MinimumAllowed>1</MinimumAllowed>"
                + "<MaximumAllowed>32</MaximumAllowed></Error>");
  }

  @Test
  void aMessageIsPutSeenTakenAndDeleted() {
    Answer put = put("a &lt;b&gt; &amp; \"c\"", "");
    assertThat(put.status()).isEqualTo(201);
    assertThat(put.body())
        .matches(
            "\\Q"
                + HEAD
                + "\\E<QueueMessagesList><QueueMessage><MessageId>[0-9a-f-]{36}</MessageId>"
                + "<InsertionTime>[^<]+ GMT</InsertionTime>"
                + "<ExpirationTime>[^<]+ GMT</ExpirationTime>"
                + "<PopReceipt>[^<]+</PopReceipt>"
                + "<TimeNextVisible>[^<]+ GMT</TimeNextVisible></QueueMessage>"
                + "</QueueMessagesList>");
    assertThat(server.owner("GET", queue + "/messages?peekonly=true", "").body())
        .endsWith(
            "<DequeueCount>0</DequeueCount>"
                + "<MessageText>a &lt;b&gt; &amp; \"c\"</MessageText></QueueMessage>"
                + "</QueueMessagesList>")
        .doesNotContain("PopReceipt", "TimeNextVisible");
    Answer taken = server.owner("GET", queue + "/messages", "");
    assertThat(taken.body()).contains("<DequeueCount>1</DequeueCount><MessageText>a &lt;b");
    assertThat(server.owner("GET", queue + "/messages", "").body())
        .isEqualTo(HEAD + "<QueueMessagesList />");
    assertThat(server.owner("DELETE", message(taken), "").status()).isEqualTo(204);
    assertThat(server.owner("DELETE", message(taken), "").header("x-ms-error-code"))
        .isEqualTo("MessageNotFound");
  }

  @Test
  void anUpdateGivesANewReceiptAndKeepsTheTextIfNoneIsSent() {
    put("first", "");
    Answer taken = server.owner("GET", queue + "/messages", "");
    Answer hidden = server.owner("PUT", message(taken) + "&visibilitytimeout=60", "");
    assertThat(hidden.status()).isEqualTo(204);
    assertThat(hidden.header("x-ms-time-next-visible")).endsWith(" GMT");
    String path = message(taken).split("\\?", -1)[0];
    String newer = path + "?popreceipt=" + encoded(hidden.header("x-ms-popreceipt"));
    assertThat(server.owner("PUT", message(taken) + "&visibilitytimeout=0", "").status())
        .isEqualTo(404);
    assertThat(server.owner("PUT", newer + "&visibilitytimeout=0", "").status()).isEqualTo(204);
    Answer again = server.owner("GET", queue + "/messages", "");
    assertThat(again.body())
        .contains("<DequeueCount>2</DequeueCount><MessageText>first</MessageText>");
    assertThat(
            server.owner("PUT", message(again) + "&visibilitytimeout=0", body("second")).status())
        .isEqualTo(204);
    assertThat(server.owner("GET", queue + "/messages", "").body())
        .contains("<DequeueCount>3</DequeueCount><MessageText>second</MessageText>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  white  space ", "\t\nlines\n", "]]&gt;", "é€😀", "&#xD;&#xA;"})
  void textComesBackAsItWas(String escaped) {
    put(escaped, "");
    String expected =
        escaped.isEmpty()
            ? "<MessageText />"
            : "<MessageText>" + escaped.replace("&#xA;", "\n") + "</MessageText>";
    assertThat(server.owner("GET", queue + "/messages", "").body()).contains(expected);
  }

  @Test
  void textOf65536BytesIsTheMostThereCanBe() {
    assertThat(put("&amp;".repeat(65_536), "").status()).isEqualTo(201);
    assertThat(server.owner("GET", queue + "/messages", "").body())
        .contains("<MessageText>" + "&amp;".repeat(65_536) + "</MessageText>");
    Answer tooLong = put("a".repeat(65_537), "");
    assertThat(tooLong.status()).isEqualTo(413);
    assertThat(tooLong.header("x-ms-error-code")).isEqualTo("RequestBodyTooLarge");
    assertThat(tooLong.body()).contains("<MaxLimit>65536</MaxLimit>");
    assertThat(put("é".repeat(32_769), "").status()).isEqualTo(413);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no xml",
        "<QueueMessage></QueueMessage>",
        "<Other><MessageText>a</MessageText></Other>",
        "<QueueMessage><MessageText>a</QueueMessage>",
        "<QueueMessage><MessageText>a<b/>c</MessageText></QueueMessage>",
        "<QueueMessage><MessageText>&#1;</MessageText></QueueMessage>",
        "<!DOCTYPE a><QueueMessage><MessageText>a</MessageText></QueueMessage>"
      })
  void aBodyThatIsNoneIsAnInvalidDocument(String body) {
    Answer answer = server.owner("POST", queue + "/messages", body);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.header("x-ms-error-code")).isEqualTo("InvalidXmlDocument");
    assertThat(answer.body()).contains("<LineNumber>", "<LinePosition>", "<Reason>");
  }

  @Test
  void anyFormOfXmlIsRead() {
    String pretty =
        "\uFEFF<?xml version='1.0' encoding='utf-8' standalone=\"yes\"?>\r\n<QueueMessage>\r\n"
            + "  <Other a='b'/><MessageText><![CDATA[<a>]]></MessageText>\r\n</QueueMessage>";
    assertThat(server.owner("POST", queue + "/messages", pretty).status()).isEqualTo(201);
    assertThat(server.owner("GET", queue + "/messages", "").body())
        .contains("<MessageText>&lt;a&gt;</MessageText>");
  }

  @Test
  void aMessageThatNeverExpiresShowsTheLastSecond() {
    assertThat(put("a", "?messagettl=-1").body())
        .contains("<ExpirationTime>Fri, 31 Dec 9999 23:59:59 GMT</ExpirationTime>");
    assertThat(put("a", "?messagettl=9223372036854775807").body())
        .contains("<ExpirationTime>Fri, 31 Dec 9999 23:59:59 GMT</ExpirationTime>");
    assertThat(put("a", "?messagettl=1073741824").status()).isEqualTo(201);
  }

  @ParameterizedTest
  @CsvSource({
    "POST,messagettl=0,InvalidQueryParameterValue",
    "POST,messagettl=-2,InvalidQueryParameterValue",
    "POST,messagettl=x,InvalidQueryParameterValue",
    "POST,messagettl=30&visibilitytimeout=30,InvalidQueryParameterValue",
    "POST,visibilitytimeout=-1,OutOfRangeQueryParameterValue",
    "POST,visibilitytimeout=604801,OutOfRangeQueryParameterValue",
    "GET,visibilitytimeout=0,OutOfRangeQueryParameterValue",
    "GET,visibilitytimeout=604801,OutOfRangeQueryParameterValue",
    "GET,numofmessages=0,OutOfRangeQueryParameterValue",
    "GET,numofmessages=1.5,InvalidQueryParameterValue",
    "GET,peekonly=true&numofmessages=33,OutOfRangeQueryParameterValue",
    "GET,timeout=x,InvalidQueryParameterValue",
    "GET,comp=list,InvalidQueryParameterValue"
  })
  void aParameterThatDoesNotFitIsRefused(String method, String query, String code) {
    String body = method.equals("POST") ? body("a") : "";
    Answer answer = server.owner(method, queue + "/messages?" + query, body);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.header("x-ms-error-code")).isEqualTo(code);
    assertThat(answer.body()).contains("<QueryParameterName>");
  }

  @Test
  void namesOfParametersComeInAnyCase() {
    put("a", "?VisibilityTimeout=5");
    assertThat(server.owner("GET", queue + "/messages?PeekOnly=true", "").body())
        .isEqualTo(HEAD + "<QueueMessagesList />");
  }

  @Test
  void theReceiptIsJudgedAfterTheMessage() {
    Answer put = put("a", "");
    String path = message(put).split("\\?", -1)[0];
    Answer malformed = server.owner("DELETE", path + "?popreceipt=invalid%21", "");
    assertThat(malformed.header("x-ms-error-code")).isEqualTo("InvalidQueryParameterValue");
    assertThat(malformed.body())
        .contains(
            "<QueryParameterName>popreceipt</QueryParameterName><QueryParameterValue>invalid!"
                + "</QueryParameterValue><Reason>Invalid pop receipt format</Reason>");
    assertCode(server.owner("DELETE", path, ""), 400, "MissingRequiredQueryParameter");
    assertCode(server.owner("DELETE", path + "?popreceipt=AAAA", ""), 404, "MessageNotFound");
    String other = queue + "/messages/00000000-0000-0000-0000-000000000000";
    assertCode(server.owner("DELETE", other + "?popreceipt=%21", ""), 404, "MessageNotFound");
    assertCode(
        server.owner("DELETE", queue + "/messages/x?popreceipt=%21", ""), 404, "MessageNotFound");
    assertCode(server.owner("PUT", message(put), ""), 400, "MissingRequiredQueryParameter");
    assertThat(server.owner("DELETE", message(put), "").status()).isEqualTo(204);
  }

  @ParameterizedTest
  @CsvSource({
    "ab,OutOfRangeInput",
    "a23456789012345678901234567890123456789012345678901234567890abcd,OutOfRangeInput",
    "a_b,InvalidResourceName",
    "-ab,InvalidResourceName",
    "ab-,InvalidResourceName",
    "a--b,InvalidResourceName",
    "Abc,InvalidResourceName",
    "%C3%A9%C3%A9%C3%A9,InvalidResourceName"
  })
  void namesFollowTheRules(String name, String code) {
    assertCode(server.owner("PUT", "/" + name, ""), 400, code);
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/?comp=other,400,InvalidQueryParameterValue",
    "GET,/,400,InvalidQueryParameterValue",
    "PUT,/?comp=list,405,UnsupportedHttpVerb",
    "GET,/?comp=properties,400,InvalidQueryParameterValue",
    "POST,/?restype=service&comp=properties,405,UnsupportedHttpVerb",
    "POST,/?restype=service&comp=userdelegationkey,403,AuthenticationFailed",
    "GET,/queue,405,UnsupportedHttpVerb",
    "POST,/queue?comp=metadata,405,UnsupportedHttpVerb",
    "GET,/queue?comp=other,400,InvalidQueryParameterValue",
    "GET,/queue/other,400,InvalidUri",
    "GET,/queue/messages/id/more,400,InvalidUri",
    "PUT,/queue/messages,405,UnsupportedHttpVerb",
    "GET,/queue/messages/id,405,UnsupportedHttpVerb",
    "GET,/queue/messages,404,QueueNotFound",
    "DELETE,/queue/messages,404,QueueNotFound",
    "GET,/queue?comp=metadata,404,QueueNotFound",
    "PUT,/queue?comp=metadata,404,QueueNotFound",
    "GET,/queue?comp=acl,404,QueueNotFound",
    "DELETE,/queue,404,QueueNotFound",
    "DELETE,/queue/messages/id?popreceipt=AAAA,404,QueueNotFound"
  })
  void anUnknownOperationIsRefused(String method, String path, int status, String code) {
    assertCode(server.owner(method, path, ""), status, code);
  }

  @Test
  void aQueueIsCreatedOnceAndAgainOnlyWithTheSameMetadata() {
    String name = "/made-" + made;
    assertThat(server.owner("PUT", name, "", "x-ms-meta-Team: sales").status()).isEqualTo(201);
    assertThat(server.owner("PUT", name, "", "x-ms-meta-team: sales").status()).isEqualTo(204);
    assertCode(server.owner("PUT", name, "", "x-ms-meta-team: other"), 409, "QueueAlreadyExists");
    assertCode(server.owner("PUT", name, ""), 409, "QueueAlreadyExists");
    assertThat(server.owner("DELETE", name, "").status()).isEqualTo(204);
    assertThat(server.owner("PUT", name, "").status()).isEqualTo(201);
  }

  @Test
  void metadataIsReplacedAndCounted() {
    put("a", "");
    put("b", "?visibilitytimeout=100");
    String path = queue + "?comp=metadata";
    assertThat(server.owner("PUT", path, "", "x-ms-meta-a: 1", "x-ms-meta-b: 2").status())
        .isEqualTo(204);
    Answer found = server.owner("HEAD", path, "");
    assertThat(found.header("x-ms-approximate-messages-count")).isEqualTo("2");
    assertThat(found.header("x-ms-meta-a")).isEqualTo("1");
    assertThat(server.owner("PUT", path, "", "x-ms-meta-c: 3").status()).isEqualTo(204);
    found = server.owner("GET", path, "");
    assertThat(found.header("x-ms-meta-a")).isNull();
    assertThat(found.header("x-ms-meta-c")).isEqualTo("3");
    assertThat(server.owner("DELETE", queue + "/messages", "").status()).isEqualTo(204);
    found = server.owner("GET", path, "");
    assertThat(found.header("x-ms-approximate-messages-count")).isEqualTo("0");
    assertThat(found.header("x-ms-meta-c")).isEqualTo("3");
  }

  @ParameterizedTest
  @CsvSource({
    "x-ms-meta-invalid-meta: v,InvalidMetadata",
    "x-ms-meta-12345: v,InvalidMetadata",
    "x-ms-meta-: v,EmptyMetadataKey"
  })
  void metadataThatIsNoneIsRefused(String header, String code) {
    assertCode(server.owner("PUT", "/other-queue", "", header), 400, code);
  }

  @Test
  void tooMuchMetadataIsRefused() {
    assertCode(
        server.owner("PUT", "/other-queue", "", "x-ms-meta-a: " + "v".repeat(8192)),
        400,
        "MetadataTooLarge");
  }

  @Test
  void queuesAreListedByPage() {
    String prefix = "list" + made;
    for (String name : new String[] {"b", "a", "c"}) {
      server.owner("PUT", "/" + prefix + name, "", "x-ms-meta-of: " + name);
    }
    String head =
        HEAD + "<EnumerationResults ServiceEndpoint=\"http://localhost/devstoreaccount1/\">";
    assertThat(server.owner("GET", "?comp=list&include=&prefix=" + prefix, "").body())
        .isEqualTo(
            (head
                    + "<Prefix>P</Prefix><Queues><Queue><Name>Pa</Name></Queue><Queue><Name>Pb"
                    + "</Name></Queue><Queue><Name>Pc</Name></Queue></Queues><NextMarker />"
                    + "</EnumerationResults>")
                .replace("P<", prefix + "<")
                .replace(">P", ">" + prefix));
    String page = "/?comp=list&include=metadata&maxresults=2&prefix=" + prefix;
    Answer first = server.owner("GET", page, "");
    assertThat(first.body())
        .contains("<MaxResults>2</MaxResults>", "<Metadata><of>b</of></Metadata>")
        .contains("<NextMarker>/devstoreaccount1/" + prefix + "c</NextMarker>");
    assertThat(
            server
                .owner("GET", page + "&marker=" + encoded("/devstoreaccount1/" + prefix + "c"), "")
                .body())
        .contains("<Queues><Queue><Name>" + prefix + "c</Name>")
        .contains("<NextMarker />");
    assertThat(server.owner("GET", "/?comp=list&prefix=none", "").body())
        .contains("<Queues /><NextMarker />");
    assertCode(
        server.owner("GET", "/?comp=list&maxresults=0", ""), 400, "OutOfRangeQueryParameterValue");
    assertCode(server.owner("GET", "/?comp=list&marker=x", ""), 400, "OutOfRangeInput");
    assertCode(server.owner("GET", "/?comp=list&include=x", ""), 400, "InvalidQueryParameterValue");
    assertThat(server.owner("GET", "/?comp=list&maxresults=6000", "").status()).isEqualTo(200);
  }

  @Test
  void policiesAreKeptWithTheQueueAndGiveAccess() {
    String policy =
        "<SignedIdentifiers><SignedIdentifier><Id>readers</Id><AccessPolicy>"
            + "<Expiry>2034-01-01T00:00:00.0000000Z</Expiry><Permission>rp</Permission>"
            + "</AccessPolicy></SignedIdentifier></SignedIdentifiers>";
    put("a", "");
    String token = WireServer.queueToken(queue.substring(1), "si", "readers");
    String messages = queue + "/messages";
    assertCode(server.holder(token, "GET", messages, ""), 403, "AuthenticationFailed");
    assertThat(server.owner("PUT", queue + "?comp=acl", policy).status()).isEqualTo(204);
    assertThat(server.owner("GET", queue + "?comp=acl", "").body()).isEqualTo(HEAD + policy);
    assertThat(server.owner("HEAD", queue + "?comp=acl", "").status()).isEqualTo(200);
    assertThat(server.holder(token, "GET", messages, "").status()).isEqualTo(200);
    assertCode(
        server.holder(token, "POST", messages, body("b")), 403, "AuthorizationPermissionMismatch");
    assertThat(server.owner("PUT", queue + "?comp=acl", "").status()).isEqualTo(204);
    assertThat(server.owner("GET", queue + "?comp=acl", "").body())
        .isEqualTo(HEAD + "<SignedIdentifiers />");
    assertCode(server.holder(token, "GET", messages, ""), 403, "AuthenticationFailed");
    String badId = policy.replace("readers", "r".repeat(65));
    assertThat(server.owner("PUT", queue + "?comp=acl", badId).body())
        .contains(
            "<Reason>Signed identifier ID cannot be empty or over 64 characters in length</Reason>");
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/messages,p",
    "GET,/messages?peekonly=true,r",
    "POST,/messages,a",
    "GET,?comp=metadata,r",
    "PUT,/messages/x?popreceipt=A&visibilitytimeout=1,u",
    "DELETE,/messages/x?popreceipt=A,p"
  })
  void aQueueSignatureAllowsWhatItsLettersSay(String method, String path, String letter) {
    String name = queue.substring(1);
    String body = method.equals("POST") ? body("a") : "";
    String others = "raup".replace(letter, "");
    assertThat(
            server
                .holder(WireServer.queueToken(name, "sp", letter), method, queue + path, body)
                .status())
        .isIn(200, 201, 404);
    assertCode(
        server.holder(WireServer.queueToken(name, "sp", others), method, queue + path, body),
        403,
        "AuthorizationPermissionMismatch");
    assertCode(
        server.holder(WireServer.queueToken("other", "sp", letter), method, queue + path, body),
        403,
        "AuthenticationFailed");
  }

  @ParameterizedTest
  @CsvSource({"DELETE,/messages", "DELETE,''", "PUT,''", "PUT,?comp=metadata", "GET,?comp=acl"})
  void aQueueSignatureIsForMessagesOnly(String method, String path) {
    String token = WireServer.queueToken(queue.substring(1), "sp", "raup");
    assertCode(server.holder(token, method, queue + path, ""), 403, "AuthorizationFailure");
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/?comp=list,s,l",
    "GET,/?restype=service&comp=properties,s,r",
    "PUT,QUEUE?comp=metadata,c,w",
    "GET,QUEUE?comp=metadata,c,r",
    "PUT,QUEUE,c,c",
    "DELETE,QUEUE/messages,o,d",
    "GET,QUEUE/messages,o,p"
  })
  void anAccountSignatureAllowsWhatItsTypesAndLettersSay(
      String method, String path, String type, String letter) {
    String at = path.replace("QUEUE", queue);
    assertThat(server.holder(WireServer.accountToken("bq", type, letter), method, at, "").status())
        .isIn(200, 204);
    assertCode(
        server.holder(WireServer.accountToken("q", type, "x"), method, at, ""),
        403,
        "AuthorizationPermissionMismatch");
    assertCode(
        server.holder(
            WireServer.accountToken("q", "sco".replace(type, ""), "rwdlacup"), method, at, ""),
        403,
        "AuthorizationResourceTypeMismatch");
    assertCode(
        server.holder(WireServer.accountToken("t", type, letter), method, at, ""),
        403,
        "AuthorizationServiceMismatch");
  }

  @Test
  void withoutCredentialsAClientIsChallengedIfItIsNewEnough() {
    Answer fresh = server.anybody("GET", queue + "/messages", "", "x-ms-version: 2020-02-10");
    assertCode(fresh, 401, "NoAuthenticationInformation");
    assertThat(fresh.header("WWW-Authenticate")).startsWith("Bearer");
    assertCode(
        server.anybody("GET", queue + "/messages", "", "x-ms-version: 2019-07-07"),
        403,
        "AuthenticationFailed");
  }

  @Test
  void aVersionThatIsNoDateIsTold() {
    Answer answer = server.owner("GET", queue + "/messages", "", "x-ms-version: latest");
    assertCode(answer, 400, "InvalidHeaderValue");
    assertThat(answer.body())
        .endsWith("<HeaderName>x-ms-version</HeaderName><HeaderValue>latest</HeaderValue></Error>");
  }

  @Test
  void propertiesAreOfTheQueueServiceAlone() {
    String path = "/?restype=service&comp=properties";
    String rule =
        "<CorsRule><AllowedMethods>GET</AllowedMethods><AllowedOrigins>http://a</AllowedOrigins>"
            + "<AllowedHeaders>*</AllowedHeaders><ExposedHeaders>x-ms-*</ExposedHeaders>"
            + "<MaxAgeInSeconds>5</MaxAgeInSeconds></CorsRule>";
    String document =
        "<StorageServiceProperties><OfLaterVersions /><Cors>"
            + rule
            + "</Cors></StorageServiceProperties>";
    assertThat(server.owner("PUT", path, document).status()).isEqualTo(202);
    assertThat(server.owner("GET", path, "").body()).contains(rule);
    Answer read = server.owner("GET", queue + "?comp=metadata", "", "Origin: http://a");
    assertThat(read.header("Access-Control-Allow-Origin")).isEqualTo("http://a");
    assertThat(read.header("Vary")).isEqualTo("Origin");
    assertThat(read.header("Access-Control-Expose-Headers"))
        .contains("x-ms-approximate-messages-count");
    assertCode(
        server.owner("PUT", path, "<StorageServiceProperties />"), 400, "InvalidXmlDocument");
    String days = "<Enabled>true</Enabled><Days>366</Days>";
    String metrics =
        "<StorageServiceProperties><HourMetrics><Version>1.0</Version><Enabled>false</Enabled>"
            + "<RetentionPolicy>%s</RetentionPolicy></HourMetrics></StorageServiceProperties>";
    assertThat(server.owner("PUT", path, metrics.formatted(days)).body())
        .contains(
            "<Reason>Retention days must be greater than 0 and less than or equal to 365 days."
                + "</Reason>");
    server.owner("PUT", path, "<StorageServiceProperties><Cors /></StorageServiceProperties>");
  }

  @Test
  void theCopyIsLive() {
    assertThat(server.owner("GET", "/?restype=service&comp=stats", "").body())
        .contains("<Status>live</Status>");
  }

  @Test
  void theSecondaryShowsMessagesAndHandsOutNone() {
    put("a", "");
    String secondary = "-secondary" + queue + "/messages";
    assertThat(server.owner("GET", secondary + "?peekonly=true", "").body())
        .contains("<MessageText>");
    assertCode(server.owner("GET", secondary, ""), 403, "InsufficientAccountPermissions");
    assertCode(server.owner("DELETE", secondary, ""), 403, "InsufficientAccountPermissions");
  }

  @Test
  void thereIsNoHeadOfMessages() {
    assertCode(server.owner("HEAD", queue + "/messages", ""), 405, "UnsupportedHttpVerb");
  }

  private Answer put(String escaped, String query) {
    return server.owner("POST", queue + "/messages" + query, body(escaped));
  }

  private static String body(String escaped) {
    return "<QueueMessage><MessageText>" + escaped + "</MessageText></QueueMessage>";
  }

  /** Returns the path of the message in an answer, with its receipt. */
  private String message(Answer answer) {
    return queue
        + "/messages/"
        + element(answer, "MessageId")
        + "?popreceipt="
        + encoded(element(answer, "PopReceipt"));
  }

  private static String element(Answer answer, String name) {
    Matcher found = Pattern.compile("<" + name + ">([^<]*)</").matcher(answer.body());
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static void assertCode(Answer answer, int status, String code) {
    assertThat(answer.header("x-ms-error-code")).isEqualTo(code);
    assertThat(answer.status()).isEqualTo(status);
  }
}
