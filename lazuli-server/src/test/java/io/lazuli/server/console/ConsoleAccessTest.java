package io.lazuli.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.lazuli.server.ConsoleClient;
import io.lazuli.server.WatchedLog;
import io.lazuli.server.console.session.Role;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Shared access signatures, policies, properties and keys. Tokens are used on the services. */
class ConsoleAccessTest {
  private static final String TO = "\"to\":\"2034-01-01T00:00:00Z\"";

  private static ConsoleClient console;

  @BeforeAll
  static void start() {
    console = new ConsoleClient();
    ok("POST", "/tables", "{'name':'People'}");
    for (String partition : new String[] {"A", "B", "D"}) {
      ok("POST", "/tables/People/entities", "{'k':['" + partition + "','1'],'v':{'Age':4}}");
    }
    ok("POST", "/queues", "{'name':'jobs'}");
    ok("POST", "/containers", "{'name':'box'}");
    for (String blob : new String[] {"a.txt", "dir/a.txt", "dir/sub/b.txt", "other/a.txt"}) {
      ok("PUT", "/containers/box/content?blob=" + ConsoleClient.encoded(blob), "text");
    }
  }

  @AfterAll
  static void stop() {
    console.close();
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private static Answer ok(String method, String path, String body) {
    Answer answer = console.admin(method, path, json(body));
    assertThat(answer.status()).as(path + answer.body()).isBetween(200, 204);
    return answer;
  }

  private static String field(String body, String name) {
    Matcher found = Pattern.compile('"' + name + "\":\"([^\"]*)\"").matcher(body);
    assertThat(found.find()).as(name + " of " + body).isTrue();
    return found.group(1);
  }

  private static String sas(String fields) {
    return ok("POST", "/sas", "{" + fields + "," + TO + "}").body();
  }

  private static HttpResponse<String> send(String method, String url)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url))
                .header("Accept", "application/json")
                .method(method, BodyPublishers.noBody())
                .build(),
            BodyHandlers.ofString());
  }

  private static int status(String method, String url) throws IOException, InterruptedException {
    return send(method, url).statusCode();
  }

  private static String at(String url, String before, String after) {
    assertThat(url).containsPattern(before);
    return url.replaceFirst(before, after);
  }

  @Test
  void aTokenForKeysOfATableWorksWithinThemOnly() throws Exception {
    String made =
        sas(
            "'kind':'table','resource':'People','permissions':'ra','https':false,'ip':null,"
                + "'policy':null,'keys':{'fromPartition':'A','toPartition':'C'}");
    String url = field(made, "url");
    HttpResponse<String> seen = send("GET", url);
    assertThat(seen.statusCode()).isEqualTo(200);
    assertThat(seen.body())
        .contains("\"PartitionKey\":\"A\"")
        .contains("\"PartitionKey\":\"B\"")
        .doesNotContain("\"PartitionKey\":\"D\"");
    String entity = at(url, "People\\?", "People(PartitionKey='A',RowKey='1')?");
    assertThat(status("GET", entity)).isEqualTo(200);
    assertThat(status("DELETE", entity)).isIn(400, 403);
    assertThat(made)
        .contains("May read and add entities of table \\u2018People\\u2019.")
        .contains("Only from partition \\u2018A\\u2019 to partition \\u2018C\\u2019.")
        .contains("Until 2034-01-01 00:00 UTC.")
        .contains("cannot be taken back")
        .contains("{\"what\":\"Read an entity of partition \\u2018A\\u2019\",\"allowed\":true")
        .contains("{\"what\":\"Add an entity of partition \\u2018A\\u2019\",\"allowed\":true")
        .contains("\"allowed\":false,\"why\":\"AuthorizationPermissionMismatch\"")
        .contains("{\"what\":\"Read an entity of partition \\u2018C~\\u2019\",\"allowed\":false");
  }

  @Test
  void aTokenForAnAccountWorksForItsServicesOnly() throws Exception {
    String made = sas("'kind':'account','permissions':'rl','services':'t','types':'sco'");
    String url = field(made, "url");
    assertThat(status("GET", at(url, "/\\?", "/Tables?"))).isEqualTo(200);
    String blobs = sas("'kind':'account','permissions':'rl','services':'b','types':'sco'");
    String other = field(blobs, "token");
    assertThat(status("GET", at(url, "/\\?.*", "/Tables?") + other)).isEqualTo(403);
    assertThat(blobs)
        .contains("{\"what\":\"List the tables\",\"allowed\":false,\"why\":")
        .contains("AuthorizationServiceMismatch");
  }

  @Test
  void aTokenForAQueueLooksAtMessagesButDoesNotTakeThem() throws Exception {
    String made = sas("'kind':'queue','resource':'jobs','permissions':'r'");
    String url = field(made, "url");
    String messages = at(url, "jobs\\?", "jobs/messages?");
    assertThat(status("GET", messages + "&peekonly=true")).isEqualTo(200);
    assertThat(status("GET", messages)).isEqualTo(403);
    assertThat(made).contains("{\"what\":\"Take a message\",\"allowed\":false");
  }

  @ParameterizedTest
  @CsvSource({
    "container, box, a.txt, , 200",
    "blob, box/a.txt, a.txt, other/a.txt, 200",
    "directory, box/dir, dir/sub/b.txt, other/a.txt, 200",
  })
  void aTokenForBlobsWorksInItsPlaceOnly(
      String kind, String resource, String inside, String outside, int status) throws Exception {
    String made = sas("'kind':'" + kind + "','resource':'" + resource + "','permissions':'r'");
    String token = field(made, "token");
    String box = console.server().blobEndpoint() + "/box/";
    assertThat(status("GET", box + inside + "?" + token)).isEqualTo(status);
    assertThat(status("DELETE", box + inside + "?" + token)).isEqualTo(403);
    if (outside != null) {
      assertThat(status("GET", box + outside + "?" + token)).isEqualTo(403);
    }
  }

  @Test
  void aTokenForASnapshotDoesNotReadTheBlob() throws Exception {
    String snapshot =
        field(ok("POST", "/containers/box/snapshots?blob=a.txt", "").body(), "snapshot");
    String made =
        sas("'kind':'snapshot','resource':'box/a.txt','permissions':'r','at':'" + snapshot + "'");
    String url = field(made, "url");
    assertThat(status("GET", url)).isEqualTo(200);
    assertThat(status("GET", at(url, "snapshot=[^&]*&", ""))).isEqualTo(403);
    assertThat(made).contains("{\"what\":\"Read it\",\"allowed\":true");
  }

  @Test
  void aPolicyDecidesAndItsRemovalTakesTheTokenBack() throws Exception {
    String path = "/policies?service=table&resource=People";
    ok(
        "PUT",
        path,
        "{'policies':[{'id':'p1','from':null,'to':'2034-01-01T00:00:00Z','permissions':'r'}]}");
    assertThat(ok("GET", path, "").body())
        .isEqualTo(
            json(
                "{'policies':[{'id':'p1','from':null,'to':'2034-01-01T00:00:00Z','permissions':'r'}]}"));
    String made = ok("POST", "/sas", "{'kind':'table','resource':'People','policy':'p1'}").body();
    assertThat(made).contains("Removing the policy takes it back");
    String url = field(made, "url");
    assertThat(status("GET", url)).isEqualTo(200);
    ok("PUT", path, "{'policies':[]}");
    assertThat(status("GET", url)).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'policies':[{'id':'','permissions':'r'}]}",
        "{'policies':[{'id':'a','permissions':'z'}]}",
        "{'policies':[{'id':'a'},{'id':'a'}]}",
        "{'policies':[{'id':'a','to':'tomorrow'}]}",
        "{'policies':[{'id':'a'},{'id':'b'},{'id':'c'},{'id':'d'},{'id':'e'},{'id':'f'}]}",
        "{'policies':[{'id':'a','__proto__':'x'}]}",
      })
  void wrongPoliciesAreRefused(String body) {
    Answer answer = console.admin("PUT", "/policies?service=table&resource=People", json(body));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(console.admin("GET", "/policies?service=cake&resource=x", "").status())
        .isEqualTo(400);
    assertThat(console.admin("GET", "/policies?service=table&resource=Nobody", "").status())
        .isEqualTo(404);
  }

  @Test
  void hostileNamesStayTexts() {
    String id = "<img src=x onerror=alert(1)>&amp;";
    ok(
        "PUT",
        "/policies?service=queue&resource=jobs",
        "{'policies':[{'id':'" + id + "','permissions':'r'}]}");
    assertThat(ok("GET", "/policies?service=queue&resource=jobs", "").body()).contains(id);
    String made =
        sas("'kind':'blob','resource':'box/a b&c?<x>#%','permissions':'r','ip':'10.0.0.1'");
    assertThat(field(made, "url")).contains("/box/a%20b%26c%3F%3Cx%3E%23%25?sv=");
    assertThat(made).contains("\"why\":\"AuthorizationSourceIPMismatch\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'kind':'cake','permissions':'r'",
        "'kind':'table','resource':'','permissions':'r'",
        "'kind':'table','resource':'a/b','permissions':'r'",
        "'kind':'blob','resource':'box','permissions':'r'",
        "'kind':'table','resource':'People','permissions':'rr'",
        "'kind':'table','resource':'People','permissions':'z'",
        "'kind':'table','resource':'People','permissions':''",
        "'kind':'table','resource':'People','permissions':'r','from':'2035-01-01'",
        "'kind':'table','resource':'People','permissions':'r','ip':'here&sp=raud'",
        "'kind':'table','resource':'People','permissions':'r','keys':{'fromRow':'1'}",
        "'kind':'queue','resource':'jobs','permissions':'r','keys':{'fromPartition':'1'}",
        "'kind':'snapshot','resource':'box/a.txt','permissions':'r'",
        "'kind':'account','permissions':'r','services':'','types':'s'",
        "'kind':'account','permissions':'r','services':'b','types':'s','policy':'p'",
      })
  void ordersThatMakeNoSenseAreRefused(String fields) {
    Answer answer = console.admin("POST", "/sas", json("{" + fields + "," + TO + "}"));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
  }

  @Test
  void keysAndTokensAreForAdministratorsAndNotInTheLog() {
    Logger logger = (Logger) LoggerFactory.getLogger("io.lazuli");
    Level before = logger.getLevel();
    logger.setLevel(Level.DEBUG);
    try (WatchedLog log = new WatchedLog()) {
      String keys = ok("POST", "/keys", "").body();
      assertThat(keys).contains("Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq");
      String token = field(sas("'kind':'table','resource':'People','permissions':'r'"), "token");
      String signature = token.substring(token.indexOf("sig=") + 4);
      assertThat(log.all().toString())
          .contains("asked for reveal-keys")
          .contains("asked for sas")
          .doesNotContain(signature)
          .doesNotContain("Eby8vdM02");
    } finally {
      logger.setLevel(before);
    }
    for (Role role : new Role[] {Role.READER, Role.EDITOR, Role.OPERATOR}) {
      String path = "/api/v1/accounts/" + ConsoleClient.ACCOUNT;
      assertThat(console.as(role, "POST", path + "/keys", "").status()).isEqualTo(403);
      assertThat(console.as(role, "POST", path + "/sas", "{}").status()).isEqualTo(403);
    }
  }

  @Test
  void propertiesAreReadAndChanged() {
    for (String service : new String[] {"table", "queue", "blob"}) {
      String path = "/properties?service=" + service;
      String rule =
          json(
              "{'origins':['https://a.example'],'methods':['GET','PUT'],'headers':['x-ms-*'],"
                  + "'exposed':['*'],'seconds':60}");
      ok("PATCH", path, "{'cors':[" + rule + "]}");
      ok("PATCH", path, "{'logging':{'read':true,'write':false,'delete':true,'days':7}}");
      ok("PATCH", path, "{'hour':{'on':true,'apis':true,'days':3},'minute':{'on':false}}");
      String body = ok("GET", path, "").body();
      assertThat(body)
          .as(service.toUpperCase(Locale.ROOT))
          .contains("\"cors\":[" + rule + "]")
          .contains(json("'logging':{'read':true,'write':false,'delete':true,'days':7}"))
          .contains(json("'hour':{'on':true,'apis':true,'days':3}"))
          .contains(json("'minute':{'on':false,'apis':false,'days':null}"));
      for (String wrong :
          new String[] {
            "{'logging':{'read':true,'days':400}}",
            "{'cors':[{'origins':[],'methods':['GET']}]}",
            "{'cors':[{'origins':['https://a'],'methods':['SING']}]}",
            "{'cors':[{'origins':['https://*'],'methods':['GET']}]}",
            "{'cors':[{'origins':['a\\r\\nx: y'],'methods':['GET']}]}",
            "{'cors':[{'origins':['a'],'methods':['GET'],'seconds':-1}]}",
            "{'other':1}",
          }) {
        assertThat(console.admin("PATCH", path, json(wrong)).status()).as(wrong).isEqualTo(400);
      }
      assertThat(ok("GET", path, "").body()).isEqualTo(body);
    }
  }
}
