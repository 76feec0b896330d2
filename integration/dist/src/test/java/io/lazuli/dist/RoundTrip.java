package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLException;

/** Writes and reads through the official clients of the three services. */
record RoundTrip(String connectionString, HttpClient http) {
  private static final List<String> ALL = List.of("blob", "queue", "table");

  /**
   * For networks that the tests are not in. The arguments: write, read, or both words; a connection
   * string; services, and before these {@code trust=FILE}, whose certificates are trusted.
   */
  public static void main(String[] args) throws SSLException {
    HttpClient http = new NettyAsyncHttpClientBuilder().build();
    for (String word : List.of(args).subList(2, args.length)) {
      if (word.startsWith("trust=")) {
        http = trusting(Path.of(word.substring("trust=".length())));
        continue;
      }
      RoundTrip trip = new RoundTrip(args[1], http);
      if (args[0].contains("write")) {
        trip.write(word);
      }
      if (args[0].contains("read")) {
        trip.read(word);
      }
    }
    System.exit(0);
  }

  /** Returns the connection string of devstoreaccount1 on the usual ports. */
  static String developmentAccount() {
    return developmentAccount("http");
  }

  static String developmentAccount(String scheme) {
    return Dist.connectionString(scheme, "devstoreaccount1", Dist.DEVELOPMENT_KEY);
  }

  /** Returns a client that trusts the certificates in a PEM file, and them only. */
  static HttpClient trusting(Path certificates) throws SSLException {
    SslContext context =
        SslContextBuilder.forClient()
            .trustManager(certificates.toFile())
            .protocols("TLSv1.3")
            .build();
    return new NettyAsyncHttpClientBuilder(
            reactor.netty.http.client.HttpClient.create()
                .secure(settings -> settings.sslContext(context)))
        .build();
  }

  void write() {
    ALL.forEach(this::write);
  }

  void read() {
    ALL.forEach(this::read);
  }

  private void write(String service) {
    switch (service) {
      case "table" -> tables().createTable("Staff").createEntity(new TableEntity("p", "r"));
      case "queue" -> queues().createQueue("jobs").sendMessage("hello");
      case "blob" ->
          blobs()
              .createBlobContainer("box")
              .getBlobClient("note")
              .upload(BinaryData.fromString("content"));
      default -> throw new IllegalArgumentException(service);
    }
  }

  private void read(String service) {
    switch (service) {
      case "table" ->
          assertThat(tables().getTableClient("Staff").getEntity("p", "r").getRowKey())
              .isEqualTo("r");
      case "queue" ->
          assertThat(queues().getQueueClient("jobs").peekMessage().getBody()).hasToString("hello");
      case "blob" ->
          assertThat(blobs().getBlobContainerClient("box").getBlobClient("note").downloadContent())
              .hasToString("content");
      default -> throw new IllegalArgumentException(service);
    }
  }

  private TableServiceClient tables() {
    return new TableServiceClientBuilder()
        .connectionString(connectionString)
        .httpClient(http)
        .buildClient();
  }

  private QueueServiceClient queues() {
    return new QueueServiceClientBuilder()
        .connectionString(connectionString)
        .httpClient(http)
        .buildClient();
  }

  private BlobServiceClient blobs() {
    return new BlobServiceClientBuilder()
        .connectionString(connectionString)
        .httpClient(http)
        .buildClient();
  }
}
