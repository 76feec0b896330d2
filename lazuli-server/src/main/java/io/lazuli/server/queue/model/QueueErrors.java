package io.lazuli.server.queue.model;

import io.lazuli.server.error.ServiceError;

/** The errors of the queue service, with the texts of the live service (queue-rest 8). */
public final class QueueErrors {
  public static final ServiceError QUEUE_NOT_FOUND =
      new ServiceError("QueueNotFound", 404, "The specified queue does not exist.");
  public static final ServiceError QUEUE_ALREADY_EXISTS =
      new ServiceError("QueueAlreadyExists", 409, "The specified queue already exists.");
  public static final ServiceError MESSAGE_NOT_FOUND =
      new ServiceError("MessageNotFound", 404, "The specified message does not exist.");

  private QueueErrors() {}
}
