package io.lazuli.server.console;

import static io.lazuli.server.console.ConsoleTablesTest.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.ConsoleClient;
import io.lazuli.server.LazuliServer;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.console.api.Route;
import io.lazuli.server.console.session.Passwords;
import io.lazuli.server.console.session.Role;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may use the console: hosts, origins, headers, sessions and roles. */
class ConsoleSecurityTest {
  private static final String HEADER = "X-Lazuli-Console: 1";

  private static ConsoleClient console;

  @BeforeAll
  static void start() {
    console = new ConsoleClient();
  }

  @AfterAll
  static void stop() {
    console.close();
  }

  private static String path(Route route) {
    return "/api/v1"
        + route
            .path()
            .replace("{a}", ConsoleClient.ACCOUNT)
            .replace("{t}", "Missing")
            .replace("{q}", "missing")
            .replace("{c}", "missing")
        + "?blob=x&id=x&pk=x&rk=x&share=0&account="
        + ConsoleClient.ACCOUNT;
  }

  private static String cookie(Role role) {
    return "Cookie: lazuli=" + console.session(role);
  }

  private static String origin() {
    return "Origin: http://" + console.host();
  }

  @Test
  void everyRouteChecksItsRole() {
    for (Route route : console.routes()) {
      for (Role role : Role.values()) {
        if (route.name().equals("events") || route.role() == null) {
          continue;
        }
        Answer answer = console.as(role, route.method(), path(route), "");
        boolean refused = answer.body().contains("RoleTooSmall");
        assertThat(refused)
            .as(route.name() + " for " + role + ": " + answer.status() + answer.body())
            .isEqualTo(!role.includes(route.role()));
        assertThat(answer.status()).as(route.name()).isNotEqualTo(500);
      }
    }
  }

  @Test
  void everyRouteNeedsASession() {
    for (Route route : console.routes()) {
      if (route.role() != null) {
        Answer none = console.raw(route.method(), path(route), "", origin(), HEADER);
        assertThat(none.status()).as(route.name()).isEqualTo(401);
        Answer wrong =
            console.raw(
                route.method(),
                path(route),
                "",
                origin(),
                HEADER,
                "Cookie: lazuli=" + "A".repeat(43));
        assertThat(wrong.status()).as(route.name()).isEqualTo(401);
      }
    }
  }

  @Test
  void everyRouteRefusesPagesOfOthers() {
    for (Route route : console.routes()) {
      for (String[] sent :
          List.of(
              new String[] {"Origin: http://evil.example", HEADER},
              new String[] {"Origin: null", HEADER},
              new String[] {"Origin: http://127.0.0.1:1", HEADER},
              new String[] {"Sec-Fetch-Site: cross-site", HEADER},
              new String[] {"Sec-Fetch-Site: same-site", HEADER})) {
        List<String> headers = new ArrayList<>(List.of(sent));
        headers.add(cookie(Role.ADMIN));
        Answer answer =
            console.raw(route.method(), path(route), "", headers.toArray(String[]::new));
        assertThat(answer.status()).as(route.name() + " " + sent[0]).isEqualTo(403);
        assertThat(answer.body()).contains("ForeignOrigin");
        assertThat(answer.header("access-control-allow-origin")).isNull();
      }
    }
  }

  @Test
  void changesNeedAnOriginAndTheHeader() {
    String tables = "/api/v1/accounts/" + ConsoleClient.ACCOUNT + "/tables";
    String body = "{\"name\":\"Forged\"}";
    assertThat(console.raw("POST", tables, body, cookie(Role.ADMIN), HEADER).status())
        .isEqualTo(403);
    assertThat(console.raw("POST", tables, body, cookie(Role.ADMIN), origin()).body())
        .contains("HeaderMissing");
    assertThat(console.raw("GET", tables, "", cookie(Role.ADMIN)).body()).contains("HeaderMissing");
    Answer done =
        console.raw(
            "POST", tables, body, cookie(Role.ADMIN), HEADER, "Sec-Fetch-Site: same-origin");
    assertThat(done.status()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"evil.example", "127.0.0.1.evil.example", "evil.example:10010", "192.0.2.1"})
  void aForeignHostIsMisdirected(String host) {
    for (String path :
        List.of("/", "/api/v1/session", "/health", "/metrics", "/commands/backup", "/-/c/x/y")) {
      String method = path.startsWith("/commands") ? "POST" : "GET";
      assertThat(console.rawWithHost(host, method, path, "", HEADER).status())
          .as(path)
          .isEqualTo(421);
    }
  }

