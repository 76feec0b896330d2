package io.lazuli.server;

import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.identity.Issuer;
import io.lazuli.server.identity.TestTokens;
import io.lazuli.server.identity.TokenConfig;
import io.lazuli.server.role.Principal;
import io.lazuli.server.role.Role;
import io.lazuli.server.role.RoleAssignment;
import io.lazuli.server.role.RoleFile;
import io.lazuli.server.role.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A server that accepts tokens of two issuers over plain http, with a client. */
final class TokenServer implements AutoCloseable {
  private final LazuliServer server;
  private final RoleFile roles;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, String> tokens = new ConcurrentHashMap<>();

  private TokenServer(LazuliServer server, RoleFile roles) {
    this.server = server;
    this.roles = roles;
  }

  /** An answer with its body as text. */
  record Answer(int status, String code, String body) {}

  static TokenServer start(Path folder, ServerConfig.Builder config) throws IOException {
    Path keys = folder.resolve("keys.json");
    Files.writeString(keys, TestTokens.published(TestTokens.RSA));
    Path otherKeys = folder.resolve("other-keys.json");
    Files.writeString(otherKeys, TestTokens.published(TestTokens.OTHER_RSA));
    Path roles = folder.resolve("roles");
    return new TokenServer(
        LazuliServer.start(
            config
                .dataFolder(folder.resolve("data"))
                .rolesFile(roles)
                .blobPort(0)
                .queuePort(0)
                .tablePort(0)
                .adminPort(0)
                .tokens(some -> some.withKeyFiles(keyFiles(keys, otherKeys)).withOverHttp(true))
                .build()),
        new RoleFile(roles));
  }

  private static Map<Issuer, Path> keyFiles(Path keys, Path otherKeys) {
    return Objects.requireNonNull(
        TokenConfig.parseKeyFiles(
            TestTokens.ISSUER + "=" + keys + "," + TestTokens.OTHER_ISSUER + "=" + otherKeys));
  }

  LazuliServer server() {
    return server;
  }

  static String inAnHour() {
    return Instant.now().plusSeconds(3_600).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Gives a role to a subject. */
  void assign(String subject, Role role, String scope) {
    roles.edit(
        set ->
            set.add(
                new RoleAssignment(
                    role,
                    Scope.parse(scope).orElseThrow(),
                    RoleAssignment.ANY_ISSUER,
                    new Principal(Principal.Kind.SUB, subject))));
  }

  /** Waits until the server has read all roles that were given. */
  void awaitRoles() {
    String probe = "probe" + tokens.size();
    String token = token(probe);
    assign(probe, Role.TABLE_DATA_READER, "devstoreaccount1");
    Awaitility.await().until(() -> ask(token, "table", "GET", "/Tables").status() == 200);
  }

  String token(String subject) {
    return tokens.computeIfAbsent(
        subject, name -> TestTokens.signed(TestTokens.claims(Instant.now()).subject(name).build()));
  }

  String url(String service, String target) {
    int port =
        switch (service) {
          case "blob" -> server.blobPort();
          case "queue" -> server.queuePort();
          default -> server.tablePort();
        };
    return "http://127.0.0.1:" + port + "/devstoreaccount1" + target;
  }

  /**
   * Sends a request.
   *
   * @param token null for none
   * @param more headers of the form {@code name: value}, and at most one body, which begins with a
   *     brace or with a line feed that is not sent
   */
  Answer ask(@Nullable String token, String service, String method, String target, String... more) {
    boolean table = service.equals("table");
    String body = "";
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url(service, target)))
            .header("x-ms-version", table ? "2020-12-06" : "2025-01-05");
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    for (String each : more) {
      if (each.startsWith("\n") || each.startsWith("{")) {
        body = each.strip();
      } else {
        int colon = each.indexOf(": ");
        request.header(each.substring(0, colon), each.substring(colon + 2));
      }
    }
    if (table) {
      request.header("Content-Type", "application/json");
      request.header("Accept", "application/json;odata=nometadata");
    }
    try {
      HttpResponse<String> answer =
          client.send(
              request.method(method, HttpRequest.BodyPublishers.ofString(body)).build(),
              HttpResponse.BodyHandlers.ofString());
      return new Answer(
          answer.statusCode(),
          answer.headers().firstValue("x-ms-error-code").orElse(""),
          answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
