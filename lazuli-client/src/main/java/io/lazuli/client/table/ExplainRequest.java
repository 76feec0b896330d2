package io.lazuli.client.table;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.policy.AddHeadersFromContextPolicy;
import com.azure.core.http.rest.PagedResponse;
import io.lazuli.client.query.ServerExplanation;
import io.lazuli.client.query.ServerPlan;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/**
 * The headers by which a query asks for its explanation and a Lazuli server answers. The SDK has no
 * parameter for headers, so they are in the context of the request, where {@link
 * AddHeadersFromContextPolicy} finds them.
 */
enum ExplainRequest {
  /** The query is not run. */
  ONLY("header"),
  /** The query is run. */
  WITH("with");

  private static final HttpHeaderName EXPLAIN = HttpHeaderName.fromString("x-lazuli-explain");
  private static final HttpHeaderName PLAN = HttpHeaderName.fromString("x-lazuli-plan");
  private static final String HEADERS = AddHeadersFromContextPolicy.AZURE_REQUEST_HTTP_HEADERS_KEY;

  private final String value;

  ExplainRequest(String value) {
    this.value = value;
  }

  /** Adds the header to a context, next to the headers that are in it. */
  Context addTo(Context context) {
    HttpHeaders headers = new HttpHeaders();
    if (context.getOrDefault(HEADERS, null) instanceof HttpHeaders others) {
      headers.setAllHttpHeaders(others);
    }
    return context.put(HEADERS, headers.set(EXPLAIN, value));
  }

  /** Returns the plan of an answer; null if the server is not Lazuli. */
  static @Nullable ServerPlan plan(PagedResponse<?> page) {
    String header = page.getHeaders().getValue(PLAN);
    if (header == null) {
      return null;
    }
    ServerExplanation explanation = ServerExplanation.parse(header);
    return explanation == null ? ServerPlan.parse(header) : explanation.plan();
  }

  /**
   * Returns the explanation of an answer; null if the server is not Lazuli.
   *
   * @throws IllegalStateException if the server is Lazuli, but was not asked
   */
  static @Nullable ServerExplanation explanation(PagedResponse<?> page) {
    String header = page.getHeaders().getValue(PLAN);
    if (header == null) {
      return null;
    }
    ServerExplanation explanation = ServerExplanation.parse(header);
    if (explanation == null) {
      throw new IllegalStateException(
          "the client did not send x-lazuli-explain: build it with"
              + " addPolicy(new AddHeadersFromContextPolicy())");
    }
    return explanation;
  }
}
