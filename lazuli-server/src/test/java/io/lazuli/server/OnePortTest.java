package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.account.Account;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServiceName;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server on loopback that serves all services on one port, chosen by the host of a request. */
class OnePortTest {
  private static final String DOMAIN = "storage.test";
  private static final String ACCOUNT = Account.DEVELOPMENT_NAME;
  private static final String TOKEN = WireServer.accountToken("bqt", "sco", "rwdlacup");

  private static LazuliServer server;

  @BeforeAll
  static void start() {
    server = LazuliServer.start(config().build());
  }

  private static ServerConfig.Builder config() {
    return ServerConfig.builder().engine("memory").freePorts().onePort(0).domain(DOMAIN);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String host(String service) {
    return ACCOUNT + "." + service + "." + DOMAIN + ":" + server.blobPort();
  }

  private static Answer ask(String method, String host, String path, String body, String... headers)
      throws IOException {
    try (RawConnection connection = new RawConnection(server.blobPort())) {
      return connection.ask(request(method, host, path, body, headers));
    }
  }

  private static String request(
      String method, String host, String path, String body, String... headers) {
    String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
    return "%s %s HTTP/1.1\r\nHost: %s\r\nx-ms-version: 2025-01-05\r\n%sContent-Length: %d\r\n\r\n%s"
        .formatted(method, path, host, more, body.length(), body);
  }

  private static String signed(String path) {
    return path + (path.contains("?") ? "&" : "?") + TOKEN;
  }

  @Test
  void onlyThisPortAndTheAdminPortAreOpen() {
    int port = server.blobPort();
    assertThat(server.queuePort()).isEqualTo(port);
    assertThat(server.tablePort()).isEqualTo(port);
    assertThat(server.adminPort()).isNotEqualTo(port);
  }

  @Test
  void theConnectionStringHasTheHostsAndTheirSuffix() {
    String end = "." + DOMAIN + ":" + server.blobPort();
    assertThat(server.connectionString())
        .startsWith("DefaultEndpointsProtocol=http;AccountName=" + ACCOUNT + ";AccountKey=")
        .endsWith(
            ";BlobEndpoint=http://%s.blob%s;QueueEndpoint=http://%s.queue%s;TableEndpoint=http://%s.table%s;EndpointSuffix=%s;"
                .formatted(ACCOUNT, end, ACCOUNT, end, ACCOUNT, end, end.substring(1)));
    assertThat(server.queueEndpoint()).isEqualTo("http://" + ACCOUNT + ".queue" + end);
  }

  @ParameterizedTest
  @CsvSource({
    "blob,/?comp=list,<EnumerationResults ServiceEndpoint=\"http://%s/\"><Containers",
    "queue,/?comp=list,<EnumerationResults ServiceEndpoint=\"http://%s/\"><Queues",
    "table,/Tables,http://%s/$metadata#Tables",
  })
  void theHostChoosesTheServiceAndIsInTheAnswer(String service, String path, String expected)
      throws IOException {
    Answer answer = ask("GET", host(service), signed(path), "");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).contains(expected.formatted(host(service)));
  }

  @Test
  void aConnectionMayUseAllServices() throws IOException {
    try (RawConnection connection = new RawConnection(server.blobPort())) {
      for (int round = 0; round < 2; round++) {
        for (String service : new String[] {"blob", "queue"}) {
          String request = request("GET", host(service), signed("/?comp=list"), "");
          assertThat(connection.ask(request).body()).contains("http://" + host(service) + "/");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DevStoreAccount1.TABLE.Storage.Test",
        "devstoreaccount1.table.storage.test.",
        "devstoreaccount1.table.storage.test:1",
        "devstoreaccount1-secondary.table.storage.test",
      })
  void caseAndPortDoNotMatter(String host) throws IOException {
    Answer answer = ask("GET", host, signed("/Tables"), "");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).contains("http://" + host + "/$metadata#Tables");
  }

  @Test
  void theSecondaryRefusesWrites() throws IOException {
    String host = ACCOUNT + "-secondary.queue." + DOMAIN;
    assertThat(ask("PUT", host, signed("/jobs"), "").header("x-ms-error-code"))
        .isEqualTo("InsufficientAccountPermissions");
    assertThat(ask("GET", host, signed("/?restype=service&comp=stats"), "").body())
        .contains("<GeoReplication>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "localhost:10000",
        "[::1]:10000",
        DOMAIN,
        "blob." + DOMAIN,
        ACCOUNT + "." + DOMAIN,
        ACCOUNT + ".file." + DOMAIN,
        ACCOUNT + ".dfs." + DOMAIN,
        ACCOUNT + ".blob.localhost",
        ACCOUNT + ".blob." + DOMAIN + ":x",
        ACCOUNT + ".blob." + DOMAIN + ".evil.example",
        ACCOUNT + ".blob.evil.example",
      })
  void aHostThatNamesNoServiceIsRefused(String host) throws IOException {
    for (String path : new String[] {"/?comp=list", "/" + ACCOUNT + "/?comp=list"}) {
      Answer refused = ask("GET", host, signed(path), "");
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.header("x-ms-error-code")).isEqualTo("InvalidHeaderValue");
      assertThat(refused.header("Server")).startsWith("Lazuli-Blob/");
      assertThat(refused.body()).contains("<HeaderValue>" + host + "</HeaderValue>");
    }
  }