  @Test
  void aLinkSignsInOnce() {
    String link = console.server().signInLink();
    assertThat(link).startsWith("http://127.0.0.1:" + console.server().adminPort() + "/-/sign-in#");
    String body = "{\"link\":\"" + link.substring(link.indexOf('#') + 1) + "\"}";
    Answer first = console.raw("POST", "/api/v1/session", body, origin(), HEADER);
    assertThat(first.status()).as(first.body()).isEqualTo(200);
    assertThat(first.body()).contains("\"role\":\"admin\"", "\"open\":false", "create-table");
    assertThat(first.header("set-cookie"))
        .startsWith("lazuli=")
        .contains("HttpOnly", "SameSite=Strict", "Path=/")
        .doesNotContain("Secure");
    String cookie = "Cookie: " + first.header("set-cookie").split(";", -1)[0];
    assertThat(console.raw("GET", "/api/v1/session", "", cookie, HEADER).status()).isEqualTo(200);
    assertThat(console.raw("POST", "/api/v1/session", body, origin(), HEADER).status())
        .isEqualTo(403);
    assertThat(console.raw("DELETE", "/api/v1/session", "", cookie, origin(), HEADER).status())
        .isEqualTo(204);
    assertThat(console.raw("GET", "/api/v1/session", "", cookie, HEADER).status()).isEqualTo(401);
  }

  @Test
  void passwordsSignInAndAttemptsAreBounded(@TempDir Path folder) throws IOException {
    Path users = folder.resolve("users");
    Files.writeString(users, Passwords.line("ann", Role.EDITOR, "correct horse", 10) + "\n");
    assertThat(Files.readString(users)).doesNotContain("correct");
    try (ConsoleClient own =
        new ConsoleClient(ServerConfig.builder().engine("memory").consoleUsers(users))) {
      String origin = "Origin: http://" + own.host();
      String body = "{\"user\":\"%s\",\"password\":\"%s\"}";
      Answer right =
          own.raw(
              "POST", "/api/v1/session", body.formatted("ann", "correct horse"), origin, HEADER);
      assertThat(right.body()).contains("\"user\":\"ann\"", "\"role\":\"editor\"");
      for (int i = 0; i < 10; i++) {
        String user = i % 2 == 0 ? "ann" : "bob";
        assertThat(
                own.raw("POST", "/api/v1/session", body.formatted(user, "x" + i), origin, HEADER)
                    .status())
            .isEqualTo(403);
      }
      Answer many =
          own.raw(
              "POST", "/api/v1/session", body.formatted("ann", "correct horse"), origin, HEADER);
      assertThat(many.status()).isEqualTo(429);
      assertThat(many.body()).contains("\"retry\":true");
    }
  }

  @Test
  void sessionsAreBounded() {
    String first = console.session(Role.READER);
    for (int i = 0; i < 64; i++) {
      console.session(Role.READER);
    }
    assertThat(
            console.raw("GET", "/api/v1/session", "", "Cookie: lazuli=" + first, HEADER).status())
        .isEqualTo(401);
  }

  @Test
  void anOpenConsoleIsForLoopbackOnly() {
    try (ConsoleClient open =
        new ConsoleClient(ServerConfig.builder().engine("memory").consoleOpen(true))) {
      Answer session = open.raw("GET", "/api/v1/session", "", HEADER);
      assertThat(session.body()).contains("\"open\":true", "\"role\":\"admin\"");
      assertThat(
              open.raw("GET", "/api/v1/session", "", HEADER, "Origin: http://evil.example")
                  .status())
          .isEqualTo(403);
    }
    ServerConfig beyond =
        ServerConfig.builder()
            .engine("memory")
            .freePorts()
            .adminHost("0.0.0.0")
            .consoleOpen(true)
            .build();
    assertThatThrownBy(() -> LazuliServer.start(beyond)).isInstanceOf(ServerStartException.class);
  }

