package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.development.DevelopmentAccess;
import io.lazuli.server.development.DevelopmentConfig;
import io.lazuli.server.development.DevelopmentIdentity;
import io.lazuli.server.identity.TokenConfig;
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
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The development identity on the wire. TokenIT of the conformance suite has the SDKs. */
class DevelopmentIdentityTest {
  private static final String RESOURCE = "https://storage.azure.com/";
  private static final String SCOPE = "https%3A%2F%2Fstorage.azure.com%2F.default+openid";
  private static final Pattern TOKEN = Pattern.compile("\"access_token\":\"([^\"]+)\"");

  private static LazuliServer server;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    server = LazuliServer.start(config().build());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static ServerConfig.Builder config() {
    return ServerConfig.builder()
        .engine("memory")
        .freePorts()
        .development(
            one ->
                one.withOn(true)
                    .withMore(more("reader=storage-blob-data-reader,x,watcher=lazuli-reader")));
  }

  private static List<DevelopmentIdentity> more(String text) {
    return Objects.requireNonNull(DevelopmentConfig.parseIdentities(text));
  }

  private static DevelopmentAccess access(LazuliServer server) {
    return Objects.requireNonNull(server.developmentIdentity());
  }

  private static HttpClient client(DevelopmentAccess access)
      throws IOException, GeneralSecurityException {
    return HttpClient.newBuilder()
        .sslContext(TlsCertificates.trusting(Objects.requireNonNull(access.certificate())))
        .build();
  }