  @Test
  void aRefusalHasTheFormOfTheServiceThatTheHostNames() throws IOException {
    Answer refused = ask("GET", ACCOUNT + ".table.localhost", signed("/Tables"), "");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("\"code\":\"InvalidHeaderValue\"");
  }

  @Test
  void aServiceThatDoesNotRunIsRefused() throws IOException {
    try (LazuliServer tables =
            LazuliServer.start(config().services(Set.of(ServiceName.TABLE)).build());
        RawConnection connection = new RawConnection(tables.tablePort())) {
      String blob = request("GET", ACCOUNT + ".blob." + DOMAIN, signed("/?comp=list"), "");
      assertThat(connection.ask(blob).status()).isEqualTo(400);
      String table = request("GET", ACCOUNT + ".table." + DOMAIN, signed("/Tables"), "");
      assertThat(connection.ask(table).status()).isEqualTo(200);
    }
  }

  @Test
  void anUnknownAccountIsNotFoundEvenIfThePathNamesAKnownOne() throws IOException {
    Answer refused = ask("GET", "nobody.table." + DOMAIN, signed("/" + ACCOUNT + "/Tables"), "");
    assertThat(refused.status()).isEqualTo(404);
    assertThat(refused.header("x-ms-error-code")).isEqualTo("ResourceNotFound");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost:\r\n\r\n"})
  void aRequestWithoutAHostIsRefused(String request) throws IOException {
    try (RawConnection connection = new RawConnection(server.blobPort())) {
      Answer refused = connection.ask(request);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.header("x-ms-error-code")).isEqualTo("HostInformationNotPresent");
    }
  }

  @Test
  void theHostOfAnAbsoluteTargetTakesPrecedence() throws IOException {
    String target = "http://" + host("queue") + signed("/?comp=list");
    Answer answer = ask("GET", host("blob"), target, "");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).contains("<Queues");
  }

  @Test
  void twoHostsAreRefused() throws IOException {
    Answer refused = ask("GET", host("blob"), signed("/?comp=list"), "", "Host: " + host("queue"));
    assertThat(refused.status()).isEqualTo(400);
  }

  @Test
  void theAccountIsNotInTheSignedPath() throws IOException {
    assertThat(tables("/" + ACCOUNT + "/Tables").status()).isEqualTo(200);
    assertThat(tables("/" + ACCOUNT + "/" + ACCOUNT + "/Tables").status()).isEqualTo(403);
  }

  private static Answer tables(String resource) throws IOException {
    String date = HttpDate.format(Instant.now());
    byte[] text = (date + "\n" + resource).getBytes(StandardCharsets.UTF_8);
    String signature =
        Base64.getEncoder().encodeToString(Account.development().keys().get(0).sign(text));
    return ask(
        "GET",
        host("table"),
        "/Tables",
        "",
        "x-ms-date: " + date,
        "Authorization: SharedKeyLite " + ACCOUNT + ":" + signature);
  }

  @Test
  void locationsAndContinuationsStayAtTheHost() throws IOException {
    Answer created =
        ask(
            "POST",
            host("table"),
            signed("/Tables"),
            "{\"TableName\":\"Orders\"}",
            "Content-Type: application/json",
            "Prefer: return-no-content");
    assertThat(created.status()).isEqualTo(204);
    assertThat(created.header("Location"))
        .isEqualTo("http://" + host("table") + "/Tables('Orders')");
  }

  @Test
  void aCopyReadsFromTheHostsOfThisServerOnly() throws IOException {
    String host = host("blob");
    assertThat(ask("PUT", host, signed("/box?restype=container"), "").status()).isEqualTo(201);
    String put = signed("/box/a");
    assertThat(ask("PUT", host, put, "hello", "x-ms-blob-type: BlockBlob").status()).isEqualTo(201);
    assertThat(copy("http://" + host + put).status()).isEqualTo(202);
    assertThat(copy("http://" + host + "/" + put).status()).as("as Java sends it").isEqualTo(202);
    assertThat(ask("GET", host, "/" + put, "").body()).as("as Java sends it").isEqualTo("hello");
    assertThat(ask("GET", host, signed("/box/b"), "").body()).isEqualTo("hello");
    for (String other :
        new String[] {
          "127.0.0.1:" + server.blobPort() + "/" + ACCOUNT,
          ACCOUNT + ".blob.localhost:" + server.blobPort(),
          ACCOUNT + ".queue." + DOMAIN + ":" + server.blobPort(),
          ACCOUNT + ".blob." + DOMAIN + ":1",
        }) {
      Answer refused = copy("http://" + other + put);
      assertThat(refused.header("x-ms-error-code")).isEqualTo("CannotVerifyCopySource");
    }
  }

  private static Answer copy(String source) throws IOException {
    return ask("PUT", host("blob"), signed("/box/b"), "", "x-ms-copy-source: " + source);
  }

  @Test
  void theAdminPortAllowsTheDomainToo() throws IOException {
    for (String host : new String[] {DOMAIN, "admin." + DOMAIN, "localhost"}) {
      try (RawConnection connection = new RawConnection(server.adminPort())) {
        assertThat(connection.ask(request("GET", host, "/ready", "")).status()).isEqualTo(200);
      }
    }
  }
}
