package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.JWTClaimsSet;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.TlsFiles;
import io.lazuli.server.identity.TestTokens;
import io.lazuli.server.identity.TokenConfig;
import io.lazuli.server.outbound.TestSource;
import io.lazuli.server.tls.LocalAuthority;
import io.lazuli.server.tls.TlsCertificates;
import io.lazuli.server.tls.TlsIdentity;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens on the wire, with an issuer over https. */
class TokenWireTest {
  private static final String VERSION = "2021-12-02";
  private static final String NO_TENANT = "00000000-0000-0000-0000-000000000000";

  private static final String ROLES =
      """
      lazuli roles 1
      assign storage-blob-data-owner devstoreaccount1 * sub owner
      assign storage-queue-data-contributor devstoreaccount1 * sub owner
      assign storage-table-data-contributor devstoreaccount1 * sub owner
      """;

  @TempDir Path folder;
  private LocalAuthority authority;
  private TestSource issuer;
  private HttpClient client;
  private volatile String published = TestTokens.published(TestTokens.RSA);

  @BeforeEach
  void startIssuer() throws Exception {
    authority = TlsCertificates.issue(folder.resolve("certs"));
    TlsIdentity identity =
        TlsIdentity.ofPem(
            Files.readAllBytes(authority.serverCertificate()),
            Files.readAllBytes(authority.serverKey()));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(identity.keyManagers().getKeyManagers(), null, null);
    issuer = TestSource.secure(context, this::answer);
    client =
        HttpClient.newBuilder()
            .sslContext(TlsCertificates.trusting(authority.certificate()))
            .build();
  }

  @AfterEach
  void stopIssuer() throws IOException {
    issuer.close();
  }

  private void answer(String head, OutputStream out) throws IOException, InterruptedException {
    String content =
        head.startsWith("GET /realm/.well-known/openid-configuration ")
            ? "{\"issuer\":\"" + name() + "\",\"jwks_uri\":\"" + issuer.url("/keys") + "\"}"
            : published;
    TestSource.ofContent(content).answer(head, out);
  }

  private String name() {
    return issuer.url("/realm");
  }

