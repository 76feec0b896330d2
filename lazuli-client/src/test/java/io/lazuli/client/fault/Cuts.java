package io.lazuli.client.fault;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * Counts requests and lets the client die at one of them: that request and all later ones fail with
 * {@link ClientDied}, or the process halts. Thread-safe: clients of all services share one
 * instance.
 */
public final class Cuts implements HttpPipelinePolicy {
  private final Cut cut;
  private final Supplier<RuntimeException> death;
  private final HttpPipelinePosition position;
  private final List<String> requests = new ArrayList<>();

  /**
   * Creates a policy.
   *
   * @param death is called at the cut; if it returns, the request fails with the result
   * @param position whether a request that the SDK repeats counts once or each time
   */
  private Cuts(Cut cut, Supplier<RuntimeException> death, HttpPipelinePosition position) {
    this.cut = cut;
    this.death = death;
    this.position = position;
  }

  /** Creates a policy that counts every request, and repeated ones each time. */
  public static Cuts counting(Cut cut) {
    return new Cuts(cut, ClientDied::new, HttpPipelinePosition.PER_RETRY);
  }

  /** Creates a policy that counts a request that the SDK repeats once. */
  static Cuts countingCalls(Cut cut) {
    return new Cuts(cut, ClientDied::new, HttpPipelinePosition.PER_CALL);
  }

  /** Creates a policy that ends the process at the cut. */
  public static Cuts ending(Cut cut, Supplier<RuntimeException> process) {
    return new Cuts(cut, process, HttpPipelinePosition.PER_RETRY);
  }

  @Override
  public HttpPipelinePosition getPipelinePosition() {
    return position;
  }

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    return Mono.defer(() -> pass(number(context.getHttpRequest()), next));
  }

  private Mono<HttpResponse> pass(int number, HttpPipelineNextPolicy next) {
    if (!cut.serves(number)) {
      return Mono.error(death);
    }
    return cut.reachedBy(number) ? next.process().flatMap(this::lose) : next.process();
  }

  private Mono<HttpResponse> lose(HttpResponse answer) {
    return answer.getBodyAsByteArray().then(Mono.error(death));
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
