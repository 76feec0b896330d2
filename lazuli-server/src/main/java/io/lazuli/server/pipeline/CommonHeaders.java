package io.lazuli.server.pipeline;

import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.protocol.ApiVersion;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Adds the headers that every answer has (table-rest 3.2). */
public final class CommonHeaders implements Step {
  private final String serverName;
  private final Clock clock;
  private final int clientRequestIdMax;
  private volatile CachedDate date = new CachedDate(0, "");

  /**
   * @param clientRequestIdMax the maximum length of a client's request id; a longer one is not
   *     returned
   */
  public CommonHeaders(String serverName, Clock clock, int clientRequestIdMax) {
    this.serverName = serverName;
    this.clock = clock;
    this.clientRequestIdMax = clientRequestIdMax;
  }

  @Override
  public CompletionStage<Response> handle(Request request, Endpoint next) {
    return next.handle(request).thenApply(response -> complete(request, response));
  }

  private Response complete(Request request, Response response) {
    Response.Builder out = response.toBuilder();
    identify(request, ApiVersion.of(request), out);
    return out.header("Date", date()).build();
  }

  /**
   * Adds all headers except the date, which answers inside a batch do not have.
   *
   * @param version the requested version; null if none was requested
   */
  public void identify(Request request, @Nullable String version, Response.Builder out) {
    out.header("Server", serverName)
        .header("x-ms-request-id", request.id())
        .header("x-ms-version", version == null ? ApiVersion.NEWEST : version);
    String clientId = request.header("x-ms-client-request-id");
    if (clientId != null && isEchoed(clientId)) {
      out.header("x-ms-client-request-id", clientId);
    }
  }

  /**
   * Returns whether a client's id can be returned. Control characters are not allowed in a header.
   */
  private boolean isEchoed(String clientId) {
    return clientId.length() <= clientRequestIdMax
        && clientId.chars().noneMatch(c -> c < ' ' || c == 0x7f);
  }

  private String date() {
    long second = clock.millis() / 1000;
    CachedDate cached = date;
    if (cached.second != second) {
      cached = new CachedDate(second, HttpDate.format(Instant.ofEpochSecond(second)));
      date = cached;
    }
    return cached.text;
  }

  private record CachedDate(long second, String text) {}
}
