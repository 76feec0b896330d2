package io.lazuli.server.queue.model;

import io.lazuli.server.error.ServiceError;

/** Errors of the queue service; texts as the live service writes them (queue-rest 8). */
public final class QueueErrors {
  public static final ServiceError QUEUE_NOT_FOUND =
      new ServiceError("QueueNotFound", 404, "The specified queue does not exist.");
  public static final ServiceError QUEUE_ALREADY_EXISTS =
      new ServiceError("QueueAlreadyExists", 409, "The specified queue already exists.");
  public static final ServiceError MESSAGE_NOT_FOUND =
      new ServiceError("MessageNotFound", 404, "The specified message does not exist.");
  public static final ServiceError UNSUPPORTED_HTTP_VERB =
      new ServiceError(
          "UnsupportedHttpVerb", 405, "The resource doesn't support specified Http Verb.");
  public static final ServiceError OUT_OF_RANGE_INPUT =
      new ServiceError("OutOfRangeInput", 400, "One of the request inputs is out of range.");
  public static final ServiceError OUT_OF_RANGE_PARAMETER =
      new ServiceError(
          "OutOfRangeQueryParameterValue",
          400,
          "One of the query parameters specified in the request URI is outside the permissible"
              + " range.");
  public static final ServiceError MISSING_PARAMETER =
      new ServiceError(
          "MissingRequiredQueryParameter",
          400,
          "A query parameter that's mandatory for this request is not specified.");

  private QueueErrors() {}
}
