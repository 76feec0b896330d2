package io.lazuli.server.queue.service;

import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.UUID;

/** Puts a message. Of the rows that hold counts it reads only one. */
record PutBody(UUID id, long ttlTicks, long invisibleTicks, byte[] text, PartitionRules rules)
    implements TransactionBody<QueueMessage> {
  /** The approximate size of the rows of a message without its text. */
  static final long ROWS_BYTES = 256;

  @Override
  public QueueMessage run(PartitionView view) {
    QueuePartition queue = new QueuePartition(view, rules);
    long now = queue.atLeastFence(view.timestamp(QueueRows.message(id)));
    QueueMessage message = QueueMessage.put(id, now, ttlTicks, invisibleTicks, text);
    queue.insert(message);
    return message;
  }

  @Override
  public long weightBytes() {
    return text.length + ROWS_BYTES;
  }
}
