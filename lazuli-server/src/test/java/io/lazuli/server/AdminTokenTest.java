package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.TlsFiles;
import io.lazuli.server.console.session.Passwords;
import io.lazuli.server.identity.TestTokens;
import io.lazuli.server.identity.TokenConfig;
import io.lazuli.server.role.Role;
import io.lazuli.server.role.RoleFile;
import io.lazuli.server.role.RoleSet;
import io.lazuli.server.tls.LocalAuthority;
import io.lazuli.server.tls.TlsCertificates;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens and passwords on the admin port: the console's routes, and metrics beyond loopback. */
class AdminTokenTest {
  private static final String TABLES = "/api/v1/accounts/devstoreaccount1/tables";

  @TempDir private Path folder;

  @Test
  void aRoleOfTheServerDecidesWhatATokenMayDoInTheConsole() throws Exception {
    try (TokenServer server = TokenServer.start(folder, ServerConfig.builder().engine("memory"))) {
      server.assign("reader", Role.LAZULI_READER, "/");
      server.assign("editor", Role.LAZULI_EDITOR, "/");
      server.assign("admin", Role.LAZULI_ADMIN, "/");
      server.assign("owner", Role.TABLE_DATA_CONTRIBUTOR, "devstoreaccount1");
      server.awaitRoles();
      String body = "{\"name\":\"made\"}";
      assertThat(console(server, "reader", "GET", TABLES, "").statusCode()).isEqualTo(200);
      assertThat(console(server, "reader", "POST", TABLES, body).body()).contains("RoleTooSmall");
      assertThat(console(server, "editor", "POST", TABLES, body).statusCode()).isEqualTo(201);
      String keys = "/api/v1/accounts/devstoreaccount1/keys";
      assertThat(console(server, "editor", "POST", keys, "").statusCode()).isEqualTo(403);
      assertThat(console(server, "admin", "POST", keys, "").statusCode()).isEqualTo(200);
      // A role of an account is not a role of the server, and the other way round.
      assertThat(console(server, "owner", "GET", TABLES, "").statusCode()).isEqualTo(403);
      assertThat(server.ask(server.token("admin"), "table", "GET", "/Tables").status())
          .isEqualTo(403);
      HttpResponse<String> session = console(server, "reader", "GET", "/api/v1/session", "");
      assertThat(session.body()).contains("token reader", "\"role\":\"reader\"");
      new RoleFile(folder.resolve("roles"))
          .edit(
              set ->
                  new RoleSet(
                      set.assignments().stream()
                          .filter(one -> !one.principal().value().equals("editor"))
                          .toList()));
      await().until(() -> console(server, "editor", "GET", TABLES, "").statusCode() == 403);
    }
  }

