package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.core.credential.TokenCredential;
import com.azure.identity.ClientSecretCredentialBuilder;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigInteger;
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
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens of an issuer that somebody else wrote, over https. */
class MockIssuerIT {
  /** The path at which azure-identity asks an authority of AD FS for tokens, without its end. */
  private static final String ISSUER = "/adfs/oauth2";

  /** The claims by client. The issuer fills in its name. */
  private static final String CALLBACKS =
      """
      [{"issuerId": "adfs/oauth2", "requestMappings": [
        {"requestParam": "client_id", "match": "foreign",
         "claims": {"sub": "writer", "aud": ["https://vault.azure.net"]}},
        {"requestParam": "client_id", "match": "expired",
         "claims": {"sub": "writer", "aud": ["https://storage.azure.com"], "exp": 1600000000}},
        {"requestParam": "client_id", "match": "early",
         "claims": {"sub": "writer", "aud": ["https://storage.azure.com"], "nbf": 4100000000}},
        {"requestParam": "client_id", "match": "large",
         "claims": {"sub": "writer", "aud": ["https://storage.azure.com"], "x": "LARGE"}},
        {"requestParam": "client_id", "match": "*",
         "claims": {"sub": "${clientId}", "aud": ["https://storage.azure.com"]}}]},
       {"issuerId": "other", "requestMappings": [
        {"requestParam": "client_id", "match": "*",
         "claims": {"sub": "writer", "aud": ["https://storage.azure.com"]}}]}]
      """
          .replace("LARGE", "x".repeat(20_000));

  @TempDir private static Path folder;
  private static DevCert certificate;
  private static HttpClient client;
  private static MockIssuer issuer;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws IOException {
    certificate = DevCert.make(folder);
    client = HttpClient.newBuilder().sslContext(certificate.context()).build();
    issuer = MockIssuer.start(certificate, folder, CALLBACKS);
    server = start(issuer, folder.resolve("first"));
  }

  private static ServerProcess start(MockIssuer issuer, Path own) throws IOException {
    Files.createDirectories(own);
    roles(own, "writer");
    return certificate.startServer(
        own,
        "--oidc-issuer",
        issuer.url() + ISSUER,
        "--oidc-ca",
        certificate.authority().toString(),
        "--roles",
        own.resolve("roles").toString());
  }

