package io.lazuli.client.fault;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Counts requests and lets the client die at one of them: that request and all later ones fail with
 * {@link ClientDied}. Thread-safe: clients of all services share one instance.
 */
public final class Cuts implements HttpPipelinePolicy {
  private final Cut cut;
  private final List<String> requests = new ArrayList<>();

  public Cuts(Cut cut) {
    this.cut = cut;
  }

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    return Mono.defer(() -> pass(number(context.getHttpRequest()), next));
  }

  private Mono<HttpResponse> pass(int number, HttpPipelineNextPolicy next) {
    if (!cut.serves(number)) {
      return Mono.error(new ClientDied());
    }
    return cut.reachedBy(number) ? next.process().flatMap(Cuts::lose) : next.process();
  }

  private static Mono<HttpResponse> lose(HttpResponse answer) {
    return answer.getBodyAsByteArray().then(Mono.error(ClientDied::new));
  }

  private synchronized int number(HttpRequest request) {
    requests.add(request.getHttpMethod() + " " + request.getUrl().getPath());
    return requests.size();
  }

  /** Returns the requests so far as method and path, including those that were cut. */
  public synchronized List<String> requests() {
    return List.copyOf(requests);
  }

  /** Returns whether the client got as far as the cut. */
  boolean happened() {
    return cut.reachedBy(requests().size());
  }
}
