package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueServiceClientBuilder;

/** Writes and reads through the official clients of the three services. */
record RoundTrip(String connectionString, HttpClient http) {
  void write() {
    new TableServiceClientBuilder()
        .connectionString(connectionString)
        .httpClient(http)
        .buildClient()
        .createTable("Staff")
        .createEntity(new TableEntity("p", "r").addProperty("Name", "Ada"));
    new QueueServiceClientBuilder()
        .connectionString(connectionString)
        .httpClient(http)
        .buildClient()
        .createQueue("jobs")
        .sendMessage("hello");
    new BlobServiceClientBuilder()
        .connectionString(connectionString)
        .httpClient(http)
        .buildClient()
        .createBlobContainer("box")
        .getBlobClient("note")
        .upload(BinaryData.fromString("content"));
  }

  void read() {
    assertThat(
            new TableServiceClientBuilder()
                .connectionString(connectionString)
                .httpClient(http)
                .buildClient()
                .getTableClient("Staff")
                .getEntity("p", "r")
                .getProperty("Name"))
        .isEqualTo("Ada");
    assertThat(
            new QueueServiceClientBuilder()
                .connectionString(connectionString)
                .httpClient(http)
                .buildClient()
                .getQueueClient("jobs")
                .peekMessage()
                .getBody())
        .hasToString("hello");
    assertThat(
            new BlobServiceClientBuilder()
                .connectionString(connectionString)
                .httpClient(http)
                .buildClient()
                .getBlobContainerClient("box")
                .getBlobClient("note")
                .downloadContent())
        .hasToString("content");
  }
}
