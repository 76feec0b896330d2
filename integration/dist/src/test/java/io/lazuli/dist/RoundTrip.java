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
import java.util.List;

/** Writes and reads through the official clients of the three services. */
record RoundTrip(String connectionString, HttpClient http) {
  /** The key of devstoreaccount1. */
  static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private static final List<String> ALL = List.of("blob", "queue", "table");

  /**
   * For networks that the tests are not in. The arguments: write, read, or both words; a connection
   * string; services.
   */
  public static void main(String[] args) {
    RoundTrip trip = new RoundTrip(args[1], new NettyAsyncHttpClientBuilder().build());
    for (String service : List.of(args).subList(2, args.length)) {
      if (args[0].contains("write")) {
        trip.write(service);
      }
      if (args[0].contains("read")) {
        trip.read(service);
      }
    }
    System.exit(0);
  }

  /** Returns the connection string of devstoreaccount1 on the usual ports. */
  static String developmentAccount() {
    StringBuilder text =
        new StringBuilder(
            "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=" + KEY);
    int port = 10000;
    for (String service : List.of("Blob", "Queue", "Table")) {
      text.append(";" + service + "Endpoint=http://127.0.0.1:" + port++ + "/devstoreaccount1");
    }
    return text.toString();
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
