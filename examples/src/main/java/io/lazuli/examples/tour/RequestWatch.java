package io.lazuli.examples.tour;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Records the requests that pass through its policies, including retries. Thread-safe. */
final class RequestWatch {
  private static final HttpHeaderName PLAN = HttpHeaderName.fromString("x-lazuli-plan");
  private static final Pattern READ = Pattern.compile("read=(\\d+)");

  /** A tour sends a few hundred requests; {@link #forget} clears the list before each step. */
  private final List<SeenRequest> seen = new CopyOnWriteArrayList<>();

  /** Returns a policy for the client of a service. */
  HttpPipelinePolicy policy(String service) {
    return (call, next) ->
        next.process().doOnNext(answer -> see(service, call.getHttpRequest(), answer));
  }

  private void see(String service, HttpRequest request, HttpResponse answer) {
    String path = request.getUrl().getPath();
    String name = path.substring(Math.max(path.indexOf('/', 1), 0));
    seen.add(
        new SeenRequest(
            service,
            request.getHttpMethod().toString(),
            URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8),
            read(answer.getHeaderValue(PLAN))));
  }

  private static OptionalLong read(@Nullable String plan) {
    Matcher matcher = READ.matcher(plan == null ? "" : plan);
    return matcher.find()
        ? OptionalLong.of(Long.parseLong(matcher.group(1)))
        : OptionalLong.empty();
  }

  void forget() {
    seen.clear();
  }

  List<SeenRequest> seen() {
    return List.copyOf(seen);
  }
}
