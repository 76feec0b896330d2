package io.lazuli.client.fault;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/**
 * Loses requests and answers of writes, so that the SDK repeats the writes. A share of the attempts
 * never arrives, and the answers of another share are lost. Thread-safe.
 */
public final class LossyNetwork implements HttpPipelinePolicy {
  private final Random random;
  private final double requests;
  private final double answers;
  private final AtomicInteger lost = new AtomicInteger();

  public LossyNetwork(long seed, double requests, double answers) {
    this.random = new Random(seed);
    this.requests = requests;
    this.answers = answers;
  }

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    if (context.getHttpRequest().getHttpMethod() == HttpMethod.GET) {
      return next.process();
    }
    double drawn = random.nextDouble();
    if (drawn < requests) {
      return Mono.error(new IOException("the request was lost"));
    }
    if (drawn < requests + answers) {
      return next.process().flatMap(this::lose);
    }
    return next.process();
  }

  private Mono<HttpResponse> lose(HttpResponse answer) {
    lost.incrementAndGet();
    return answer
        .getBodyAsByteArray()
        .then(Mono.error(new IOException("the answer to the request was lost")));
  }

  /** Returns the number of answers that were lost. */
  public int lost() {
    return lost.get();
  }
}
