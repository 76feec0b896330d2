package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableServiceException;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** The official Java clients with a token credential, and an issuer on loopback. */
class TokenIT {
  private static final String ROLES =
      """
      lazuli roles 1
      assign storage-blob-data-owner devstoreaccount1 * sub owner
      assign storage-queue-data-contributor devstoreaccount1 * sub owner
      assign storage-table-data-contributor devstoreaccount1 * sub owner
      """;

  @TempDir private static Path folder;
  private static DevCert certificate;
  private static ServerProcess server;
  private static HttpServer issuer;
  private static KeyPair keys;

  @BeforeAll
  static void start() throws IOException, GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2_048);
    keys = generator.generateKeyPair();
    issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    serve("/.well-known/openid-configuration", discovery());
    serve("/keys", published());
    issuer.start();
    Path roles =
        Files.createFile(
            folder.resolve("roles"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(roles, ROLES);
    certificate = DevCert.make(folder);
    server =
        certificate.startServer(folder, "--oidc-issuer", issuerName(), "--roles", roles.toString());
  }

  @AfterAll
  static void stop() {
    server.close();
    issuer.stop(0);
  }

  private static String issuerName() {
    return "http://127.0.0.1:" + issuer.getAddress().getPort();
  }

  private static void serve(String path, String json) {
    issuer.createContext(
        path,
        exchange -> {
          byte[] body = json.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
  }

  private static String discovery() {
    return "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/keys\"}".formatted(issuerName(), issuerName());
  }

  private static String published() {
    RSAPublicKey key = (RSAPublicKey) keys.getPublic();
    return "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"k1\",\"use\":\"sig\",\"n\":\"%s\",\"e\":\"%s\"}]}"
        .formatted(base64(unsigned(key.getModulus())), base64(unsigned(key.getPublicExponent())));
  }

  private static byte[] unsigned(BigInteger number) {
    byte[] bytes = number.toByteArray();
    return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String token(String subject, Instant expiry) {
    String claims =
        "{\"iss\":\"%s\",\"aud\":\"https://storage.azure.com\",\"sub\":\"%s\",\"exp\":%d}"
            .formatted(issuerName(), subject, expiry.getEpochSecond());
    String text =
        base64("{\"alg\":\"RS256\",\"kid\":\"k1\"}".getBytes(StandardCharsets.UTF_8))
            + "."
            + base64(claims.getBytes(StandardCharsets.UTF_8));
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(keys.getPrivate());
      signature.update(text.getBytes(StandardCharsets.UTF_8));
      return text + "." + base64(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TokenCredential credential(String subject) {
    return request -> Mono.just(accessToken(token(subject, Instant.now().plusSeconds(3_600))));
  }

  private static AccessToken accessToken(String text) {
    return new AccessToken(text, OffsetDateTime.now(ZoneOffset.UTC).plusHours(1));
  }

  private static BlobServiceClient blobs(TokenCredential credential) {
    return new BlobServiceClientBuilder()
        .endpoint(endpoint(StorageService.BLOB))
        .credential(credential)
        .httpClient(certificate.trusting())
        .buildClient();
  }

  private static String endpoint(StorageService service) {
    return server.account(service).endpoint().toString();
  }

  @Test
  void blobsAreWrittenAndRead() {
    BlobContainerClient box = blobs(credential("owner")).createBlobContainer("box");
    box.getBlobClient("a").upload(BinaryData.fromString("hello"));
    assertThat(box.getBlobClient("a").downloadContent()).hasToString("hello");
  }

  @Test
  void messagesAreSentAndReceived() {
    QueueClient queue =
        new QueueServiceClientBuilder()
            .endpoint(endpoint(StorageService.QUEUE))
            .credential(credential("owner"))
            .httpClient(certificate.trusting())
            .buildClient()
            .createQueue("jobs");
    queue.sendMessage("hello");
    assertThat(queue.receiveMessage().getBody()).hasToString("hello");
  }

  @Test
  void entitiesAreWrittenAndRead() {
    TableClient table =
        new TableServiceClientBuilder()
            .endpoint(endpoint(StorageService.TABLE))
            .credential(credential("owner"))
            .httpClient(certificate.trusting())
            .buildClient()
            .createTable("Staff");
    table.createEntity(new TableEntity("p", "r").addProperty("Name", "Ada"));
    assertThat(table.getEntity("p", "r").getProperty("Name")).isEqualTo("Ada");
  }

  @Test
  void aStrangerIsRefused() {
    assertThatThrownBy(() -> blobs(credential("stranger")).createBlobContainer("theirs"))
        .isInstanceOfSatisfying(
            BlobStorageException.class,
            refusal -> {
              assertThat(refusal.getStatusCode()).isEqualTo(403);
              assertThat(refusal.getErrorCode()).hasToString("AuthorizationPermissionMismatch");
            });
    TableClient table =
        new TableServiceClientBuilder()
            .endpoint(endpoint(StorageService.TABLE))
            .credential(credential("stranger"))
            .httpClient(certificate.trusting())
            .buildClient()
            .getTableClient("Staff");
    assertThatThrownBy(() -> table.getEntity("p", "r"))
        .isInstanceOfSatisfying(
            TableServiceException.class,
            refusal -> assertThat(refusal.getResponse().getStatusCode()).isEqualTo(403));
  }

  /** The client reads the challenge of the first answer and asks for a token of that tenant. */
  @Test
  void theClientFollowsTheChallenge() {
    List<String> tenants = new CopyOnWriteArrayList<>();
    TokenCredential late =
        request -> {
          tenants.add(String.valueOf(request.getTenantId()));
          boolean first = tenants.size() == 1;
          Instant expiry = Instant.now().plusSeconds(first ? -3_600 : 3_600);
          return Mono.just(accessToken(token("owner", expiry)));
        };
    BlobServiceClient client = blobs(late);
    assertThat(client.listBlobContainers().stream().count()).isNotNegative();
    assertThat(tenants).containsExactly("null", "00000000-0000-0000-0000-000000000000");
  }
}
