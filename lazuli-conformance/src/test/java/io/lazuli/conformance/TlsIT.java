package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.policy.FixedDelay;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobClientBuilder;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.sas.BlobSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import com.azure.storage.common.sas.SasProtocol;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The official Java clients over HTTPS, with a certificate of {@code lazuli dev-cert}. */
class TlsIT {

  @TempDir private static Path folder;
  private static DevCert certificate;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws IOException {
    certificate = DevCert.make(folder);
    server = certificate.startServer(folder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void devCertTellsHowToStartAndHowToTrust() {
    assertThat(certificate.said())
        .contains("lazuli serve --tls-cert ", "NODE_EXTRA_CA_CERTS=", "keytool", "certutil")
        .contains(certificate.authority().toString());
  }

  @Test
  void entitiesAreWrittenAndRead() {
    TableClient table =
        new TableServiceClientBuilder()
            .connectionString(server.account(StorageService.TABLE).connectionString())
            .httpClient(certificate.trusting())
            .buildClient()
            .createTable("Staff");
    assertThat(table.getTableEndpoint()).startsWith("https://127.0.0.1:");
    table.createEntity(new TableEntity("p", "r").addProperty("Name", "Ada"));
    assertThat(table.getEntity("p", "r").getProperty("Name")).isEqualTo("Ada");
  }

  @Test
  void messagesAreSentAndReceived() {
    QueueClient queue =
        new QueueServiceClientBuilder()
            .connectionString(server.account(StorageService.QUEUE).connectionString())
            .httpClient(certificate.trusting())
            .buildClient()
            .createQueue("jobs");
    queue.sendMessage("hello");
    assertThat(queue.receiveMessage().getBody()).hasToString("hello");
  }

  @Test
  void largeBlobsComeBackByteForByteAlsoToASignatureForHttpsOnly() {
    byte[] content = new byte[5 << 20];
    new Random(7).nextBytes(content);
    BlobClient blob =
        new BlobServiceClientBuilder()
            .connectionString(server.account(StorageService.BLOB).connectionString())
            .httpClient(certificate.trusting())
            .buildClient()
            .createBlobContainer("box")
            .getBlobClient("large");
    blob.upload(BinaryData.fromBytes(content));
    assertThat(blob.downloadContent().toBytes()).isEqualTo(content);
    String token =
        blob.generateSas(
            new BlobServiceSasSignatureValues(
                    OffsetDateTime.now(ZoneOffset.UTC).plusHours(1),
                    new BlobSasPermission().setReadPermission(true))
                .setProtocol(SasProtocol.HTTPS_ONLY));
    BlobClient reader =
        new BlobClientBuilder()
            .endpoint(blob.getBlobUrl())
            .sasToken(token)
            .httpClient(certificate.trusting())
            .buildClient();
    assertThat(reader.downloadContent().toBytes()).isEqualTo(content);
  }

  @Test
  void aClientThatDoesNotTrustTheAuthorityDoesNotConnect() {
    TableClient table =
        new TableServiceClientBuilder()
            .connectionString(server.account(StorageService.TABLE).connectionString())
            .retryPolicy(new RetryPolicy(new FixedDelay(0, Duration.ZERO)))
            .buildClient()
            .getTableClient("Staff");
    assertThatThrownBy(() -> table.getEntity("p", "r"))
        .hasStackTraceContaining("unable to find valid certification path");
  }
}
