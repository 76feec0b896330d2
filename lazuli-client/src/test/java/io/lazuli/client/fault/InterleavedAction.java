package io.lazuli.client.fault;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** Delays a client before its n-th request, counted from 1, until another actor has acted. */
public final class InterleavedAction implements HttpPipelinePolicy {
  private final int request;
  private final Runnable act;
  private final AtomicInteger requests = new AtomicInteger();

  public InterleavedAction(int request, Runnable act) {
    this.request = request;
    this.act = act;
  }

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    return Mono.defer(
        () ->
            requests.incrementAndGet() == request
                ? Mono.fromRunnable(act)
                    .subscribeOn(BlockingThreads.get())
                    .then(Mono.defer(next::process))
                : next.process());
  }

  /** Returns the number of requests, including those of failed attempts. */
  public int requests() {
    return requests.get();
  }
}
