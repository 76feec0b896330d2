package io.lazuli.client;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.net.URL;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/**
 * Notes the requests that the SDK repeated after a time-out and whose first attempt may have had an
 * effect that the caller does not know. Thread-safe.
 *
 * <ul>
 *   <li>The service rejected the repetition, because the first attempt had been made: an insert
 *       finds its own entity, a deletion finds nothing.
 *   <li>The request sent a message, which may now be in the queue twice.
 *   <li>The request received messages. Those of a lost response stay hidden for a while, and their
 *       delivery counts.
 * </ul>
 */
public final class AmbiguousRepetitions implements HttpPipelinePolicy {
  private static final Set<Integer> REJECTIONS = Set.of(404, 409, 412);
  private static final Pattern REJECTED_IN_BATCH = Pattern.compile("HTTP/1.1 (404|409|412)");
  private static final int SERVER_ERROR = 500;
  private static final int ACCEPTED = 202;
  private static final String REPEATED = "io.lazuli.client.repeated";

  private final List<String> noted = new CopyOnWriteArrayList<>();

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    HttpRequest request = context.getHttpRequest();
    boolean messages = sendsOrReceives(request);
    if (request.getHttpMethod() == HttpMethod.GET && !messages) {
      return next.process();
    }
    boolean repeated = context.getData(REPEATED).isPresent();
    return next.process()
        .flatMap(
            answer -> {
              if (answer.getStatusCode() == SERVER_ERROR) {
                context.setData(REPEATED, true);
              }
              if (repeated && messages) {
                note(answer);
                return Mono.just(answer);
              }
              return repeated ? notedIfRejected(answer) : Mono.just(answer);
            });
  }

  private static boolean sendsOrReceives(HttpRequest request) {
    URL url = request.getUrl();
    return url.getPath().endsWith("/messages")
        && request.getHttpMethod() != HttpMethod.DELETE
        && !String.valueOf(url.getQuery()).contains("peekonly=true");
  }

  private Mono<HttpResponse> notedIfRejected(HttpResponse answer) {
    HttpResponse kept = answer.buffer();
    return kept.getBodyAsString()
        .defaultIfEmpty("")
        .map(
            body -> {
              if (REJECTIONS.contains(kept.getStatusCode())
                  || (kept.getStatusCode() == ACCEPTED && REJECTED_IN_BATCH.matcher(body).find())) {
                note(kept);
              }
              return kept;
            });
  }

  private void note(HttpResponse answer) {
    HttpRequest request = answer.getRequest();
    noted.add(
        answer.getStatusCode() + " " + request.getHttpMethod() + " " + request.getUrl().getPath());
  }

  /** Returns the repetitions since the last call, as status, method and path. */
  public List<String> drain() {
    List<String> all = List.copyOf(noted);
    noted.clear();
    return all;
  }
}
