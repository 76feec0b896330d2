package io.lazuli.examples;

import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableServiceAsyncClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.BlobServiceAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueServiceAsyncClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import java.util.function.Function;

/**
 * A storage account: the official clients of its three services, and the tables, queues and
 * containers of the examples, which are created if they are missing. Immutable and thread-safe.
 */
public final class Account {
  private final TableServiceAsyncClient tables;
  private final QueueServiceAsyncClient queues;
  private final BlobServiceAsyncClient blobs;

  private Account(String connectionString, Function<String, HttpPipelinePolicy> policies) {
    this.tables =
        new TableServiceClientBuilder()
            .connectionString(connectionString)
            .addPolicy(policies.apply("table"))
            .buildAsyncClient();
    this.queues =
        new QueueServiceClientBuilder()
            .connectionString(connectionString)
            .addPolicy(policies.apply("queue"))
            .buildAsyncClient();
    this.blobs =
        new BlobServiceClientBuilder()
            .connectionString(connectionString)
            .addPolicy(policies.apply("blob"))
            .buildAsyncClient();
  }

  /**
   * Returns the account of the first argument, or the development account that every emulator has.
   */
  public static Account of(String[] args) {
    String connectionString = args.length == 0 ? "UseDevelopmentStorage=true" : args[0];
    return watched(connectionString, service -> (call, next) -> next.process());
  }

  /**
   * Returns an account whose requests pass through policies.
   *
   * @param policies returns the policy for a service, given its name: table, queue or blob
   */
  public static Account watched(
      String connectionString, Function<String, HttpPipelinePolicy> policies) {
    return new Account(connectionString, policies);
  }

  /** Returns the table service, for examples that create tables themselves. */
  public TableServiceAsyncClient tables() {
    return tables;
  }

  /** Returns a table, which is created if it is missing. */
  public TableAsyncClient table(String name) {
    tables.createTableIfNotExists(name).block();
    return tables.getTableClient(name);
  }

  /** Returns a queue, which is created if it is missing. */
  public QueueAsyncClient queue(String name) {
    QueueAsyncClient queue = queues.getQueueAsyncClient(name);
    queue.createIfNotExists().block();
    return queue;
  }

  /** Returns a container, which is created if it is missing. */
  public BlobContainerAsyncClient container(String name) {
    BlobContainerAsyncClient container = blobs.getBlobContainerAsyncClient(name);
    container.createIfNotExists().block();
    return container;
  }
}
