package io.lazuli.server.queue.service;

import io.lazuli.server.access.Caller;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.queue.service.QueueOperation.OnQueue;

/** Checks whether the caller may carry out an operation (queue-rest 3), before anything is read. */
final class QueueAccess {
  private QueueAccess() {}

  /** Throws if the operation is not allowed. */
  static void check(QueueOperation operation, Caller caller) {
    check(operation.action(), operation instanceof OnQueue on ? on.queue().text() : "", caller);
  }

  /**
   * Throws if the action is not allowed. Getting messages changes them although it is a GET, so the
   * pipeline cannot refuse it for a read-only caller.
   */
  static void check(QueueAction action, String queue, Caller caller) {
    caller.access().require(action.permission(), queue);
    if (caller.readOnly() && action == QueueAction.GET_MESSAGES) {
      throw CommonErrors.INSUFFICIENT_ACCOUNT_PERMISSIONS.exception();
    }
  }
}
