package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
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
  private static LoopbackIssuer issuer;

  @BeforeAll
  static void start() throws IOException {
    issuer = LoopbackIssuer.start();
    Path roles = LoopbackIssuer.roles(folder, ROLES);
    certificate = DevCert.make(folder);
    server =
        certificate.startServer(
            folder, "--oidc-issuer", issuer.name(), "--roles", roles.toString());
  }

  @AfterAll
  static void stop() {
    server.close();
    issuer.close();
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
    BlobContainerClient box = blobs(issuer.credential("owner")).createBlobContainer("box");
    box.getBlobClient("a").upload(BinaryData.fromString("hello"));
    assertThat(box.getBlobClient("a").downloadContent()).hasToString("hello");
  }

  @Test
  void messagesAreSentAndReceived() {
    QueueClient queue =
        new QueueServiceClientBuilder()
            .endpoint(endpoint(StorageService.QUEUE))
            .credential(issuer.credential("owner"))
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
            .credential(issuer.credential("owner"))
            .httpClient(certificate.trusting())
            .buildClient()
            .createTable("Staff");
    table.createEntity(new TableEntity("p", "r").addProperty("Name", "Ada"));
    assertThat(table.getEntity("p", "r").getProperty("Name")).isEqualTo("Ada");
  }

  @Test
  void aStrangerIsRefused() {
    assertThatThrownBy(() -> blobs(issuer.credential("stranger")).createBlobContainer("theirs"))
        .isInstanceOfSatisfying(
            BlobStorageException.class,
            refusal -> {
              assertThat(refusal.getStatusCode()).isEqualTo(403);
              assertThat(refusal.getErrorCode()).hasToString("AuthorizationPermissionMismatch");
            });
    TableClient table =
        new TableServiceClientBuilder()
            .endpoint(endpoint(StorageService.TABLE))
            .credential(issuer.credential("stranger"))
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
          return Mono.just(LoopbackIssuer.accessToken(issuer.token("owner", expiry)));
        };
    BlobServiceClient client = blobs(late);
    assertThat(client.listBlobContainers().stream().count()).isNotNegative();
    assertThat(tenants).containsExactly("null", "00000000-0000-0000-0000-000000000000");
  }
}
