package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountFile;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.ServiceName;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.ListenException;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.rehearsal.Rehearsal;
import io.lazuli.storage.EngineOpenException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LazuliServerTest {
  private static final AccountKey GOOD_KEY = AccountKey.random(new SecureRandom());

  private int openBefore;

  @BeforeEach
  void countEngines() {
    openBefore = FixtureEngineProvider.OPEN.get();
  }

  @AfterEach
  void everyEngineIsClosed() {
    assertThat(FixtureEngineProvider.OPEN.get()).isEqualTo(openBefore);
  }

  @Test
  void aSignedRequestReachesTheEndpointWithItsCaller() throws IOException {
    try (LazuliServer server = LazuliServer.start(config().build(), (own, service) -> this::echo);
        RawConnection connection = new RawConnection(server.tablePort())) {
      Answer answer = connection.ask(signed("PUT", "/devstoreaccount1/t", "hello"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("devstoreaccount1 hello");
      assertThat(answer.header("Server")).isEqualTo("Lazuli-Table/" + Version.current());
      assertThat(Version.current()).matches("\\d+\\.\\d+\\.\\d+.*");
      await().until(() -> server.counters().answered(2) == 1);
    }
  }

  @Test
  void strictPathsNameNoPartition() throws IOException {
    String partition = "/devstoreaccount1/Staff(PartitionKey='x')";
    for (boolean lenient : new boolean[] {true, false}) {
      try (LazuliServer server =
              LazuliServer.start(config().engine("memory").lenientPaths(lenient).build());
          RawConnection connection = new RawConnection(server.tablePort())) {
        Answer answer = connection.ask(signed("GET", partition, ""));
        assertThat(answer.status()).isEqualTo(lenient ? 404 : 400);
        assertThat(answer.body()).contains(lenient ? "TableNotFound" : "The number of keys");
      }
    }
  }

  @Test
  void aRequestThatNobodySignedIsRefused() throws IOException {
    try (LazuliServer server = LazuliServer.start(config().build(), (own, service) -> this::echo);
        RawConnection connection = new RawConnection(server.tablePort())) {
      Answer answer =
          connection.ask("GET /devstoreaccount1/Tables HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.header("Content-Type")).isEqualTo("application/json");
    }
  }

  /** The bound holds for all services together; the admin port has its own. */
  @Test
  void theAdminPortAnswersWhenTheServicesHaveNoConnectionsLeft() throws IOException {
    ServerConfig config =
        config().connectionsMax(4).connectionsPerAddressMax(4).engine("memory").build();
    try (LazuliServer server = LazuliServer.start(config)) {
      List<RawConnection> idle = new ArrayList<>();
      for (int port :
          List.of(server.tablePort(), server.queuePort(), server.blobPort(), server.blobPort())) {
        idle.add(new RawConnection(port));
      }
      await().until(() -> server.connections().open() == 4);
      try (RawConnection refused = new RawConnection(server.tablePort());
          RawConnection admin = new RawConnection(server.adminPort())) {
        assertThat(refused.isClosedByServer()).isTrue();
        assertThat(admin.ask("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n").status())
            .isEqualTo(200);
      }
      for (RawConnection each : idle) {
        each.close();
      }
      await().until(() -> server.connections().open() == 0);
      try (RawConnection again = new RawConnection(server.tablePort())) {
        assertThat(again.ask(signed("GET", "/devstoreaccount1/Tables", "")).status())
            .isEqualTo(200);
      }
    }
  }

  @Test
  void theConnectionStringNamesTheRealPort() {
    try (LazuliServer server = LazuliServer.start(config().build(), (own, service) -> this::echo)) {
      String endpoint = "http://127.0.0.1:" + server.tablePort() + "/devstoreaccount1";
      assertThat(server.tableEndpoint()).isEqualTo(endpoint);
      assertThat(server.connectionString())
          .isEqualTo(
              "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey="
                  + Account.development().keys().get(0).base64()
                  + ";BlobEndpoint=http://127.0.0.1:"
                  + server.blobPort()
                  + "/devstoreaccount1;QueueEndpoint=http://127.0.0.1:"
                  + server.queuePort()
                  + "/devstoreaccount1;TableEndpoint="
                  + endpoint
                  + ";");
    }
  }

  @Test
  void aServerCanHaveOneServiceAlone() {
    try (LazuliServer server =
        LazuliServer.start(
            config().services(Set.of(ServiceName.TABLE)).tableHost("127.0.0.2").build(),
            (own, service) -> this::echo)) {
      assertThat(server.connectionString())
          .endsWith(";TableEndpoint=http://127.0.0.2:" + server.tablePort() + "/devstoreaccount1;")
          .doesNotContain("Blob", "Queue");
      assertThatThrownBy(server::blobPort).isInstanceOf(NullPointerException.class);
      assertThat(server.offersPublicKeyBeyondLoopback()).isFalse();
    }
  }

  @Test
  void aRehearsalIsLoggedAsAWarning() {
    ServerConfig config = config().rehearsal(Rehearsal.parse("busy=5,seed=3")).build();
    try (WatchedLog log = new WatchedLog();
        LazuliServer server = LazuliServer.start(config, (own, service) -> this::echo)) {
      assertThat(server.tablePort()).isPositive();
      assertThat(log.faults())
          .containsOnlyOnce("rehearsing, requests fail on purpose: busy=5,seed=3");
    }
  }

  @Test
  void oneServiceBeyondLoopbackIsEnoughToRefuseTheDevelopmentAccount() {
    assertThatThrownBy(() -> LazuliServer.start(config().queueHost("0.0.0.0").build()))
        .isInstanceOf(ServerStartException.class)
        .hasMessageStartingWith("no account is available on 0.0.0.0, 127.0.0.1: ");
    try (LazuliServer server =
        LazuliServer.start(
            config().queueHost("0.0.0.0").allowDevelopmentAccount(true).build(),
            (own, service) -> this::echo)) {
      assertThat(server.offersPublicKeyBeyondLoopback()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "QQ==",
        "c2Vjb25kIGtleQ==",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
        "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw",
      })
  void aKeyThatStrangersCanGuessIsRefusedBeyondLoopback(String key) {
    Account weak = new Account("contoso", List.of(GOOD_KEY, new AccountKey(key)));
    ServerConfig.Builder open = config().accounts(List.of(weak)).queueHost("0.0.0.0");
    assertThatThrownBy(() -> LazuliServer.start(open.build()))
        .isInstanceOf(ServerStartException.class)
        .hasMessageStartingWith("the account contoso of account-keys has ")
        .hasMessageContaining("listens on 0.0.0.0, 127.0.0.1")
        .hasMessageContaining("--allow-development-account");
    try (LazuliServer server =
        LazuliServer.start(
            open.allowDevelopmentAccount(true).build(), (own, service) -> this::echo)) {
      assertThat(server.weakAccountsBeyondLoopback()).containsExactly(weak);
    }
    try (LazuliServer server =
        LazuliServer.start(
            config().accounts(List.of(weak)).build(), (own, service) -> this::echo)) {
      assertThat(server.weakAccountsBeyondLoopback()).isEmpty();
    }
  }

  @Test
  void aServerBeyondLoopbackWithARandomKeyStarts() {
    Account account = new Account("contoso", List.of(GOOD_KEY));
    try (LazuliServer server =
        LazuliServer.start(
            config().accounts(List.of(account)).host("0.0.0.0").build(),
            (own, service) -> this::echo)) {
      assertThat(server.accountNames()).containsExactly("contoso");
      assertThat(server.weakAccountsBeyondLoopback()).isEmpty();
    }
  }

  @Test
  void anAccountsFileWithAKeyThatStrangersCanGuessIsRefusedBeyondLoopback(@TempDir Path folder) {
    AccountFile file = AccountFile.inside(folder);
    file.edit(set -> set.add("contoso", GOOD_KEY, new AccountKey("QQ==")));
    ServerConfig.Builder open = config().accountsFile(file.path()).host("0.0.0.0");
    assertThatThrownBy(() -> LazuliServer.start(open.build()))
        .isInstanceOf(ServerStartException.class)
        .hasMessageEndingWith(
            "the account contoso has a key that is shorter than 16 bytes; lazuli account rotate"
                + " replaces it");
    file.edit(set -> set.disable("contoso").add("fabrikam", GOOD_KEY, GOOD_KEY));
    try (LazuliServer server = LazuliServer.start(open.build(), (own, service) -> this::echo)) {
      assertThat(server.accountNames()).containsExactly("fabrikam");
    }
  }

  @Test
  void healthAndReadinessAreReported() throws IOException {
    try (LazuliServer server = LazuliServer.start(config().build(), (own, service) -> this::echo);
        RawConnection admin = new RawConnection(server.adminPort())) {
      assertThat(admin.ask(get("/health")).body()).isEqualTo("{\"status\":\"ok\"}");
      assertThat(admin.ask(get("/ready")).body()).isEqualTo("{\"status\":\"ok\"}");
      assertThat(admin.ask(get("/other")).body()).contains("<html");
      assertThat(admin.ask(get("/health").replace("GET", "DELETE")).status()).isEqualTo(405);
    }
  }

  @Test
  void aStoreThatRefusesWritesIsNotHealthy() throws IOException {
    ServerConfig config = config().dataFolder(Path.of("target", "broken")).build();
    try (LazuliServer server = LazuliServer.start(config, (own, service) -> this::echo);
        RawConnection admin = new RawConnection(server.adminPort())) {
      Answer health = admin.ask(get("/health"));
      assertThat(health.status()).isEqualTo(503);
      assertThat(health.body())
          .isEqualTo(
              "{\"status\":\"not writable\",\"detail\":\"the log \\\"a\\\" cannot be written\"}");
      assertThat(admin.ask(get("/ready")).status()).isEqualTo(200);
    }
  }

  @Test
  void aFaultThatDoesNotPreventWritesIsReportedAsDegraded() throws IOException {
    ServerConfig config = config().dataFolder(Path.of("target", "degraded")).build();
    try (LazuliServer server = LazuliServer.start(config, (own, service) -> this::echo);
        RawConnection admin = new RawConnection(server.adminPort())) {
      Answer health = admin.ask(get("/health"));
      assertThat(health.status()).isEqualTo(200);
      assertThat(health.body())
          .isEqualTo("{\"status\":\"degraded\",\"detail\":\"nothing is freed\"}");
    }
  }

  @Test
  void aStoppingServerIsNotReadyButFinishesRunningRequests() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CompletableFuture<Response> held = new CompletableFuture<>();
    Endpoint holding =
        request -> {
          reached.countDown();
          return held;
        };
    LazuliServer server = LazuliServer.start(config().build(), (own, service) -> holding);
    try (RawConnection connection = new RawConnection(server.tablePort());
        RawConnection admin = new RawConnection(server.adminPort())) {
      connection.send(signed("GET", "/devstoreaccount1/t", ""));
      reached.await();
      CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close);
      await().until(() -> admin.ask(get("/ready")).status() == 503);
      assertThat(admin.ask(get("/health")).status()).isEqualTo(200);
      assertThat(closed).isNotDone();
      held.complete(Response.of(204).build());
      Answer last = connection.answer();
      assertThat(last.status()).isEqualTo(204);
      assertThat(last.header("Connection")).isEqualTo("close");
      assertThat(connection.isClosedByServer()).isTrue();
      closed.join();
    }
  }

  /** Before, the services and the admin port shared their event loops. */
  @Test
  void healthIsReportedWhileEveryEventLoopOfTheServicesHangs() throws Exception {
    int loops = Runtime.getRuntime().availableProcessors();
    CountDownLatch hanging = new CountDownLatch(2 * loops);
    CountDownLatch over = new CountDownLatch(1);
    CompletableFuture<Response> answer = new CompletableFuture<>();
    Endpoint blocking =
        request -> {
          request.loop().execute(() -> awaitQuietly(over));
          hanging.countDown();
          return answer;
        };
    List<RawConnection> clients = new ArrayList<>();
    try (LazuliServer server = LazuliServer.start(config().build(), (own, service) -> blocking)) {
      try {
        for (int i = 0; i < 2 * loops; i++) {
          RawConnection client = new RawConnection(server.tablePort());
          clients.add(client);
          client.send(signed("GET", "/devstoreaccount1/t", ""));
        }
        // Half of the requests hang before they reach the endpoint.
        await().until(() -> hanging.getCount() <= loops);
        try (RawConnection admin = new RawConnection(server.adminPort())) {
          assertThat(admin.ask(get("/health")).status()).isEqualTo(200);
          assertThat(admin.ask(get("/ready")).status()).isEqualTo(200);
        }
      } finally {
        over.countDown();
        answer.complete(Response.of(200).build());
        for (RawConnection client : clients) {
          client.close();
        }
      }
    }
  }

  @Test
  void aStoreThatHangsDoesNotKeepTheCallerOfStop() {
    ServerConfig config = config().dataFolder(Path.of("target", "stuck")).build();
    LazuliServer server = LazuliServer.start(config, (own, service) -> this::echo);
    try (WatchedLog log = new WatchedLog()) {
      server.stop(Duration.ofMillis(200));
      assertThat(log.faults()).contains("the server was not closed in time; a part of it hangs");
    } finally {
      FixtureEngineProvider.UNSTUCK.countDown();
    }
    await().until(() -> FixtureEngineProvider.OPEN.get() == openBefore);
  }

  /** The process of a test, or of an application, goes on. */
  @Test
  void aServerThatRanOutOfMemoryReportsIt() throws IOException {
    Endpoint greedy =
        request -> {
          throw new OutOfMemoryError("test");
        };
    try (LazuliServer server = LazuliServer.start(config().build(), (own, service) -> greedy);
        RawConnection connection = new RawConnection(server.tablePort());
        RawConnection admin = new RawConnection(server.adminPort())) {
      assertThat(connection.ask(signed("GET", "/devstoreaccount1/t", "")).status()).isEqualTo(500);
      Answer health = admin.ask(get("/health"));
      assertThat(health.status()).isEqualTo(503);
      assertThat(health.body())
          .isEqualTo(
              "{\"status\":\"failed\",\"detail\":\"the process ran out of memory; restart the"
                  + " server\"}");
      assertThat(admin.ask(get("/ready")).status()).isEqualTo(503);
    }
    try (LazuliServer next = LazuliServer.start(config().build(), (own, service) -> this::echo);
        RawConnection admin = new RawConnection(next.adminPort())) {
      assertThat(admin.ask(get("/health")).status()).isEqualTo(200);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aPortInUseIsReportedInOneLine() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThatThrownBy(() -> LazuliServer.start(config().tablePort(port).build()))
          .isInstanceOf(ListenException.class)
          .hasMessage("port " + port + " on 127.0.0.1 is in use");
      assertThatThrownBy(() -> LazuliServer.start(config().adminPort(port).build()))
          .isInstanceOf(ListenException.class)
          .hasMessage("port " + port + " on 127.0.0.1 is in use");
    }
  }

  @Test
  void aFolderInUseAndAnUnknownEngineAreReported() {
    assertThatThrownBy(() -> LazuliServer.start(config().dataFolder(Path.of("in-use")).build()))
        .isInstanceOf(EngineOpenException.class);
    assertThatThrownBy(() -> LazuliServer.start(config().engine("none").build()))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("none");
  }

  @Test
  void theDevelopmentAccountStaysOnLoopbackUnlessAllowed() {
    assertThatThrownBy(() -> LazuliServer.start(config().host("0.0.0.0").build()))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("--allow-development-account");
    ServerConfig allowed = config().host("0.0.0.0").allowDevelopmentAccount(true).build();
    try (LazuliServer server = LazuliServer.start(allowed, (own, service) -> this::echo)) {
      assertThat(server.tableEndpoint()).startsWith("http://127.0.0.1:");
    }
  }

  private CompletionStage<Response> echo(Request request) {
    String text =
        request.caller().account() + " " + new String(request.body(), StandardCharsets.UTF_8);
    return CompletableFuture.completedFuture(
        Response.of(200).body("text/plain", text.getBytes(StandardCharsets.UTF_8)).build());
  }

  private static ServerConfig.Builder config() {
    Path folder = Path.of("target", "fixture");
    return ServerConfig.builder().engine("fixture").dataFolder(folder).freePorts();
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  private static String signed(String method, String path, String body) {
    String date = HttpDate.format(Instant.now());
    byte[] text = (date + "\n/devstoreaccount1" + path).getBytes(StandardCharsets.UTF_8);
    byte[] signature = Account.development().keys().get(0).sign(text);
    return method
        + " "
        + path
        + " HTTP/1.1\r\nHost: localhost\r\nx-ms-date: "
        + date
        + "\r\nAuthorization: SharedKeyLite devstoreaccount1:"
        + Base64.getEncoder().encodeToString(signature)
        + "\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }
}
