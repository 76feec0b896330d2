package io.lazuli.server.http;

import java.util.concurrent.CompletionStage;

/** One step of the request pipeline: it sees the request and the next step, nothing else. */
@FunctionalInterface
public interface Step {
  CompletionStage<Response> handle(Request request, Endpoint next);
}
