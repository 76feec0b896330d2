package io.lazuli.server.queue.service;

import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;

/**
 * Puts a message that was stored elsewhere, in the state that it had there. Replaces a message with
 * the same id. A message that expired before the queue's fence is not stored, because no operation
 * would find it.
 */
record RestoreBody(QueueMessage message, PartitionRules rules)
    implements TransactionBody<QueueMessage> {
  @Override
  public QueueMessage run(PartitionView view) {
    QueuePartition queue = new QueuePartition(view, rules);
    QueueMessage old = queue.find(message.id());
    if (old != null) {
      queue.remove(old);
    }
    long fence = queue.atLeastFence(0);
    QueueMessage restored = message.notVisibleBefore(fence);
    if (!restored.isExpired(fence - 1)) {
      queue.insert(restored);
    }
    return restored;
  }

  @Override
  public long weightBytes() {
    return message.text().length + PutBody.ROWS_BYTES;
  }
}
