package io.lazuli.server.http;

import io.lazuli.server.error.ServiceError;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent.Transfer;
import io.lazuli.server.event.RequestSource;
import java.util.concurrent.CompletionStage;

/** Answers the requests of a listener; called on their event loops. */
public interface RequestHandler {
  /** Answers a request; the stage never fails. */
  CompletionStage<Response> handle(Request request);

  /** Answers a message that is not a valid request; the stage never fails. */
  CompletionStage<Response> refuse(Request request, ServiceError error);

  /** Called once the response was sent, or cannot be sent. */
  void ended(Request request, int status, Transfer transfer, RequestSource source);

  /** Finds the operation of a request that was refused before its operation was known. */
  OperationType operationByLine(Request request);
}
