package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.sas.BlobSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The official Java clients with a connection string that has a suffix instead of endpoints: over
 * https on one port, with a certificate of {@code lazuli dev-cert}.
 */
class OnePortIT {

  @TempDir private static Path folder;
  private static ServerProcess server;
  private static HttpClient http;
  private static String connectionString;

  @BeforeAll
  static void start() throws IOException {
    DevCert certificate = DevCert.make(folder);
    server = certificate.startServer(folder, "--one-port", "0");
    http =
        certificate.trusting(
            reactor.netty.http.client.HttpClient.create().resolver(new LoopbackResolver()));
    Account account = server.account(StorageService.BLOB);
    connectionString =
        "DefaultEndpointsProtocol=https;AccountName=%s;AccountKey=%s;EndpointSuffix=localhost:%d"
            .formatted(account.name(), account.key(), account.port());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void allServicesHaveTheSamePort() {
    for (StorageService service : StorageService.values()) {
      assertThat(server.account(service).endpoint())
          .hasHost("devstoreaccount1." + service.word() + ".localhost")
          .hasPort(server.account(StorageService.BLOB).port())
          .hasPath("");
    }
  }

  @Test
  void entitiesAreWrittenInTransactionsAndReadInPages() {
    TableClient table =
        new TableServiceClientBuilder()
            .connectionString(connectionString)
            .httpClient(http)
            .buildClient()
            .createTable("Staff");
    List<TableTransactionAction> inserts =
        IntStream.range(0, 5)
            .mapToObj(i -> new TableEntity("p", "r" + i))
            .map(one -> new TableTransactionAction(TableTransactionActionType.CREATE, one))
            .toList();
    table.submitTransaction(inserts);
    ListEntitiesOptions two = new ListEntitiesOptions().setTop(2);
    assertThat(table.listEntities(two, null, null).stream().count()).isEqualTo(5);
  }

  @Test
  void messagesAreSentAndReceived() {
    QueueClient queue =
        new QueueServiceClientBuilder()
            .connectionString(connectionString)
            .httpClient(http)
            .buildClient()
            .createQueue("jobs");
    queue.sendMessage("hello");
    assertThat(queue.receiveMessage().getBody()).hasToString("hello");
  }

  @Test
  void blobsAreListedInPagesAndCopiedWithASignature() {
    BlobContainerClient container =
        new BlobServiceClientBuilder()
            .connectionString(connectionString)
            .httpClient(http)
            .buildClient()
            .createBlobContainer("box");
    for (String name : List.of("a", "b", "c")) {
      container.getBlobClient(name).upload(BinaryData.fromString(name));
    }
    assertThat(container.listBlobs(new ListBlobsOptions().setMaxResultsPerPage(2), null))
        .hasSize(3);
    BlobClient source = container.getBlobClient("a");
    BlobServiceSasSignatureValues reading =
        new BlobServiceSasSignatureValues(
            OffsetDateTime.now(ZoneOffset.UTC).plusHours(1),
            new BlobSasPermission().setReadPermission(true));
    String signed = source.getBlobUrl() + "?" + source.generateSas(reading);
    assertThat(signed).startsWith("https://devstoreaccount1.blob.localhost:");
    container.getBlobClient("copy").getBlockBlobClient().uploadFromUrl(signed, true);
    assertThat(container.getBlobClient("copy").downloadContent()).hasToString("a");
  }

  /** Runs the cases about addresses at hosts that name the account. */
  @Test
  void theConformanceSuitePassesOnOnePort() throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path json = folder.resolve("report.json");
    Path jar = Path.of("target", "lazuli-conformance.jar");
    Process process =
        new ProcessBuilder(
                List.of(
                    java.toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-jar",
                    jar.toString(),
                    "conformance",
                    "--one-port",
                    "--area",
                    "addressing",
                    "--json",
                    json.toString()))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.onExit().join().exitValue()).as("%s", said).isZero();
    JsonNode total = new ObjectMapper().readTree(json.toFile()).path("total");
    assertThat(total.path("passed").asInt()).as("%s", said).isGreaterThan(100);
  }

  /** Resolves all names to loopback, because many systems do not resolve those of localhost. */
  private static final class LoopbackResolver extends AddressResolverGroup<InetSocketAddress> {

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
      return new InetNameResolver(executor) {
        @Override
        protected void doResolve(String name, Promise<InetAddress> found)
            throws UnknownHostException {
          found.setSuccess(InetAddress.getByAddress(name, new byte[] {127, 0, 0, 1}));
        }

        @Override
        protected void doResolveAll(String name, Promise<List<InetAddress>> found)
            throws UnknownHostException {
          found.setSuccess(List.of(InetAddress.getByAddress(name, new byte[] {127, 0, 0, 1})));
        }
      }.asAddressResolver();
    }
  }
}