  private static HttpResponse<String> send(
      DevelopmentAccess access, String method, String url, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url)).method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client(access).send(request.build(), BodyHandlers.ofString());
    } catch (IOException | GeneralSecurityException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static HttpResponse<String> managed(
      DevelopmentAccess access, String more, String secret) {
    String url = access.authority() + "/msi/token?api-version=2019-08-01&resource=" + RESOURCE;
    return send(access, "GET", url + more, "", "X-IDENTITY-HEADER", secret);
  }

  private static HttpResponse<String> granted(
      DevelopmentAccess access, String tenant, String form) {
    String url = access.authority() + "/" + tenant + "/oauth2/v2.0/token";
    return send(access, "POST", url, form, "Content-Type", "application/x-www-form-urlencoded");
  }

  private static String form(String client, String proof) {
    return "grant_type=client_credentials&scope=" + SCOPE + "&client_id=" + client + "&" + proof;
  }

  private static String token(HttpResponse<String> answer) {
    Matcher found = TOKEN.matcher(answer.body());
    assertThat(found.find()).as("%d %s", answer.statusCode(), answer.body()).isTrue();
    return found.group(1);
  }

  private static int status(LazuliServer server, String method, String url, String token) {
    HttpResponse<String> answer =
        send(
            access(server),
            method,
            url,
            "",
            "Authorization",
            "Bearer " + token,
            "x-ms-version",
            "2021-12-02");
    return answer.statusCode();
  }

  @Test
  void eachFormGivesTokensThatAllServicesAccept() {
    DevelopmentAccess access = access(server);
    String developer = DevelopmentIdentity.DEVELOPER.id().toString();
    String assertion =
        "client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer"
            + "&client_assertion=";
    List<String> tokens =
        List.of(
            token(managed(access, "", access.secret())),
            token(granted(access, "adfs", form(developer, "client_secret=" + access.secret()))),
            token(
                granted(
                    access,
                    DevelopmentIdentity.TENANT.toString(),
                    form("developer", assertion + access.secret()))));
    for (String token : tokens) {
      String box = "/box" + tokens.indexOf(token);
      assertThat(
              List.of(
                  status(server, "PUT", server.blobEndpoint() + box + "?restype=container", token),
                  status(server, "PUT", server.queueEndpoint() + box, token),
                  status(server, "GET", server.tableEndpoint() + "/Tables", token)))
          .containsExactly(201, 201, 200);
    }
  }

  @Test
  void aNamedIdentityHasItsRolesOnly() {
    String owner = token(managed(access(server), "", access(server).secret()));
    String box = server.blobEndpoint() + "/shelf?restype=container";
    assertThat(status(server, "PUT", box, owner)).isEqualTo(201);
    String reader = token(managed(access(server), "&client_id=reader", access(server).secret()));
    assertThat(status(server, "GET", box, reader)).isEqualTo(200);
    assertThat(status(server, "DELETE", box, reader)).isEqualTo(403);
    assertThat(status(server, "GET", server.tableEndpoint() + "/Tables", reader)).isEqualTo(403);
    String path = "&mi_res_id=/subscriptions/1/userAssignedIdentities/x";
    String nobody = token(managed(access(server), path, access(server).secret()));
    assertThat(status(server, "GET", box, nobody)).isEqualTo(403);
  }

  @Test
  void aRoleOfTheServerOpensTheConsole() {
    DevelopmentAccess access = access(server);
    String url = server.adminEndpoint() + "/api/v1/accounts/devstoreaccount1/tables";
    String watcher = token(managed(access, "&client_id=watcher", access.secret()));
    assertThat(status(server, "GET", url, watcher)).isEqualTo(200);
    String developer = token(managed(access, "", access.secret()));
    assertThat(status(server, "GET", url, developer)).isEqualTo(403);
  }

  @Test
  void strangersGetNothing() {
    DevelopmentAccess access = access(server);
    String secret = "client_secret=" + access.secret();
    assertThat(
            List.of(
                managed(access, "", access.secret() + "0").statusCode(),
                managed(access, "&client_id=stranger", access.secret()).statusCode(),
                granted(access, "adfs", form("developer", "client_secret=x")).statusCode(),
                granted(access, "adfs", form("developer", "")).statusCode(),
                granted(access, "adfs", form("stranger", secret)).statusCode(),
                granted(access, "adfs", "grant_type=password&" + secret).statusCode(),
                granted(access, "adfs", "grant_type=client_credentials&" + secret).statusCode(),
                granted(access, "contoso", form("developer", secret)).statusCode(),
                granted(access, "adfs", "a=%zz").statusCode(),
                granted(access, "adfs", "a".repeat((32 << 10) + 1)).statusCode()))
        .containsExactly(401, 400, 401, 401, 400, 400, 400, 404, 400, 413);
    assertThat(managed(access, "", "x").body())
        .contains("\"error\":\"invalid_client\"", "\"message\":\"AADSTS7000215");
  }

  @ParameterizedTest
  @CsvSource({"Origin,https://localhost", "Sec-Fetch-Site,same-origin"})
  void webPagesGetNothing(String header, String value) {
    DevelopmentAccess access = access(server);
    String url = access.authority() + "/msi/token?resource=" + RESOURCE;
    assertThat(
            send(access, "GET", url, "", "X-IDENTITY-HEADER", access.secret(), header, value)
                .statusCode())
        .isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"adfs", "adfs/v2.0", "6c617a75-6c69-4000-8000-000000000000/v2.0"})
  void clientsFindTheAddressesAndTheKeys(String tenant) {
    DevelopmentAccess access = access(server);
    String base = access.authority() + "/" + tenant.replace("/v2.0", "");
    String document = access.authority() + "/" + tenant + "/.well-known/openid-configuration";
    assertThat(send(access, "GET", document, "").body())
        .contains("\"token_endpoint\":\"" + base + "/oauth2/v2.0/token\"")
        .contains("\"issuer\":\"" + base + "/v2.0\"");
    assertThat(send(access, "GET", base + "/discovery/v2.0/keys", "").body())
        .contains("\"crv\":\"P-256\"")
        .doesNotContain("\"d\":");
    assertThat(send(access, "PUT", document, "").statusCode()).isEqualTo(405);
  }

  @Test
  void tokensAndSecretsSurviveARestart() throws IOException {
    DevelopmentAccess before;
    String token;
    try (LazuliServer own = LazuliServer.start(onDisk(0).build())) {
      before = access(own);
      token = token(managed(before, "", before.secret()));
    }
    int port = URI.create(before.authority()).getPort();
    try (LazuliServer own = LazuliServer.start(onDisk(port).build())) {
      assertThat(access(own)).isEqualTo(before);
      assertThat(status(own, "GET", own.tableEndpoint() + "/Tables", token)).isEqualTo(200);
    }
    Path files = folder.resolve("data/dev-identity");
    assertThat(Files.readString(files.resolve("env")))
        .contains("IDENTITY_HEADER=" + before.secret(), "AZURE_TENANT_ID=adfs", "trust.jks");
    for (String secret : List.of("keys", "env", "federated-token", "ca-key.pem")) {
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(files.resolve(secret))))
          .isEqualTo("rw-------");
    }
    Files.writeString(files.resolve("keys"), "broken");
    assertThatThrownBy(() -> LazuliServer.start(onDisk(0).build()))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("dev-identity/keys is refused");
  }

  private ServerConfig.Builder onDisk(int port) {
    return ServerConfig.builder()
        .engine("rocksdb")
        .dataFolder(folder.resolve("data"))
        .freePorts()
        .development(one -> one.withOn(true).withPort(port));
  }

  @Test
  void temporaryFilesGoWithTheServer() {
    Path token;
    try (LazuliServer own = LazuliServer.start(config().build())) {
      token = access(own).federatedToken();
      assertThat(token).exists();
      assertThat(access(own).toString()).doesNotContain(access(own).secret());
    }
    assertThat(token.getParent()).doesNotExist();
  }

  @Test
  void theIdentityStaysOnLoopbackAndAlone() {
    assertThatThrownBy(() -> LazuliServer.start(config().host("0.0.0.0").build()))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("no account");
    ServerConfig open = config().host("0.0.0.0").allowDevelopmentAccount(true).build();
    assertThatThrownBy(() -> LazuliServer.start(open))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("loopback only");
    assertThatThrownBy(() -> LazuliServer.start(config().adminHost("0.0.0.0").build()))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("loopback only");
    ServerConfig both = config().tokens(one -> one.withOauth(TokenConfig.OAuth.BASIC)).build();
    assertThatThrownBy(() -> LazuliServer.start(both))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("excludes oauth");
    ServerConfig off = config().development(one -> one.withOn(false)).build();
    assertThatThrownBy(() -> LazuliServer.start(off))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("needs dev-identity");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a,a", "a b", "developer", "a=", "a=x", "-a", "a=owner+", "a,,b"})
  void theseAreNotIdentities(String text) {
    assertThat(DevelopmentConfig.parseIdentities(text)).isNull();
  }

  @Test
  void identitiesAreShownAsTheyAreWritten() {
    String text = "reader=storage-blob-data-reader+storage-table-data-reader,nobody";
    assertThat(DevelopmentConfig.identitiesText(more(text))).isEqualTo(text);
  }
}
