package io.lazuli.server.http;

import io.lazuli.server.event.ServerEvents;
import java.util.concurrent.CompletionStage;

/** Tells {@link ServerEvents} of every answer. */
final class RequestEvents implements Step {
  private final ServerEvents events;

  RequestEvents(ServerEvents events) {
    this.events = events;
  }

  @Override
  public CompletionStage<Response> handle(Request request, Endpoint next) {
    return next.handle(request).thenApply(response -> ended(request, response));
  }

  private Response ended(Request request, Response response) {
    long nanos = System.nanoTime() - request.arrivedNanos();
    long bytesOut = response.length();
    events.requestEnded(request.details().ended(request.id(), response.status(), bytesOut, nanos));
    return response;
  }
}
