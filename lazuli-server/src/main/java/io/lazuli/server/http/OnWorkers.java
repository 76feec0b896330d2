package io.lazuli.server.http;

import io.lazuli.server.error.CommonErrors;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Runs what follows on the worker pool, and comes back to the event loop with its answer. */
final class OnWorkers implements Step {
  private final WorkerPool workers;
  private final Executor loop;

  OnWorkers(WorkerPool workers, Executor loop) {
    this.workers = workers;
    this.loop = loop;
  }

  @Override
  public CompletionStage<Response> handle(Request request, Endpoint next) {
    CompletableFuture<Response> answer = new CompletableFuture<>();
    if (!workers.tryExecute(() -> run(request, next, answer))) {
      throw CommonErrors.SERVER_BUSY.exception();
    }
    return answer;
  }

  private void run(Request request, Endpoint next, CompletableFuture<Response> answer) {
    try {
      CompletionStage<Response> stage = next.handle(request.withLoop(loop));
      stage.whenComplete((response, failure) -> comeBack(answer, response, failure));
    } catch (Throwable failure) {
      comeBack(answer, null, failure);
    }
  }

  private void comeBack(
      CompletableFuture<Response> answer,
      @Nullable Response response,
      @Nullable Throwable failure) {
    loop.execute(
        () -> {
          if (failure != null) {
            answer.completeExceptionally(failure);
          } else {
            answer.complete(response);
          }
        });
  }
}
