package io.lazuli.server.http;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.CompletionStage;

/** Adds the headers that every answer carries (table-rest.md 3.2). */
final class CommonHeaders implements Step {
  private final String serverName;
  private final Clock clock;
  private final int clientRequestIdMax;
  private volatile CachedDate date = new CachedDate(0, "");

  /**
   * @param clientRequestIdMax characters; a longer id is not sent back
   */
  CommonHeaders(String serverName, Clock clock, int clientRequestIdMax) {
    this.serverName = serverName;
    this.clock = clock;
    this.clientRequestIdMax = clientRequestIdMax;
  }

  @Override
  public CompletionStage<Response> handle(Request request, Endpoint next) {
    return next.handle(request).thenApply(response -> complete(request, response));
  }

  private Response complete(Request request, Response response) {
    String version = ApiVersion.of(request);
    Response.Builder out =
        response.toBuilder()
            .header("Server", serverName)
            .header("x-ms-request-id", request.id())
            .header("Date", date())
            .header("x-ms-version", version == null ? ApiVersion.NEWEST : version);
    String clientId = request.header("x-ms-client-request-id");
    if (clientId != null && isEchoed(clientId)) {
      out.header("x-ms-client-request-id", clientId);
    }
    return out.build();
  }

  /** Control characters would not pass as a header's value. */
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
