package io.lazuli.server.pipeline;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.rehearsal.Dice;
import io.lazuli.server.rehearsal.Fault;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Causes trouble that Azure is allowed to cause, for a share of the requests: delays, a busy
 * server, and time-outs before or after the operation.
 */
public final class RehearsedTrouble implements Step {
  private final Dice dice;
  private final Function<Request, OperationType> operations;

  /**
   * @param operations finds the operation of an addressed request; throws if there is none
   */
  public RehearsedTrouble(Dice dice, Function<Request, OperationType> operations) {
    this.dice = dice;
    this.operations = operations;
  }

  @Override
  public CompletionStage<Response> handle(Request request, Endpoint next) {
    if (dice.falls(Fault.BUSY)) {
      throw CommonErrors.SERVER_BUSY.exception();
    }
    if (dice.falls(Fault.TIMEOUT_BEFORE)) {
      throw CommonErrors.OPERATION_TIMED_OUT.exception();
    }
    boolean lost = isWrite(request) && dice.falls(Fault.TIMEOUT_AFTER);
    CompletionStage<Response> answer = delayed(request).thenCompose(next::handle);
    return lost ? answer.thenApply(RehearsedTrouble::lost) : answer;
  }

  private CompletionStage<Request> delayed(Request request) {
    long millis = dice.delayMillis();
    if (millis == 0) {
      return CompletableFuture.completedFuture(request);
    }
    Executor later =
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, request.loop());
    return CompletableFuture.supplyAsync(() -> request, later);
  }

  /** Replaces a success by a time-out. Leaves an error unchanged. */
  private static Response lost(Response response) {
    if (response.status() >= 400) {
      return response;
    }
    throw CommonErrors.OPERATION_TIMED_OUT.exception();
  }

  /**
   * Returns whether a request changes something. The method is not enough to decide: a GET of
   * messages hides them from other consumers.
   */
  private boolean isWrite(Request request) {
    return switch (request.method()) {
      case "GET" -> operations.apply(request).kind() != OperationKind.READ;
      case "HEAD" -> false;
      default -> true;
    };
  }
}
