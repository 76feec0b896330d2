package io.lazuli.spring;

import com.azure.data.tables.TableServiceAsyncClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.blob.BlobServiceAsyncClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueServiceAsyncClient;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import io.lazuli.client.pattern.outbox.OutboxWorker;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * The official clients of the three services, a typed table for each {@link StoredIn} type, and the
 * life cycle of outbox workers. A bean of the application replaces the one of the same type.
 */
@AutoConfiguration
@EnableConfigurationProperties(LazuliProperties.class)
public class LazuliAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  LazuliConnectionDetails lazuliConnectionDetails(LazuliProperties properties) {
    return properties::connectionString;
  }

  @Bean
  @ConditionalOnMissingBean
  TableServiceClient tableServiceClient(LazuliConnectionDetails details) {
    return tables(details).buildClient();
  }

  @Bean
  @ConditionalOnMissingBean
  TableServiceAsyncClient tableServiceAsyncClient(LazuliConnectionDetails details) {
    return tables(details).buildAsyncClient();
  }

  private static TableServiceClientBuilder tables(LazuliConnectionDetails details) {
    return new TableServiceClientBuilder().connectionString(details.connectionString());
  }

  @Bean
  @ConditionalOnMissingBean
  QueueServiceClient queueServiceClient(LazuliConnectionDetails details) {
    return queues(details).buildClient();
  }

  @Bean
  @ConditionalOnMissingBean
  QueueServiceAsyncClient queueServiceAsyncClient(LazuliConnectionDetails details) {
    return queues(details).buildAsyncClient();
  }

  private static QueueServiceClientBuilder queues(LazuliConnectionDetails details) {
    return new QueueServiceClientBuilder().connectionString(details.connectionString());
  }

  @Bean
  @ConditionalOnMissingBean
  BlobServiceClient blobServiceClient(LazuliConnectionDetails details) {
    return blobs(details).buildClient();
  }

  @Bean
  @ConditionalOnMissingBean
  BlobServiceAsyncClient blobServiceAsyncClient(LazuliConnectionDetails details) {
    return blobs(details).buildAsyncClient();
  }

  private static BlobServiceClientBuilder blobs(LazuliConnectionDetails details) {
    return new BlobServiceClientBuilder().connectionString(details.connectionString());
  }

  /** Static, because it must exist before other beans are made. */
  @Bean
  static TypedTables lazuliTypedTables() {
    return new TypedTables();
  }

  @Bean
  @ConditionalOnProperty(prefix = "lazuli", name = "start-workers", matchIfMissing = true)
  OutboxWorkers lazuliOutboxWorkers(ObjectProvider<OutboxWorker> workers) {
    return new OutboxWorkers(workers);
  }
}
