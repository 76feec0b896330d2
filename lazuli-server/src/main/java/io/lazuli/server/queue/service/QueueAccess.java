package io.lazuli.server.queue.service;

import io.lazuli.server.account.Access;
import io.lazuli.server.account.Permission;
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
import io.lazuli.server.queue.service.QueueOperation.UpdateMessage;
import java.util.Map;

/**
 * Judges every operation against what its caller may do (queue-rest 3), before anything is read.
 */
final class QueueAccess {
  private static final Map<Class<? extends QueueOperation>, Permission> PERMISSIONS =
      Map.ofEntries(
          Map.entry(ListQueues.class, Permission.ofAccount(Permission.SERVICE, "l")),
          Map.entry(CreateQueue.class, Permission.ofAccount(Permission.CONTAINER, "c", "w")),
          Map.entry(DeleteQueue.class, Permission.ofAccount(Permission.CONTAINER, "d")),
          Map.entry(ReadMetadata.class, Permission.ofResource(Permission.CONTAINER, "r")),
          Map.entry(ReplaceMetadata.class, Permission.ofAccount(Permission.CONTAINER, "w")),
          Map.entry(PutMessage.class, Permission.ofResource(Permission.OBJECT, "a")),
          Map.entry(GetMessages.class, Permission.ofResource(Permission.OBJECT, "p")),
          Map.entry(PeekMessages.class, Permission.ofResource(Permission.OBJECT, "r")),
          Map.entry(UpdateMessage.class, Permission.ofResource(Permission.OBJECT, "u")),
          Map.entry(DeleteMessage.class, Permission.ofResource(Permission.OBJECT, "p")),
          Map.entry(ClearMessages.class, Permission.ofAccount(Permission.OBJECT, "d")));

  private QueueAccess() {}

  /** Passes if the operation is allowed; throws what to answer otherwise. */
  static void check(QueueOperation operation, Access access) {
    String queue = operation instanceof OnQueue on ? on.queue().text() : "";
    access.require(PERMISSIONS.getOrDefault(operation.getClass(), Permission.KEY_ONLY), queue);
  }
}
