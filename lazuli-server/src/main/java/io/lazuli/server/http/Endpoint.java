package io.lazuli.server.http;

import java.util.concurrent.CompletionStage;

/** Answers requests: the HTTP side of a service, or the remaining steps of a pipeline. */
@FunctionalInterface
public interface Endpoint {
  /** Answers a request. May throw a {@code ServiceException}, or complete with one. */
  CompletionStage<Response> handle(Request request);
}
