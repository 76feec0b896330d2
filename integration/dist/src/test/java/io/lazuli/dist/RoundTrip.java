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
  private static final List<String> ALL = List.of("blob", "queue", "table");

  /** For networks that the tests are not in. The arguments: a connection string and services. */
  public static void main(String[] args) {
    RoundTrip trip = new RoundTrip(args[0], new NettyAsyncHttpClientBuilder().build());
    for (String service : List.of(args).subList(1, args.length)) {
      trip.write(service);
      trip.read(service);
    }
    System.exit(0);
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
