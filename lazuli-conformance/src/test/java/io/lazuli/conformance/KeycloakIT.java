package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobStorageException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** Tokens of a real Keycloak, whose distribution is in {@code target/keycloak}. */
@Tag("long")
class KeycloakIT {
  private static final Path UNPACKED = Path.of("target", "keycloak");
  private static final int START_MINUTES_MAX = 5;
  private static final Pattern LISTENING = Pattern.compile(".*Listening on: (http://[^ ]*?)\\.?");

  private static final String ROLES =
      """
      lazuli roles 1
      assign storage-blob-data-owner devstoreaccount1 * role storage-writers
      assign storage-queue-data-contributor devstoreaccount1 * role storage-writers
      assign storage-table-data-contributor devstoreaccount1 * role storage-writers
      assign storage-blob-data-reader devstoreaccount1 * group storage-readers
      """;

  /** A realm with the audience of Azure Storage, as docs/identity.md describes it. */
  private static final String REALM =
      """
      {"realm": "storage", "enabled": true, "sslRequired": "none",
       "roles": {"realm": [{"name": "storage-writers"}]},
       "groups": [{"name": "storage-readers"}],
       "clientScopes": [
         {"name": "storage", "protocol": "openid-connect", "protocolMappers": [
           {"name": "audience", "protocol": "openid-connect",
            "protocolMapper": "oidc-audience-mapper",
            "config": {"included.custom.audience": "https://storage.azure.com",
              "access.token.claim": "true"}},
           {"name": "groups", "protocol": "openid-connect",
            "protocolMapper": "oidc-group-membership-mapper",
            "config": {"claim.name": "groups", "full.path": "false",
              "access.token.claim": "true"}},
           {"name": "realm roles", "protocol": "openid-connect",
            "protocolMapper": "oidc-usermodel-realm-role-mapper",
            "config": {"claim.name": "realm_access.roles", "multivalued": "true",
              "jsonType.label": "String", "access.token.claim": "true"}}]},
         {"name": "none", "protocol": "openid-connect"}],
       "clients": [CLIENTS],
       "users": [
         {"username": "service-account-writer", "enabled": true,
          "serviceAccountClientId": "writer", "realmRoles": ["storage-writers"]},
         {"username": "service-account-reader", "enabled": true,
          "serviceAccountClientId": "reader", "groups": ["/storage-readers"]},
         {"username": "service-account-elsewhere", "enabled": true,
          "serviceAccountClientId": "elsewhere", "realmRoles": ["storage-writers"]}]}
      """
          .replace(
              "CLIENTS",
              client("writer", "storage")
                  + ","
                  + client("reader", "storage")
                  + ","
                  + client("elsewhere", "none"));

  @TempDir private static Path folder;
  private static DevCert certificate;
  private static Process keycloak;
  private static String issuer;
  private static ServerProcess server;

  private static String client(String name, String scope) {
    return """
        {"clientId": "%s", "secret": "%1$s-secret", "serviceAccountsEnabled": true,
         "standardFlowEnabled": false, "defaultClientScopes": ["%s"]}"""
        .formatted(name, scope);
  }

  @BeforeAll
  static void start() throws IOException {
    Path home = home();
    Path realms = Files.createDirectories(home.resolve("data").resolve("import"));
    Files.writeString(realms.resolve("storage-realm.json"), REALM);
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                home.resolve("bin").resolve("kc.sh").toString(),
                "start-dev",
                "--db=dev-mem",
                "--http-host=127.0.0.1",
                "--http-port=0",
                "--import-realm"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    keycloak = builder.redirectErrorStream(true).start();
    issuer = address(keycloak) + "/realms/storage";
    Path roles =
        Files.createFile(
            folder.resolve("roles"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(roles, ROLES);
    certificate = DevCert.make(folder);
    server = certificate.startServer(folder, "--oidc-issuer", issuer, "--roles", roles.toString());
  }

  private static Path home() throws IOException {
    try (Stream<Path> folders = Files.list(UNPACKED)) {
      return folders.filter(Files::isDirectory).findFirst().orElseThrow().toAbsolutePath();
    }
  }

  /** Reads the output until it names the address; ends Keycloak if that takes too long. */
  private static String address(Process process) throws IOException {
    process.onExit().orTimeout(START_MINUTES_MAX, TimeUnit.MINUTES).exceptionally(late -> end());
    StringBuilder seen = new StringBuilder();
    // The stream stays open: a full pipe would block Keycloak, and it prints little once it runs.
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      seen.append(line).append('\n');
      Matcher found = LISTENING.matcher(line.strip());
      if (found.matches()) {
        return found.group(1);
      }
    }
    throw new IllegalStateException("Keycloak ended and printed: " + seen);
  }

  private static Process end() {
    keycloak.descendants().forEach(ProcessHandle::destroyForcibly);
    return keycloak.destroyForcibly();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
    if (keycloak != null) {
      Process unused = end().onExit().join();
    }
  }

  /** Returns a credential that gets its tokens with the secret of a client. */
  private static TokenCredential credential(String name) {
    return request -> Mono.fromCallable(() -> token(name));
  }

  private static AccessToken token(String name) {
    String form =
        "grant_type=client_credentials&client_id=%s&client_secret=%1$s-secret".formatted(name);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(issuer + "/protocol/openid-connect/token"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build();
    try {
      String body = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
      JsonNode answer = new ObjectMapper().readTree(body);
      assertThat(answer.has("access_token")).as("%s", body).isTrue();
      return new AccessToken(
          answer.get("access_token").asText(),
          OffsetDateTime.now(ZoneOffset.UTC).plusSeconds(answer.get("expires_in").asLong()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static BlobServiceClient blobs(String name) {
    return new BlobServiceClientBuilder()
        .endpoint(server.account(StorageService.BLOB).base())
        .credential(credential(name))
        .httpClient(certificate.trusting())
        .buildClient();
  }

  @Test
  void aRealmRoleOpensAllServices() {
    AllServices.use(
        credential("writer"), certificate.trusting(), "things", AllServices.endpoints(server));
  }

  @Test
  void aGroupHasTheRoleOfAReader() {
    assertThat(blobs("reader").listBlobContainers().stream().count()).isNotNegative();
    refused("reader", 403);
  }

  @Test
  void aTokenForAnotherAudienceIsRefused() {
    refused("elsewhere", 401);
  }

  private static void refused(String name, int status) {
    assertThatThrownBy(() -> blobs(name).createBlobContainer("theirs"))
        .isInstanceOfSatisfying(
            BlobStorageException.class,
            refusal -> assertThat(refusal.getStatusCode()).isEqualTo(status));
  }
}