  @Test
  void beyondLoopbackInPlainHttpOnlyTheProbesAnswer(@TempDir Path folder) throws IOException {
    Path users = folder.resolve("users");
    Files.writeString(users, Passwords.line("ann", Role.ADMIN, "secret", 1_000) + "\n");
    try (ConsoleClient beyond =
        new ConsoleClient(
            ServerConfig.builder().engine("memory").adminHost("0.0.0.0").consoleUsers(users))) {
      for (String path : List.of("/health", "/livez", "/readyz")) {
        assertThat(beyond.rawWithHost("10.1.2.3", "GET", path, "").status()).isEqualTo(200);
      }
      for (String path : List.of("/metrics", "/partitions")) {
        assertThat(beyond.rawWithHost("10.1.2.3", "GET", path, "").status()).isEqualTo(401);
      }
      for (String path : List.of("/", "/-/sign-in", "/api/v1/session")) {
        Answer answer = beyond.raw("GET", path, "", HEADER);
        assertThat(answer.status()).as(path).isEqualTo(403);
        assertThat(answer.body()).contains("ConsoleIsOff");
      }
    }
  }

  @Test
  void everyAnswerHasThePolicy() {
    for (String path : List.of("/", "/api/v1/session", "/-/c/none/x", "/api/nothing")) {
      Answer answer = console.raw("GET", path, "");
      assertThat(answer.header("content-security-policy"))
          .as(path)
          .contains("default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for");
      assertThat(answer.header("x-content-type-options")).isEqualTo("nosniff");
      assertThat(answer.header("referrer-policy")).isEqualTo("no-referrer");
      assertThat(answer.header("cross-origin-opener-policy")).isEqualTo("same-origin");
      assertThat(answer.header("cross-origin-resource-policy")).isEqualTo("same-origin");
      assertThat(answer.header("permissions-policy")).isNotEmpty();
    }
    assertThat(console.raw("GET", "/api/v1/session", "").header("cache-control"))
        .isEqualTo("no-store");
  }

  @Test
  void wrongRoutesMethodsAndBodiesAreRefused() {
    assertThat(console.as(Role.ADMIN, "GET", "/api/v1/nothing", "").status()).isEqualTo(404);
    assertThat(console.as(Role.ADMIN, "PUT", "/api/v1/session", "").status()).isEqualTo(405);
    assertThat(console.as(Role.ADMIN, "POST", "/", "").status()).isEqualTo(405);
    assertThat(console.as(Role.ADMIN, "GET", "/api/v1/accounts/nobody/tables", "").body())
        .contains("AccountNotFound");
    assertThat(console.admin("POST", "/tables", "x".repeat(5 << 20)).status()).isEqualTo(413);
    assertThat(console.admin("POST", "/tables", "not json").status()).isEqualTo(400);
  }

  @Test
  void streamsSendSummariesAndAreBounded() throws IOException {
    List<RawConnection> open = new ArrayList<>();
    try {
      String head =
          "GET /api/v1/events?account="
              + ConsoleClient.ACCOUNT
              + " HTTP/1.1\r\nHost: "
              + console.host()
              + "\r\n"
              + cookie(Role.READER)
              + "\r\n\r\n";
      for (int i = 0; i < 32; i++) {
        RawConnection connection = new RawConnection(console.server().adminPort());
        open.add(connection);
        connection.send(head);
        String start = new String(connection.bytes(15), StandardCharsets.US_ASCII);
        assertThat(start).isEqualTo("HTTP/1.1 200 OK");
      }
      assertThat(
              console
                  .raw(
                      "GET",
                      "/api/v1/events?account=" + ConsoleClient.ACCOUNT,
                      "",
                      cookie(Role.READER))
                  .status())
          .isEqualTo(503);
      StringBuilder first = new StringBuilder();
      while (first.indexOf("\"health\"") < 0) {
        first.append(new String(open.get(0).bytes(1), StandardCharsets.US_ASCII));
      }
      assertThat(first.toString())
          .contains("text/event-stream", "event: summary", "\"tables\":{\"n\":");
    } finally {
      for (RawConnection connection : open) {
        connection.close();
      }
    }
    assertThat(console.admin("GET", "/summary", "").body()).contains("\"requests\":{");
    assertThat(field(console.admin("GET", "/summary", ""), "status")).isEqualTo("ok");
  }
}
