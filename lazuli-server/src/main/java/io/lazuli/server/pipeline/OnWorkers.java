package io.lazuli.server.pipeline;

import io.lazuli.server.http.AnswerBudget;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.WorkerPool;
import java.util.concurrent.CompletionStage;

/**
 * Runs the following steps on the worker pool, and returns to the event loop with their answer. If
 * the following steps never wait, short requests stay on the event loop: each change of thread
 * costs about as much as the work that it moves.
 */
final class OnWorkers implements Step {
  private final WorkerPool workers;
  private final boolean mayWait;

  /**
   * @param mayWait whether the following steps may wait for the disk
   */
  OnWorkers(WorkerPool workers, boolean mayWait) {
    this.workers = workers;
    this.mayWait = mayWait;
  }

  @Override
  public CompletionStage<Response> handle(Request request, Endpoint next) {
    return mayWait || request.body().length > AnswerBudget.SMALL_BYTES_MAX
        ? workers.call(() -> next.handle(request), request.loop())
        : WorkerPool.returning(next.handle(request), request.loop());
  }
}
