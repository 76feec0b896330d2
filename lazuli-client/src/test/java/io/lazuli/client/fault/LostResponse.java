package io.lazuli.client.fault;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableServiceAsyncClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.blob.BlobServiceAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueServiceAsyncClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import io.lazuli.client.TestAccount;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/**
 * Loses the response to the n-th request of a client, counted from 1, after the service has
 * processed it. The SDK then sends the request again.
 */
public final class LostResponse implements HttpPipelinePolicy {
  private static final RetryOptions SOON =
      new RetryOptions(new FixedDelayOptions(3, Duration.ofMillis(1)));

  private final int request;
  private final Runnable then;
  private final AtomicInteger requests = new AtomicInteger();

  /**
   * Loses a response.
   *
   * @param then another client acts before the request is sent again
   */
  public LostResponse(int request, Runnable then) {
    this.request = request;
    this.then = then;
  }

  public LostResponse(int request) {
    this(request, () -> {});
  }

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    return Mono.defer(
        () ->
            requests.incrementAndGet() == request
                ? next.process().flatMap(this::lost)
                : next.process());
  }

  private Mono<HttpResponse> lost(HttpResponse response) {
    return response
        .getBodyAsByteArray()
        .then(Mono.fromRunnable(then).subscribeOn(BlockingThreads.get()))
        .then(Mono.error(() -> new IOException("the response was lost")));
  }

  /** Returns the number of requests, including the repeated one. */
  public int requests() {
    return requests.get();
  }

  public TableServiceAsyncClient tables(TestAccount account) {
    return new TableServiceClientBuilder()
        .connectionString(account.connectionString())
        .retryOptions(SOON)
        .addPolicy(this)
        .buildAsyncClient();
  }

  public QueueServiceAsyncClient queues(TestAccount account) {
    return new QueueServiceClientBuilder()
        .connectionString(account.connectionString())
        .retryOptions(SOON)
        .addPolicy(this)
        .buildAsyncClient();
  }

  public BlobServiceAsyncClient blobs(TestAccount account) {
    return new BlobServiceClientBuilder()
        .connectionString(account.connectionString())
        .retryOptions(SOON)
        .addPolicy(this)
        .buildAsyncClient();
  }
}