  @Test
  void wrongTokensAndPagesOfOthersAreRefused() throws Exception {
    try (TokenServer server = TokenServer.start(folder, ServerConfig.builder().engine("memory"))) {
      server.assign("admin", Role.LAZULI_ADMIN, "/");
      server.awaitRoles();
      String good = server.token("admin");
      assertThat(console(server, good, TABLES).statusCode()).isEqualTo(200);
      String ofAccount =
          TestTokens.signed(
              TestTokens.claims(Instant.now())
                  .subject("admin")
                  .audience("https://devstoreaccount1.table.core.windows.net")
                  .build());
      String unsigned = good.substring(0, good.lastIndexOf('.') + 1) + "AAAA";
      String expired =
          TestTokens.signed(
              TestTokens.claims(Instant.EPOCH.plusSeconds(9)).subject("admin").build());
      for (String wrong : List.of(ofAccount, unsigned, expired, "x", "a.b.c")) {
        assertThat(console(server, wrong, TABLES).statusCode()).as(wrong).isEqualTo(401);
      }
      HttpRequest foreign =
          request(server, TABLES)
              .header("Authorization", "Bearer " + good)
              .header("Origin", "http://evil.example")
              .build();
      assertThat(HttpClient.newHttpClient().send(foreign, BodyHandlers.ofString()).body())
          .contains("ForeignOrigin");
      // A password in the header is not for the console: browsers would send it by themselves.
      HttpRequest basic =
          request(server, TABLES).header("Authorization", basic("ann", "secret")).build();
      assertThat(HttpClient.newHttpClient().send(basic, BodyHandlers.ofString()).statusCode())
          .isNotEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/metrics", "/partitions"})
  void beyondLoopbackMetricsNeedAPasswordOrAToken(String path) throws Exception {
    LocalAuthority authority = TlsCertificates.issue(folder.resolve("certs"));
    Path users = folder.resolve("users");
    Files.writeString(
        users,
        Passwords.line("ann", io.lazuli.server.console.session.Role.ADMIN, "secret", 1_000)
            + "\n"
            + Passwords.line("mon", io.lazuli.server.console.session.Role.READER, "itor", 1_000)
            + "\n");
    HttpClient client =
        HttpClient.newBuilder()
            .sslContext(TlsCertificates.trusting(authority.certificate()))
            .build();
    ServerConfig.Builder config =
        ServerConfig.builder()
            .adminHost("0.0.0.0")
            .consoleUsers(users)
            .tls(new TlsFiles(authority.serverCertificate(), authority.serverKey(), null));
    try (TokenServer server = TokenServer.start(folder, config.engine("rocksdb"))) {
      server.assign("reader", Role.LAZULI_READER, "/");
      server.assign("owner", Role.ACCOUNT_CONTRIBUTOR, "devstoreaccount1");
      String url = server.server().adminEndpoint() + path;
      assertThat(url).startsWith("https://");
      String token = server.token("reader");
      await().until(() -> get(client, url, "Bearer " + token).statusCode() == 200);
      HttpResponse<String> none = get(client, url, null);
      assertThat(none.statusCode()).isEqualTo(401);
      assertThat(none.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
      for (String right : List.of(basic("ann", "secret"), basic("mon", "itor"))) {
        assertThat(get(client, url, right).statusCode()).isEqualTo(200);
      }
      for (String wrong :
          List.of(basic("ann", "itor"), basic("nobody", "x"), "Basic !", "Basic", "Digest a")) {
        assertThat(get(client, url, wrong).statusCode()).as(wrong).isEqualTo(401);
      }
      assertThat(get(client, url, "Bearer " + server.token("owner")).statusCode()).isEqualTo(403);
      // Wrong attempts of strangers do not keep out those who were right.
      for (int i = 0; i < 12; i++) {
        assertThat(get(client, url, basic("ann", "guess" + i)).statusCode()).isEqualTo(401);
      }
      assertThat(get(client, url, basic("mon", "itor")).statusCode()).isEqualTo(200);
      for (String probe : List.of("/livez", "/readyz", "/health")) {
        HttpResponse<String> answer = get(client, server.server().adminEndpoint() + probe, null);
        assertThat(answer.statusCode()).as(probe).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"status\":\"ok\"}");
      }
    }
  }

  @Test
  void beyondLoopbackAServerThatNobodyCanSignInToDoesNotStart() throws IOException {
    Path keys = folder.resolve("keys.json");
    Files.writeString(keys, TestTokens.published(TestTokens.RSA));
    Path operators = folder.resolve("operators");
    Files.writeString(
        operators,
        Passwords.line("bob", io.lazuli.server.console.session.Role.OPERATOR, "x", 1_000) + "\n");
    for (ServerConfig.Builder config :
        List.of(
            ServerConfig.builder(),
            ServerConfig.builder().consoleUsers(folder.resolve("none")),
            ServerConfig.builder().consoleUsers(operators),
            // Nobody checks these tokens.
            ServerConfig.builder()
                .tokens(some -> some.withOauth(TokenConfig.OAuth.BASIC).withOverHttp(true)))) {
      assertThatThrownBy(
              () ->
                  LazuliServer.start(
                          config.engine("memory").freePorts().adminHost("0.0.0.0").build())
                      .close())
          .isInstanceOf(ServerStartException.class)
          .hasMessageContaining("admin-host 0.0.0.0 is not loopback");
    }
    LazuliServer.start(
            ServerConfig.builder()
                .engine("memory")
                .freePorts()
                .adminHost("0.0.0.0")
                .tokens(
                    some ->
                        some.withKeyFiles(
                                Objects.requireNonNull(
                                    TokenConfig.parseKeyFiles(TestTokens.ISSUER + "=" + keys)))
                            .withOverHttp(true))
                .build())
        .close();
  }

  private static HttpResponse<String> get(HttpClient client, String url, String authorization)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static String basic(String user, String password) {
    byte[] text = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(text);
  }

  private static HttpRequest.Builder request(TokenServer server, String path) {
    return HttpRequest.newBuilder(URI.create(server.server().adminEndpoint() + path));
  }

  private static HttpResponse<String> console(
      TokenServer server, String subject, String method, String path, String body)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            request(server, path)
                .header("Authorization", "Bearer " + server.token(subject))
                .method(method, BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
  }

  private static HttpResponse<String> console(TokenServer server, String token, String path)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            request(server, path).header("Authorization", "Bearer " + token).build(),
            BodyHandlers.ofString());
  }
}
