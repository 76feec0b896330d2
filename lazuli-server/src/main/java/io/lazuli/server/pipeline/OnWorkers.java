package io.lazuli.server.pipeline;

import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.WorkerPool;
import java.util.concurrent.CompletionStage;

/** Runs the following steps on the worker pool, and returns to the event loop with their answer. */
final class OnWorkers implements Step {
  private final WorkerPool workers;

  OnWorkers(WorkerPool workers) {
    this.workers = workers;
  }

  @Override
  public CompletionStage<Response> handle(Request request, Endpoint next) {
    return workers.call(() -> next.handle(request), request.loop());
  }
}