  private static void roles(Path own, String subject) throws IOException {
    StringBuilder text = new StringBuilder("lazuli roles 1\n");
    for (String role :
        List.of("blob-data-owner", "queue-data-contributor", "table-data-contributor")) {
      text.append("assign storage-%s devstoreaccount1 * sub %s%n".formatted(role, subject));
    }
    Path file = own.resolve("roles");
    if (Files.notExists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    Files.writeString(file, text);
  }

  @AfterAll
  static void stop() {
    server.close();
    issuer.close();
  }

  private static String send(HttpRequest request, int status) {
    try {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as("%s", answer.body()).isEqualTo(status);
      return answer.body();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String token(MockIssuer from, String path, String name) throws IOException {
    String form =
        "grant_type=client_credentials&client_secret=x&scope=https%3A%2F%2Fstorage.azure.com%2F.default"
            + "&client_id="
            + name;
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(from.url() + path + "/token"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build();
    return new ObjectMapper().readTree(send(request, 200)).get("access_token").asText();
  }

  private static HttpRequest list(ServerProcess from, String token) {
    String url = from.account(StorageService.BLOB).base() + "?comp=list";
    return HttpRequest.newBuilder(URI.create(url))
        .header("Authorization", "Bearer " + token)
        .header("x-ms-version", "2021-12-02")
        .build();
  }

  @Test
  void anSdkGetsATokenAndUsesAllServices() {
    TokenCredential credential =
        new ClientSecretCredentialBuilder()
            .authorityHost(issuer.url().toString())
            .tenantId("adfs")
            .clientId("writer")
            .clientSecret("anything")
            .httpClient(certificate.trusting())
            .build();
    AllServices.use(credential, certificate.trusting(), "things", AllServices.endpoints(server));
  }

  @Test
  void aClientWithoutARoleIsRefused() throws IOException {
    String answer = send(list(server, token(issuer, ISSUER, "stranger")), 403);
    assertThat(answer).contains("AuthorizationPermissionMismatch");
  }

  @ParameterizedTest
  @ValueSource(strings = {"foreign", "expired", "early", "large"})
  void aTokenWithTheseClaimsIsRefused(String name) throws IOException {
    send(list(server, token(issuer, ISSUER, name)), 401);
  }

  @Test
  void aTokenOfAnotherIssuerIsRefused() throws IOException {
    String own = token(issuer, ISSUER, "writer");
    send(list(server, own), 200);
    String other = token(issuer, "/other", "writer");
    send(list(server, other), 401);
    // The claims of one token with the signature of the other one.
    send(list(server, signed(own) + other.substring(other.lastIndexOf('.'))), 401);
  }

  /** Tokens that the sender signs himself, with what everybody can read from the issuer. */
  @Test
  void aTokenThatItsSenderSignedIsRefused() throws Exception {
    String own = token(issuer, ISSUER, "writer");
    String claims = own.substring(own.indexOf('.'), own.lastIndexOf('.'));
    send(list(server, base64("{\"alg\":\"none\"}") + claims + "."), 401);
    String kid = "\"kid\":\"adfs/oauth2\"";
    for (byte[] secret : List.of(publicKeyAsPem(), publicKey().getEncoded())) {
      String text = base64("{\"alg\":\"HS256\"," + kid + "}") + claims;
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
      send(list(server, text + "." + base64(signature)), 401);
    }
    for (String other : List.of("other", "../adfs/oauth2", "adfs/oauth2' OR ''='", "")) {
      String head = base64("{\"alg\":\"RS256\",\"kid\":\"" + other + "\"}");
      send(list(server, head + own.substring(own.indexOf('.'))), 401);
    }
  }

  private static java.security.PublicKey publicKey() throws IOException, GeneralSecurityException {
    URI url = URI.create(issuer.url() + ISSUER + "/jwks");
    var key = new ObjectMapper().readTree(send(HttpRequest.newBuilder(url).build(), 200));
    var first = key.get("keys").get(0);
    return KeyFactory.getInstance("RSA")
        .generatePublic(
            new RSAPublicKeySpec(number(first.get("n").asText()), number(first.get("e").asText())));
  }

  private static BigInteger number(String text) {
    return new BigInteger(1, Base64.getUrlDecoder().decode(text));
  }

  private static byte[] publicKeyAsPem() throws IOException, GeneralSecurityException {
    String body =
        Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(publicKey().getEncoded());
    return ("-----BEGIN PUBLIC KEY-----\n" + body + "\n-----END PUBLIC KEY-----\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static String signed(String token) {
    return token.substring(0, token.lastIndexOf('.'));
  }

  private static String base64(String text) {
    return base64(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Everything that worked goes on without the issuer, and nothing else begins to. */
  @Test
  void tokensWorkWithoutTheIssuerUntilTheRoleIsRemoved(@TempDir Path own) throws IOException {
    MockIssuer gone = MockIssuer.start(certificate, own, CALLBACKS);
    try (ServerProcess second = start(gone, own)) {
      String used = token(gone, ISSUER, "writer");
      send(list(second, used), 200);
      String unused = token(gone, ISSUER, "writer");
      gone.close();
      send(list(second, used), 200);
      send(list(second, unused), 200);
      String head = base64("{\"alg\":\"RS256\",\"kid\":\"new\"}");
      send(list(second, head + unused.substring(unused.indexOf('.'))), 401);
      roles(own, "somebody");
      await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> send(list(second, used), 403));
      send(list(second, unused), 403);
    }
  }
}