  private LazuliServer start(UnaryOperator<TokenConfig> tokens) throws IOException {
    Path roles = folder.resolve("roles");
    if (Files.notExists(roles)) {
      Files.writeString(
          Files.createFile(
              roles,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
          ROLES);
    }
    return LazuliServer.start(config().rolesFile(roles).tokens(tokens).build());
  }

  private ServerConfig.Builder config() {
    return ServerConfig.builder()
        .engine("memory")
        .freePorts()
        .tls(new TlsFiles(authority.serverCertificate(), authority.serverKey(), null));
  }

  private LazuliServer startTrusting() throws IOException {
    return start(
        tokens ->
            tokens
                .withIssuers(Objects.requireNonNull(TokenConfig.parseIssuers(name())))
                .withAuthority(authority.certificate()));
  }

  private String token(String subject) {
    return token(subject, TestTokens.RSA);
  }

  private String token(String subject, JWK key) {
    return TestTokens.signed(claims(subject).build(), JWSAlgorithm.RS256, key, header -> header);
  }

  private JWTClaimsSet.Builder claims(String subject) {
    return TestTokens.claims(Instant.now()).issuer(name()).subject(subject);
  }

  private HttpResponse<String> send(String method, String url, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .method(method, BodyPublishers.ofString(body))
            .header("x-ms-version", VERSION);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
  }

  private HttpResponse<String> with(String token, String method, String url, String body)
      throws IOException, InterruptedException {
    return send(method, url, body, "Authorization", "Bearer " + token);
  }

  private static String code(HttpResponse<String> answer) {
    return answer.statusCode() + " " + answer.headers().firstValue("x-ms-error-code").orElse("");
  }

  @Test
  void aTokenWithARoleUsesAllServices() throws Exception {
    try (LazuliServer server = startTrusting()) {
      String token = token("owner");
      String box = server.blobEndpoint() + "/box?restype=container";
      assertThat(code(with(token, "PUT", box, ""))).isEqualTo("201 ");
      assertThat(code(with(token, "PUT", server.queueEndpoint() + "/jobs", ""))).isEqualTo("201 ");
      HttpResponse<String> table =
          send(
              "POST",
              server.tableEndpoint() + "/Tables",
              "{\"TableName\":\"Orders\"}",
              "Authorization",
              "bearer " + token,
              "Content-Type",
              "application/json",
              "Accept",
              "application/json");
      assertThat(code(table)).isEqualTo("201 ");
      assertThat(code(with(token("stranger"), "PUT", box, "")))
          .isEqualTo("403 AuthorizationPermissionMismatch");
      assertThat(issuer.heads()).hasSize(2);
    }
  }

  @Test
  void withoutCredentialsAndWithABadTokenTheChallengeNamesTheIssuer() throws Exception {
    String challenge =
        "Bearer authorization_uri=https://127.0.0.1:"
            + issuer.port()
            + "/"
            + NO_TENANT
            + "/oauth2/authorize resource_id=https://storage.azure.com";
    try (LazuliServer server = startTrusting()) {
      for (String url :
          List.of(
              server.blobEndpoint() + "?comp=list",
              server.queueEndpoint() + "?comp=list",
              server.tableEndpoint() + "/Tables")) {
        HttpResponse<String> none = send("GET", url, "");
        assertThat(code(none)).isEqualTo("401 NoAuthenticationInformation");
        assertThat(none.headers().allValues("WWW-Authenticate")).containsExactly(challenge);
        String expired =
            TestTokens.signed(claims("owner").expirationTime(Date.from(Instant.EPOCH)).build());
        for (String bad :
            List.of("", "abc", "a.b.c", expired, token("owner", TestTokens.OTHER_RSA))) {
          HttpResponse<String> refused = with(bad, "GET", url, "");
          assertThat(code(refused)).describedAs(bad).isEqualTo("401 InvalidAuthenticationInfo");
          assertThat(refused.headers().allValues("WWW-Authenticate")).containsExactly(challenge);
        }
      }
      HttpResponse<String> expired =
          with(
              TestTokens.signed(claims("x").expirationTime(Date.from(Instant.EPOCH)).build()),
              "GET",
              server.blobEndpoint() + "?comp=list",
              "");
      assertThat(expired.body())
          .contains(
              "<AuthenticationErrorDetail>Lifetime validation failed. The token is expired."
                  + "</AuthenticationErrorDetail>");
    }
  }

  @Test
  void anOlderTableClientGetsNoChallenge() throws Exception {
    try (LazuliServer server = startTrusting()) {
      HttpRequest old =
          HttpRequest.newBuilder(URI.create(server.tableEndpoint() + "/Tables"))
              .header("x-ms-version", "2019-02-02")
              .build();
      HttpResponse<String> answer = client.send(old, BodyHandlers.ofString(StandardCharsets.UTF_8));
      assertThat(code(answer)).isEqualTo("403 AuthenticationFailed");
    }
  }

  @Test
  void keysInUseOutliveTheirIssuerAndUnknownOnesAreRefused() throws Exception {
    try (LazuliServer server = startTrusting()) {
      String list = server.blobEndpoint() + "?comp=list";
      assertThat(code(with(token("owner"), "GET", list, ""))).isEqualTo("200 ");
      issuer.close();
      assertThat(code(with(token("owner"), "GET", list, ""))).isEqualTo("200 ");
      String later = TestTokens.signed(claims("owner").jwtID("another").build());
      assertThat(code(with(later, "GET", list, ""))).isEqualTo("200 ");
      JWK unknown = TestTokens.EC;
      String other =
          TestTokens.signed(claims("owner").build(), JWSAlgorithm.ES256, unknown, header -> header);
      assertThat(code(with(other, "GET", list, ""))).isEqualTo("401 InvalidAuthenticationInfo");
    }
  }

  @Test
  void theServerStartsWithoutItsIssuerAndSaysSo() throws Exception {
    String gone = name();
    issuer.close();
    try (LazuliServer server = startTrusting()) {
      HttpResponse<String> refused =
          with(token("owner"), "GET", server.blobEndpoint() + "?comp=list", "");
      assertThat(code(refused)).isEqualTo("401 InvalidAuthenticationInfo");
      await()
          .untilAsserted(
              () ->
                  assertThat(send("GET", server.adminEndpoint() + "/health", "").body())
                      .contains("the keys of the issuer " + gone + " cannot be fetched")
                      .contains("its tokens are refused"));
      assertThat(send("GET", server.adminEndpoint() + "/readyz", "").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aDocumentOfAnotherIssuerIsRefused() throws Exception {
    issuer.script(
        (head, out) ->
            TestSource.ofContent("{\"issuer\":\"https://evil.example\",\"jwks_uri\":\"x\"}")
                .answer(head, out));
    try (LazuliServer server = startTrusting()) {
      assertThat(code(with(token("owner"), "GET", server.blobEndpoint() + "?comp=list", "")))
          .isEqualTo("401 InvalidAuthenticationInfo");
      await()
          .untilAsserted(
              () ->
                  assertThat(send("GET", server.adminEndpoint() + "/health", "").body())
                      .contains("its document has another issuer: https://evil.example"));
    }
  }

  @Test
  void keysInAFileNeedNoIssuer() throws Exception {
    Path file = Files.writeString(folder.resolve("keys.json"), published);
    issuer.close();
    try (LazuliServer server =
        start(
            tokens ->
                tokens.withKeyFiles(
                    Objects.requireNonNull(TokenConfig.parseKeyFiles(name() + "=" + file))))) {
      String list = server.blobEndpoint() + "?comp=list";
      assertThat(code(with(token("owner"), "GET", list, ""))).isEqualTo("200 ");
      Files.writeString(file, TestTokens.published(TestTokens.EC));
      await()
          .untilAsserted(
              () ->
                  assertThat(code(with(token("owner"), "GET", list, "")))
                      .isEqualTo("401 InvalidAuthenticationInfo"));
    }
  }

  @Test
  void basicAcceptsWhatNobodySigned() throws Exception {
    String token =
        TestTokens.signed(
            claims("anybody").issuer("https://sts.windows.net/any/").build(),
            JWSAlgorithm.RS256,
            TestTokens.OTHER_RSA,
            header -> header);
    try (LazuliServer server = start(tokens -> tokens.withOauth(TokenConfig.OAuth.BASIC))) {
      String list = server.queueEndpoint() + "?comp=list";
      assertThat(code(with(token, "GET", list, ""))).isEqualTo("200 ");
      assertThat(code(with(token("owner"), "GET", list, "")))
          .isEqualTo("401 InvalidAuthenticationInfo");
    }
  }

  @Test
  void plainHttpIsRefusedUnlessItIsAllowed() throws Exception {
    for (boolean allowed : new boolean[] {false, true}) {
      ServerConfig.Builder plain =
          ServerConfig.builder()
              .engine("memory")
              .freePorts()
              .tokens(one -> one.withOauth(TokenConfig.OAuth.BASIC).withOverHttp(allowed));
      if (!allowed) {
        assertThatThrownBy(() -> LazuliServer.start(plain.build()).close())
            .isInstanceOf(ServerStartException.class)
            .hasMessage("tokens need https: set tls-cert, or tokens-over-http on loopback");
        continue;
      }
      String token = TestTokens.signed(claims("x").issuer("https://sts.windows.net/any/").build());
      try (LazuliServer server = LazuliServer.start(plain.build())) {
        assertThat(code(with(token, "GET", server.blobEndpoint() + "?comp=list", "")))
            .isEqualTo("200 ");
      }
    }
  }

  @Test
  void aTokenForTheSourceOfACopyDecides() throws Exception {
    try (LazuliServer server = startTrusting()) {
      String owner = token("owner");
      String box = server.blobEndpoint() + "/box";
      assertThat(code(with(owner, "PUT", box + "?restype=container", ""))).isEqualTo("201 ");
      Map<String, String> put =
          Map.of("Authorization", "Bearer " + owner, "x-ms-blob-type", "BlockBlob");
      assertThat(code(send("PUT", box + "/a", "hello", lines(put)))).isEqualTo("201 ");
      for (String[] one :
          new String[][] {
            {owner, "202 "},
            {token("stranger"), "401 CannotVerifyCopySource"},
            {"nonsense", "401 CannotVerifyCopySource"}
          }) {
        Map<String, String> copy =
            Map.of(
                "Authorization",
                "Bearer " + owner,
                "x-ms-copy-source",
                box + "/a",
                "x-ms-requires-sync",
                "true",
                "x-ms-copy-source-authorization",
                "Bearer " + one[0]);
        assertThat(code(send("PUT", box + "/b", "", lines(copy)))).isEqualTo(one[1]);
      }
    }
  }

  private static String[] lines(Map<String, String> headers) {
    return headers.entrySet().stream()
        .flatMap(header -> List.of(header.getKey(), header.getValue()).stream())
        .toArray(String[]::new);
  }
}
