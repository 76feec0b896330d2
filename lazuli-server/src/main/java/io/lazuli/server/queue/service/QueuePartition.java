package io.lazuli.server.queue.service;

import io.lazuli.server.queue.encoding.CountCodec;
import io.lazuli.server.queue.encoding.MessageCodec;
import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The changes that transactions make to a queue: all rows of a message change together. */
final class QueuePartition {
  private QueuePartition() {}

  static @Nullable QueueMessage find(PartitionView view, UUID id) {
    byte[] value = view.read(QueueRows.message(id));
    return value == null ? null : MessageCodec.decode(id, value);
  }

  static void insert(PartitionView view, QueueMessage message) {
    putVisible(view, message);
    if (message.expires() != QueueMessage.NEVER) {
      view.put(QueueRows.expiring(message), QueueRows.value(message.id()));
    }
    count(view, message, 1);
  }

  /** Replaces the rows of a message with those of its new state. */
  static void replace(PartitionView view, QueueMessage old, QueueMessage changed) {
    view.delete(QueueRows.visible(old));
    putVisible(view, changed);
  }

  static void remove(PartitionView view, QueueMessage message) {
    view.delete(QueueRows.message(message.id()));
    view.delete(QueueRows.visible(message));
    if (message.expires() != QueueMessage.NEVER) {
      view.delete(QueueRows.expiring(message));
    }
    count(view, message, -1);
  }

  private static void putVisible(PartitionView view, QueueMessage message) {
    view.put(QueueRows.message(message.id()), MessageCodec.encode(message));
    view.put(QueueRows.visible(message), QueueRows.value(message.id()));
  }

  private static void count(PartitionView view, QueueMessage message, int change) {
    Bytes row = QueueRows.counter(message.id());
    byte[] old = view.read(row);
    view.put(row, CountCodec.encode((old == null ? 0 : CountCodec.decode(old)) + change));
  }
}
