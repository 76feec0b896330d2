package io.lazuli.server.pipeline;

import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import java.util.concurrent.CompletionStage;

/** One step of the request pipeline: it sees the request and the next step, nothing else. */
@FunctionalInterface
public interface Step {
  CompletionStage<Response> handle(Request request, Endpoint next);
}
