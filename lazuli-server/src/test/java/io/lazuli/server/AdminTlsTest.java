package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.admin.AdminClient;
import io.lazuli.server.admin.AdminToken;
import io.lazuli.server.config.ListenersConfig.AdminTls;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.TlsFiles;
import io.lazuli.server.console.session.Passwords;
import io.lazuli.server.console.session.Role;
import io.lazuli.server.tls.LocalAuthority;
import io.lazuli.server.tls.PinnedCertificate;
import io.lazuli.server.tls.TlsCertificates;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The admin port on loopback and beyond, with and without a certificate and an administrator. */
class AdminTlsTest {
  private static final String ANYWHERE = "0.0.0.0";
  private static final String LOOPBACK = "127.0.0.1";

  @TempDir Path folder;
  private LocalAuthority authority;
  private Path users;

  @BeforeEach
  void makeCertificate() throws Exception {
    authority = TlsCertificates.issue(folder.resolve("certs"));
    users = folder.resolve("users");
    Files.writeString(users, Passwords.line("ann", Role.ADMIN, "secret", 1_000) + "\n");
  }

  private ServerConfig.Builder config(String host) {
    return ServerConfig.builder()
        .engine("memory")
        .dataFolder(folder.resolve("data"))
        .freePorts()
        .adminHost(host);
  }

  private ServerConfig.Builder withTls(String host) {
    return config(host)
        .tls(new TlsFiles(authority.serverCertificate(), authority.serverKey(), null));
  }

  private HttpClient client() throws Exception {
    SSLContext trusting = TlsCertificates.trusting(authority.certificate());
    return HttpClient.newBuilder().sslContext(trusting).build();
  }

  private HttpResponse<String> get(LazuliServer server, String path) throws Exception {
    return client()
        .send(
            HttpRequest.newBuilder(URI.create(server.adminEndpoint() + path)).build(),
            BodyHandlers.ofString());
  }

  private static List<String> consoleLines(WatchedLog log) {
    return log.faults().stream().filter(line -> line.contains("beyond loopback")).toList();
  }

  @Test
  void withACertificateAndAnAdministratorTheConsoleAnswersBeyondLoopback() throws Exception {
    try (WatchedLog log = new WatchedLog();
        LazuliServer server = LazuliServer.start(withTls(ANYWHERE).consoleUsers(users).build())) {
      assertThat(server.adminEndpoint()).startsWith("https://127.0.0.1:");
      assertThat(get(server, "/health").statusCode()).isEqualTo(200);
      assertThat(get(server, "/").statusCode()).isEqualTo(200);
      HttpResponse<String> in = signIn(server);
      assertThat(in.statusCode()).isEqualTo(200);
      String cookie = in.headers().firstValue("Set-Cookie").orElseThrow();
      assertThat(cookie).startsWith("__Host-lazuli=").contains("; Secure").contains("; HttpOnly");
      String pair = cookie.substring(0, cookie.indexOf(';'));
      assertThat(session(server, pair)).isEqualTo(200);
      // A cookie that plain http may have set is not one of https.
      assertThat(session(server, pair.substring("__Host-".length()))).isEqualTo(401);
      assertThat(consoleLines(log)).isEmpty();
    }
  }

  private HttpResponse<String> signIn(LazuliServer server) throws Exception {
    return client()
        .send(
            HttpRequest.newBuilder(URI.create(server.adminEndpoint() + "/api/v1/session"))
                .header("Origin", server.adminEndpoint())
                .header("X-Lazuli-Console", "1")
                .POST(BodyPublishers.ofString("{\"user\":\"ann\",\"password\":\"secret\"}"))
                .build(),
            BodyHandlers.ofString());
  }

  private int session(LazuliServer server, String cookie) throws Exception {
    return client()
        .send(
            HttpRequest.newBuilder(URI.create(server.adminEndpoint() + "/api/v1/session"))
                .header("Cookie", cookie)
                .header("X-Lazuli-Console", "1")
                .build(),
            BodyHandlers.ofString())
        .statusCode();
  }

