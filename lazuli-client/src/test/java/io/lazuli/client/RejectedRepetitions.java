package io.lazuli.client;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/**
 * Notes the writes that the SDK repeated after a response was lost, and that the service rejected
 * because the first attempt had been made: an insert that finds its own entity, a deletion that
 * finds nothing. Thread-safe.
 */
public final class RejectedRepetitions implements HttpPipelinePolicy {
  private static final Set<Integer> REJECTIONS = Set.of(404, 409, 412);
  private static final Pattern REJECTED_IN_BATCH = Pattern.compile("HTTP/1.1 (404|409|412)");
  private static final int SERVER_ERROR = 500;
  private static final int ACCEPTED = 202;
  private static final String REPEATED = "io.lazuli.client.repeated";

  private final List<String> rejected = new CopyOnWriteArrayList<>();

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    if (context.getHttpRequest().getHttpMethod() == HttpMethod.GET) {
      return next.process();
    }
    boolean repeated = context.getData(REPEATED).isPresent();
    return next.process()
        .flatMap(
            answer -> {
              if (answer.getStatusCode() == SERVER_ERROR) {
                context.setData(REPEATED, true);
              }
              return repeated ? noted(answer) : Mono.just(answer);
            });
  }

  private Mono<HttpResponse> noted(HttpResponse answer) {
    HttpResponse kept = answer.buffer();
    return kept.getBodyAsString()
        .defaultIfEmpty("")
        .map(
            body -> {
              if (REJECTIONS.contains(kept.getStatusCode())
                  || (kept.getStatusCode() == ACCEPTED && REJECTED_IN_BATCH.matcher(body).find())) {
                rejected.add(
                    kept.getStatusCode()
                        + " "
                        + kept.getRequest().getHttpMethod()
                        + " "
                        + kept.getRequest().getUrl().getPath());
              }
              return kept;
            });
  }

  /** Returns the rejected writes since the last call, as status, method and path. */
  public List<String> drain() {
    List<String> all = List.copyOf(rejected);
    rejected.clear();
    return all;
  }
}
