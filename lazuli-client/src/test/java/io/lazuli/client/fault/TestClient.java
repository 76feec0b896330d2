package io.lazuli.client.fault;

import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.HttpPipelinePolicy;
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
import java.util.stream.Stream;

/**
 * One simulated client process: SDK clients of all three services that share a count of requests,
 * do not retry, and die together at a {@link Cut}. On a server that rehearses faults they do retry.
 */
public final class TestClient {
  private static final RetryOptions ONE_TRY =
      new RetryOptions(new FixedDelayOptions(0, Duration.ofMillis(1)));

  private final Cuts cuts;
  private final Timeouts timeouts;
  private final boolean retrying;
  private final TableServiceAsyncClient tables;
  private final QueueServiceAsyncClient queues;
  private final BlobServiceAsyncClient blobs;

  private TestClient(
      String account,
      Cuts cuts,
      Timeouts timeouts,
      RetryOptions retries,
      HttpPipelinePolicy... more) {
    this.cuts = cuts;
    this.timeouts = timeouts;
    this.retrying = retries != ONE_TRY;
    TableServiceClientBuilder tables =
        new TableServiceClientBuilder().connectionString(account).httpClient(TestAccount.HTTP);
    QueueServiceClientBuilder queues =
        new QueueServiceClientBuilder().connectionString(account).httpClient(TestAccount.HTTP);
    BlobServiceClientBuilder blobs =
        new BlobServiceClientBuilder().connectionString(account).httpClient(TestAccount.HTTP);
    Stream.concat(Stream.of(cuts, timeouts), Stream.of(more))
        .forEach(
            policy -> {
              tables.addPolicy(policy);
              queues.addPolicy(policy);
              blobs.addPolicy(policy);
            });
    this.tables = tables.retryOptions(retries).buildAsyncClient();
    this.queues = queues.retryOptions(retries).buildAsyncClient();
    this.blobs = blobs.retryOptions(retries).buildAsyncClient();
  }

  /** Creates a client that dies at the cut. */
  public static TestClient of(TestAccount account, Cut cut) {
    return of(account, cut, new Timeouts());
  }

  /** Creates a client that never dies and has timed out if the other one has. */
  static TestClient sharingTimeouts(TestAccount account, TestClient other) {
    return of(account, Cut.NEVER, other.timeouts);
  }

  private static TestClient of(TestAccount account, Cut cut, Timeouts timeouts) {
    return account.needsRetries()
        ? new TestClient(
            account.connectionString(),
            Cuts.countingCalls(cut),
            timeouts,
            TestAccount.QUICK_RETRIES,
            account.ambiguousRepetitions())
        : new TestClient(account.connectionString(), Cuts.counting(cut), timeouts, ONE_TRY);
  }

  /** Creates a client of another process, which has no {@link TestAccount}. */
  public static TestClient of(String connectionString, Cuts cuts) {
    return new TestClient(connectionString, cuts, new Timeouts(), ONE_TRY);
  }

  /** Creates a client that never dies and only counts requests. */
  public static TestClient of(TestAccount account) {
    return of(account, Cut.NEVER);
  }

  /** Returns whether this client repeats requests, because the server causes faults. */
  public boolean isRetrying() {
    return retrying;
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
    tables().createTableIfNotExists(name).block();
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
    blobs().createBlobContainerIfNotExists(name).block();
    return name;
  }

  /** Returns the policy that counts the requests, for clients that a test builds itself. */
  public Cuts cuts() {
    return cuts;
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

  /** Returns whether the service has answered a request with a time-out. */
  boolean timedOut() {
    return timeouts.happened();
  }

  boolean died() {
    return cuts.happened();
  }
}
