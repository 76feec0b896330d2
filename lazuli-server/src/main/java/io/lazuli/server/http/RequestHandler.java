package io.lazuli.server.http;

import io.lazuli.server.error.ServiceError;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent.Transfer;
import io.lazuli.server.event.RequestSource;
import java.util.concurrent.CompletionStage;

/** Answers the requests of a listener. It is called on the event loop of each request. */
public interface RequestHandler {
  /** Answers a request; the stage never fails. */
  CompletionStage<Response> handle(Request request);

  /** Answers a message that is not a valid request; the stage never fails. */
  CompletionStage<Response> refuse(Request request, ServiceError error);

  /** Called when the response was sent or handed to the connection, or when it cannot be sent. */
  void ended(Request request, int status, Transfer transfer, RequestSource source);

  /**
   * Derives the operation from the request line, for a request that was refused before its
   * operation was known.
   */
  OperationType operationByLine(Request request);
}
