package io.lazuli.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Web pages that try to reach a server on the machine of their visitor: by a host name that
 * resolves to loopback, or by requests that a browser sends without asking the server first.
 */
class WebPagesWireTest {
  private static final String EVIL = "Origin: https://evil.example";
  private static final String MESSAGE =
      "<QueueMessage><MessageText>aGk=</MessageText></QueueMessage>";
  private static final String TOKEN = WireServer.accountToken("q", "sco", "raupwdl");

  private static WireServer queues;

  @BeforeAll
  static void start() {
    queues = WireServer.ofQueues();
    queues.owner("PUT", "/orders", "");
  }

  @AfterAll
  static void stop() throws IOException {
    queues.close();
  }

  @BeforeEach
  void clear() {
    rules("");
    assertThat(queues.owner("DELETE", "/orders/messages", "").status()).isEqualTo(204);
  }

  private static void rules(String cors) {
    String body = "<StorageServiceProperties><Cors>" + cors + "</Cors></StorageServiceProperties>";
    assertThat(queues.owner("PUT", "/?restype=service&comp=properties", body).status())
        .isEqualTo(202);
  }

  private static Answer post(String... headers) {
    return queues.holder(TOKEN, "POST", "/orders/messages", MESSAGE, headers);
  }

  private static boolean hasMessages() {
    return queues
        .owner("GET", "/orders/messages?peekonly=true", "")
        .body()
        .contains("<MessageText>");
  }

  private static Answer ask(int port, String path, String host) throws IOException {
    try (RawConnection connection = new RawConnection(port)) {
      return connection.ask(
          head("GET " + path + " HTTP/1.1", "Host: " + host, "x-ms-version: 2025-01-05"));
    }
  }

