package io.lazuli.conformance;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Stores something in each service with a credential, as users do. */
final class AllServices {
  private static final String WORD = "hello";

  private AllServices() {}

  /** Returns the endpoints of blobs, queues and tables of a server. */
  static List<String> endpoints(ServerProcess server) {
    return Stream.of(StorageService.BLOB, StorageService.QUEUE, StorageService.TABLE)
        .map(service -> server.account(service).base())
        .toList();
  }

  /**
   * Creates a container, a queue and a table, and reads what it wrote.
   *
   * @param client the HTTP client of the SDKs; null for their own
   * @param name the name of all three, lower-case letters and digits
   */
  static void use(
      TokenCredential credential,
      @Nullable HttpClient client,
      String name,
      List<String> endpoints) {
    BlobContainerClient box =
        new BlobServiceClientBuilder()
            .endpoint(endpoints.get(0))
            .credential(credential)
            .httpClient(client)
            .buildClient()
            .createBlobContainer(name);
    box.getBlobClient("a").upload(BinaryData.fromString(WORD));
    require(box.getBlobClient("a").downloadContent().toString());
    QueueClient queue =
        new QueueServiceClientBuilder()
            .endpoint(endpoints.get(1))
            .credential(credential)
            .httpClient(client)
            .buildClient()
            .createQueue(name);
    queue.sendMessage(WORD);
    require(queue.receiveMessage().getBody().toString());
    TableClient table =
        new TableServiceClientBuilder()
            .endpoint(endpoints.get(2))
            .credential(credential)
            .httpClient(client)
            .buildClient()
            .createTable(name);
    table.createEntity(new TableEntity("p", "r").addProperty("Word", WORD));
    require(String.valueOf(table.getEntity("p", "r").getProperty("Word")));
  }

  private static void require(String word) {
    if (!word.equals(WORD)) {
      throw new IllegalStateException("read " + word);
    }
  }
}
