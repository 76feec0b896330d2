package io.lazuli.server.queue.service;

import io.lazuli.server.access.Caller;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.queue.service.QueueOperation.OnQueue;

/**
 * Judges every operation against what its caller may do (queue-rest 3), before anything is read.
 */
final class QueueAccess {
  private QueueAccess() {}

  /** Passes if the operation is allowed; throws what to answer otherwise. */
  static void check(QueueOperation operation, Caller caller) {
    check(operation.action(), operation instanceof OnQueue on ? on.queue().text() : "", caller);
  }

  /** Handing out is a change although it is a GET, so the pipeline could not know. */
  static void check(QueueAction action, String queue, Caller caller) {
    caller.access().require(action.permission(), queue);
    if (caller.readOnly() && action == QueueAction.GET_MESSAGES) {
      throw CommonErrors.INSUFFICIENT_ACCOUNT_PERMISSIONS.exception();
    }
  }
}