  private static String head(String... lines) {
    return String.join("\r\n", lines) + "\r\n\r\n";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:10000",
        "devstoreaccount1.blob.evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "host.docker.internal",
        "192.0.2.1:10000",
      })
  void aForeignHostIsRefusedOnLoopback(String host) throws IOException {
    LazuliServer server = queues.server();
    String path = "/devstoreaccount1/?comp=list&" + TOKEN;
    for (int port : List.of(server.queuePort(), server.blobPort(), server.tablePort())) {
      Answer refused = ask(port, path, host);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.header("x-ms-error-code")).isEqualTo("InvalidHeaderValue");
      assertThat(refused.body()).contains("The setting allowed-hosts adds hosts.");
    }
    for (String page : List.of("/health", "/ready", "/partitions")) {
      assertThat(ask(server.adminPort(), page, host).status()).isEqualTo(421);
    }
  }

  @Test
  void anEmptyHostIsRefusedAsMissing() throws IOException {
    int port = queues.server().queuePort();
    String path = "/devstoreaccount1/?comp=list&" + TOKEN;
    assertThat(ask(port, path, "127.0.0.1").status()).isEqualTo(200);
    Answer refused = ask(port, path, "");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.header("x-ms-error-code")).isEqualTo("HostInformationNotPresent");
  }

  @Test
  void aForeignHostGetsNoPreflight() throws IOException {
    rules(rule("*", "POST"));
    try (RawConnection connection = new RawConnection(queues.server().queuePort())) {
      Answer refused =
          connection.ask(
              head(
                  "OPTIONS /devstoreaccount1/orders/messages HTTP/1.1",
                  "Host: evil.example",
                  "Origin: http://evil.example",
                  "Access-Control-Request-Method: POST"));
      assertThat(refused.status()).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LocalHost:10001",
        "127.0.0.1:10001",
        "127.0.0.2",
        "[::1]:10001",
        "[::1]",
        "anything.localhost",
      })
  void namesOfThisMachineAreAccepted(String host) throws IOException {
    LazuliServer server = queues.server();
    assertThat(ask(server.queuePort(), "/devstoreaccount1/?comp=list&" + TOKEN, host).status())
        .isEqualTo(200);
    assertThat(ask(server.adminPort(), "/health", host).status()).isEqualTo(200);
  }

  @Test
  void theAccountMayBeInTheHost() throws IOException {
    String host = "devstoreaccount1.queue.localhost:10001";
    assertThat(ask(queues.server().queuePort(), "/?comp=list&" + TOKEN, host).status())
        .isEqualTo(200);
  }

  @Test
  void aSettingAddsHosts() throws IOException {
    ServerConfig.Builder config = ServerConfig.builder().engine("memory").freePorts();
    List<String> hosts = List.of("host.docker.internal", "[2001:db8::1]");
    String path = "/devstoreaccount1/?comp=list&" + TOKEN;
    try (LazuliServer server = LazuliServer.start(config.allowedHosts(hosts).build())) {
      for (String host :
          List.of("host.docker.internal:1", "[2001:DB8::1]:1", "localhost", "[::1]:1")) {
        assertThat(ask(server.queuePort(), path, host).status()).isEqualTo(200);
        assertThat(ask(server.adminPort(), "/ready", host).status()).isEqualTo(200);
      }
      String inHost = "devstoreaccount1.queue.host.docker.internal";
      assertThat(ask(server.queuePort(), "/?comp=list&" + TOKEN, inHost).status()).isEqualTo(200);
      assertThat(ask(server.queuePort(), path, "evil.example").status()).isEqualTo(400);
    }
    try (LazuliServer server = LazuliServer.start(config.allowedHosts(List.of("*")).build())) {
      assertThat(ask(server.queuePort(), path, "evil.example").status()).isEqualTo(200);
    }
  }

  @Test
  void beyondLoopbackHostsAreCheckedOnlyIfTheSettingNamesSome() throws IOException {
    ServerConfig.Builder config =
        ServerConfig.builder()
            .engine("memory")
            .freePorts()
            .host("0.0.0.0")
            .allowDevelopmentAccount(true);
    String path = "/devstoreaccount1/?comp=list&" + TOKEN;
    try (LazuliServer server = LazuliServer.start(config.build())) {
      assertThat(ask(server.queuePort(), path, "azurite:10000").status()).isEqualTo(200);
      assertThat(ask(server.adminPort(), "/ready", "azurite").status()).isEqualTo(421);
    }
    try (LazuliServer server =
        LazuliServer.start(config.allowedHosts(List.of("azurite")).build())) {
      assertThat(ask(server.queuePort(), path, "azurite:10000").status()).isEqualTo(200);
      assertThat(ask(server.queuePort(), path, "127.0.0.1:10000").status()).isEqualTo(200);
      assertThat(ask(server.queuePort(), path, "evil.example").status()).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example",
        "http://127.0.0.1.evil.example",
        "http://localhost.evil.example",
        "http://192.0.2.1",
        "null",
        "file://",
      })
  void aForeignPageDoesNotWriteWithThePublicKey(String origin) {
    Answer refused = post("Content-Type: text/plain", "Origin: " + origin);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.header("x-ms-error-code")).isEqualTo("AuthorizationFailure");
    assertThat(refused.body()).contains("A CORS rule of the service can allow their origin.");
    assertThat(hasMessages()).isFalse();
    assertThat(queues.owner("PUT", "/fresh", "", "Origin: " + origin).status()).isEqualTo(403);
    assertThat(queues.owner("GET", "/fresh?comp=metadata", "").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:3000",
        "https://127.0.0.1",
        "http://[::1]:80",
        "http://a.localhost"
      })
  void aPageOfThisMachineWrites(String origin) {
    assertThat(post("Origin: " + origin).status()).isEqualTo(201);
  }

  @Test
  void aPageThatARuleAllowsWrites() {
    rules(rule("https://good.example", "POST"));
    assertThat(post("Origin: https://good.example").status()).isEqualTo(201);
    assertThat(post(EVIL).status()).isEqualTo(403);
    rules(rule("https://evil.example", "GET"));
    assertThat(post(EVIL).status()).isEqualTo(403);
    rules(rule("*", "POST"));
    assertThat(post(EVIL).status()).isEqualTo(201);
  }

  private static String rule(String origins, String methods) {
    return "<CorsRule><AllowedOrigins>"
        + origins
        + "</AllowedOrigins><AllowedMethods>"
        + methods
        + "</AllowedMethods><AllowedHeaders>*</AllowedHeaders><ExposedHeaders/>"
        + "<MaxAgeInSeconds>5</MaxAgeInSeconds></CorsRule>";
  }

  @Test
  void aForeignPageReadsButDoesNotTakeMessages() {
    assertThat(post().status()).isEqualTo(201);
    String get = "/orders/messages";
    for (String header : List.of(EVIL, "Sec-Fetch-Site: cross-site")) {
      assertThat(queues.holder(TOKEN, "GET", get, "", header).status()).isEqualTo(403);
      assertThat(queues.holder(TOKEN, "GET", get + "?peekonly=true", "", header).body())
          .contains("<MessageText>aGk=</MessageText>");
    }
    assertThat(queues.holder(TOKEN, "GET", get, "", "Sec-Fetch-Site: same-site").status())
        .isEqualTo(200);
  }

  @Test
  void anAccountWithAKeyOfItsOwnIsNotRestricted() throws IOException {
    AccountKey key = AccountKey.random(new SecureRandom());
    ServerConfig config =
        ServerConfig.builder()
            .engine("memory")
            .freePorts()
            .accounts(List.of(new Account("contoso", List.of(key))))
            .build();
    try (LazuliServer server = LazuliServer.start(config);
        RawConnection connection = new RawConnection(server.queuePort())) {
      Answer answer =
          connection.ask(
              head("PUT /contoso/orders HTTP/1.1", "Host: localhost", EVIL, "Content-Length: 0"));
      assertThat(answer.header("x-ms-error-code")).isEqualTo("NoAuthenticationInformation");
    }
  }
}
