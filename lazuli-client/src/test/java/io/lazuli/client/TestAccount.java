package io.lazuli.client;

import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.data.tables.TableServiceAsyncClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.blob.BlobServiceAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueServiceAsyncClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import io.lazuli.server.junit.LazuliExtension;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The account that the tests of a class use: on a server in their process, or the one named by
 * {@code -Dclient.account=<connection string>}, which may be on Azurite or Azure.
 */
public final class TestAccount implements BeforeAllCallback {
  private final String elsewhere = System.getProperty("client.account", "");
  private final LazuliExtension lazuli = new LazuliExtension();

  @Override
  public void beforeAll(ExtensionContext context) {
    if (elsewhere.isEmpty()) {
      lazuli.beforeAll(context);
    }
  }

  public String connectionString() {
    return elsewhere.isEmpty() ? lazuli.connectionString() : elsewhere;
  }

  /** Returns a client. The policies see every attempt of a request, including retries. */
  public TableServiceAsyncClient tables(HttpPipelinePolicy... policies) {
    TableServiceClientBuilder builder =
        new TableServiceClientBuilder().connectionString(connectionString());
    List.of(policies).forEach(builder::addPolicy);
    return builder.buildAsyncClient();
  }

  public QueueServiceAsyncClient queues(HttpPipelinePolicy... policies) {
    QueueServiceClientBuilder builder =
        new QueueServiceClientBuilder().connectionString(connectionString());
    List.of(policies).forEach(builder::addPolicy);
    return builder.buildAsyncClient();
  }

  public BlobServiceAsyncClient blobs(HttpPipelinePolicy... policies) {
    BlobServiceClientBuilder builder =
        new BlobServiceClientBuilder().connectionString(connectionString());
    List.of(policies).forEach(builder::addPolicy);
    return builder.buildAsyncClient();
  }

  /** Returns a name that no table, queue or container of another test has. */
  public static String uniqueName(String prefix) {
    return prefix + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
  }
}
