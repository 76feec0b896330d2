package io.lazuli.client.fault;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import reactor.core.publisher.Mono;

/** Notes whether the service has answered a request with a time-out (500). Thread-safe. */
final class Timeouts implements HttpPipelinePolicy {
  private static final int TIME_OUT = 500;

  private volatile boolean happened;

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    return next.process()
        .doOnNext(
            answer -> {
              if (answer.getStatusCode() == TIME_OUT) {
                happened = true;
              }
            });
  }

  boolean happened() {
    return happened;
  }
}
