package io.lazuli.server.queue.service;

import io.lazuli.server.access.Caller;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.queue.service.QueueOperation.ClearMessages;
import io.lazuli.server.queue.service.QueueOperation.CreateQueue;
import io.lazuli.server.queue.service.QueueOperation.DeleteMessage;
import io.lazuli.server.queue.service.QueueOperation.DeleteQueue;
import io.lazuli.server.queue.service.QueueOperation.GetMessages;
import io.lazuli.server.queue.service.QueueOperation.ListQueues;
import io.lazuli.server.queue.service.QueueOperation.OnQueue;
import io.lazuli.server.queue.service.QueueOperation.PeekMessages;
import io.lazuli.server.queue.service.QueueOperation.PutMessage;
import io.lazuli.server.queue.service.QueueOperation.ReadMetadata;
import io.lazuli.server.queue.service.QueueOperation.ReplaceMetadata;
import io.lazuli.server.queue.service.QueueOperation.RestoreMessage;
import io.lazuli.server.queue.service.QueueOperation.UpdateMessage;
import java.util.Map;
import java.util.Objects;

/**
 * Judges every operation against what its caller may do (queue-rest 3), before anything is read.
 */
final class QueueAccess {
  private static final Map<Class<? extends QueueOperation>, QueueAction> ACTIONS =
      Map.ofEntries(
          Map.entry(ListQueues.class, QueueAction.LIST_QUEUES),
          Map.entry(CreateQueue.class, QueueAction.CREATE_QUEUE),
          Map.entry(DeleteQueue.class, QueueAction.DELETE_QUEUE),
          Map.entry(ReadMetadata.class, QueueAction.READ_METADATA),
          Map.entry(ReplaceMetadata.class, QueueAction.REPLACE_METADATA),
          Map.entry(PutMessage.class, QueueAction.PUT_MESSAGE),
          Map.entry(RestoreMessage.class, QueueAction.PUT_MESSAGE),
          Map.entry(GetMessages.class, QueueAction.GET_MESSAGES),
          Map.entry(PeekMessages.class, QueueAction.PEEK_MESSAGES),
          Map.entry(UpdateMessage.class, QueueAction.UPDATE_MESSAGE),
          Map.entry(DeleteMessage.class, QueueAction.DELETE_MESSAGE),
          Map.entry(ClearMessages.class, QueueAction.CLEAR_MESSAGES));

  private QueueAccess() {}

  /** Passes if the operation is allowed; throws what to answer otherwise. */
  static void check(QueueOperation operation, Caller caller) {
    QueueAction action = Objects.requireNonNull(ACTIONS.get(operation.getClass()));
    check(action, operation instanceof OnQueue on ? on.queue().text() : "", caller);
  }

  /** Handing out is a change although it is a GET, so the pipeline could not know. */
  static void check(QueueAction action, String queue, Caller caller) {
    caller.access().require(action.permission(), queue);
    if (caller.readOnly() && action == QueueAction.GET_MESSAGES) {
      throw CommonErrors.INSUFFICIENT_ACCOUNT_PERMISSIONS.exception();
    }
  }
}
