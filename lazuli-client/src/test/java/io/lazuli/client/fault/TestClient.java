package io.lazuli.client.fault;

import com.azure.core.http.HttpClient;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableServiceAsyncClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.BlobServiceAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueServiceAsyncClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import io.lazuli.client.TestAccount;
import java.time.Duration;
import java.util.List;

/**
 * One simulated client process: SDK clients of all three services that share a count of requests,
 * do not retry, and die together at a {@link Cut}.
 */
public final class TestClient {
  private static final HttpClient HTTP = HttpClient.createDefault();
  private static final RetryOptions ONE_TRY =
      new RetryOptions(new FixedDelayOptions(0, Duration.ofMillis(1)));

  private final Cuts cuts;
  private final TableServiceAsyncClient tables;
  private final QueueServiceAsyncClient queues;
  private final BlobServiceAsyncClient blobs;

  private TestClient(TestAccount account, Cuts cuts) {
    this.cuts = cuts;
    this.tables =
        new TableServiceClientBuilder()
            .connectionString(account.connectionString())
            .httpClient(HTTP)
            .retryOptions(ONE_TRY)
            .addPolicy(cuts)
            .buildAsyncClient();
    this.queues =
        new QueueServiceClientBuilder()
            .connectionString(account.connectionString())
            .httpClient(HTTP)
            .retryOptions(ONE_TRY)
            .addPolicy(cuts)
            .buildAsyncClient();
    this.blobs =
        new BlobServiceClientBuilder()
            .connectionString(account.connectionString())
            .httpClient(HTTP)
            .retryOptions(ONE_TRY)
            .addPolicy(cuts)
            .buildAsyncClient();
  }

  /** Creates a client that dies at the cut. */
  public static TestClient of(TestAccount account, Cut cut) {
    return new TestClient(account, new Cuts(cut));
  }

  /** Creates a client that never dies and only counts requests. */
  public static TestClient of(TestAccount account) {
    return of(account, Cut.NEVER);
  }

  public TableServiceAsyncClient tables() {
    return tables;
  }

  public QueueServiceAsyncClient queues() {
    return queues;
  }

  public BlobServiceAsyncClient blobs() {
    return blobs;
  }

  public TableAsyncClient table(String name) {
    return tables().getTableClient(name);
  }

  public QueueAsyncClient queue(String name) {
    return queues().getQueueAsyncClient(name);
  }

  public BlobContainerAsyncClient container(String name) {
    return blobs().getBlobContainerAsyncClient(name);
  }

  /** Creates a table in this client's account. */
  public String newTable() {
    String name = TestAccount.uniqueName("table");
    tables().createTable(name).block();
    return name;
  }

  /** Creates a queue in this client's account. */
  public String newQueue() {
    String name = TestAccount.uniqueName("queue");
    queues().createQueue(name).block();
    return name;
  }

  /** Creates a container in this client's account. */
  public String newContainer() {
    String name = TestAccount.uniqueName("container");
    blobs().createBlobContainer(name).block();
    return name;
  }

  /** Returns all requests so far, as method and path. */
  public List<String> requests() {
    return cuts.requests();
  }

  /**
   * Returns the number of requests that the action sends, provided that nothing else uses this
   * client.
   */
  public int count(Runnable action) {
    int before = requests().size();
    action.run();
    return requests().size() - before;
  }

  boolean died() {
    return cuts.happened();
  }
}