  @Test
  void withoutAnAdministratorTheConsoleIsOffUntilThereIsOne() throws Exception {
    try (LazuliServer server = LazuliServer.start(withTls(ANYWHERE).consoleUsers(users).build())) {
      assertThat(get(server, "/").statusCode()).isEqualTo(200);
      Files.writeString(users, Passwords.line("bob", Role.OPERATOR, "secret", 1_000) + "\n");
      assertThat(get(server, "/").statusCode()).isEqualTo(403);
      assertThat(get(server, "/api/v1/session").statusCode()).isEqualTo(403);
      assertThat(get(server, "/health").statusCode()).isEqualTo(200);
      Files.writeString(users, Passwords.line("annabel", Role.ADMIN, "secret", 1_000) + "\n");
      assertThat(get(server, "/").statusCode()).isEqualTo(200);
      Files.delete(users);
      assertThat(get(server, "/").statusCode()).isEqualTo(403);
    }
  }

  @Test
  void withoutTlsTheConsoleIsOffBeyondLoopback() throws Exception {
    try (WatchedLog log = new WatchedLog();
        LazuliServer server = LazuliServer.start(config(ANYWHERE).consoleUsers(users).build())) {
      assertThat(server.adminEndpoint()).startsWith("http://");
      assertThat(get(server, "/health").statusCode()).isEqualTo(200);
      assertThat(get(server, "/").statusCode()).isEqualTo(403);
      assertThat(consoleLines(log)).singleElement().asString().contains("tls-cert is not set");
    }
    ServerConfig plain = withTls(ANYWHERE).consoleUsers(users).adminTls(AdminTls.OFF).build();
    try (WatchedLog log = new WatchedLog();
        LazuliServer server = LazuliServer.start(plain)) {
      assertThat(server.adminEndpoint()).startsWith("http://");
      assertThat(get(server, "/health").statusCode()).isEqualTo(200);
      assertThat(get(server, "/").statusCode()).isEqualTo(403);
      assertThat(consoleLines(log)).singleElement().asString().contains("admin-tls is off");
    }
  }

  @Test
  void onLoopbackTheAdminPortIsPlainUnlessAskedFor() throws Exception {
    try (LazuliServer server = LazuliServer.start(withTls(LOOPBACK).build())) {
      assertThat(server.adminEndpoint()).startsWith("http://127.0.0.1:");
      assertThat(get(server, "/").statusCode()).isEqualTo(200);
    }
    ServerConfig secure = withTls(LOOPBACK).adminTls(AdminTls.ON).build();
    try (LazuliServer server = LazuliServer.start(secure)) {
      assertThat(server.adminEndpoint()).startsWith("https://127.0.0.1:");
      assertThat(server.signInLink()).startsWith(server.adminEndpoint() + "/-/sign-in#");
      assertThat(get(server, "/").statusCode()).isEqualTo(200);
    }
    assertThatThrownBy(
            () -> LazuliServer.start(config(LOOPBACK).adminTls(AdminTls.ON).build()).close())
        .isInstanceOf(ServerStartException.class)
        .hasMessage("admin-tls needs tls-cert");
  }

  @Test
  void commandsTrustTheCertificateOfTheirServerAndFollowIt() throws Exception {
    Path data = folder.resolve("data");
    ServerConfig config =
        withTls(ANYWHERE)
            .engine("rocksdb")
            .consoleUsers(users)
            .consoleHosts(List.of("console.example"))
            .build();
    try (LazuliServer server = LazuliServer.start(config)) {
      String before = pinned(data);
      assertThat(AdminClient.of(data).call("console", Map.of()).get("link"))
          .startsWith("https://console.example:" + server.adminPort() + "/-/sign-in#");
      authority.issue();
      await().until(() -> !pinned(data).equals(before));
      assertThat(AdminClient.of(data).call("console", Map.of())).containsKey("link");
      HttpClient other =
          HttpClient.newBuilder().sslContext(PinnedCertificate.trusting(before)).build();
      assertThatThrownBy(
              () ->
                  other.send(
                      HttpRequest.newBuilder(URI.create(server.adminEndpoint() + "/health"))
                          .build(),
                      BodyHandlers.ofString()))
          .isInstanceOf(IOException.class);
    }
  }

  private static String pinned(Path data) throws IOException {
    return Objects.requireNonNull(AdminToken.read(data)).certificate();
  }
}
