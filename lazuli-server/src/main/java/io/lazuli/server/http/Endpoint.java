package io.lazuli.server.http;

import java.util.concurrent.CompletionStage;

/** Where a request is answered: a service's face, or the rest of a pipeline. */
@FunctionalInterface
public interface Endpoint {
  /** May throw {@code ServiceException}, or complete with it. */
  CompletionStage<Response> handle(Request request);
}
