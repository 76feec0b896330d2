package io.lazuli.server.queue.service;

import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;

/**
 * Puts a message that was stored elsewhere, in the state that it had there. Replaces a message with
 * the same id.
 */
record RestoreBody(QueueMessage message) implements TransactionBody<QueueMessage> {
  @Override
  public QueueMessage run(PartitionView view) {
    QueueMessage old = QueuePartition.find(view, message.id());
    if (old != null) {
      QueuePartition.remove(view, old);
    }
    QueuePartition.insert(view, message);
    return message;
  }

  @Override
  public long weightBytes() {
    return message.text().length + PutBody.ROWS_BYTES;
  }
}
