package io.lazuli.server.queue.service;

import io.lazuli.server.queue.encoding.CountCodec;
import io.lazuli.server.queue.encoding.Fence;
import io.lazuli.server.queue.encoding.MessageCodec;
import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The changes that transactions make to a queue: all rows of a message change together. In a shared
 * queue, nothing is written below the fence, and whatever is written depends on it. Used by one
 * thread, during one run of a body.
 */
final class QueuePartition {
  private final PartitionView view;
  private final PartitionRules rules;

  QueuePartition(PartitionView view, PartitionRules rules) {
    this.view = view;
    this.rules = rules;
  }

  @Nullable QueueMessage find(UUID id) {
    byte[] value = view.read(QueueRows.message(id));
    return value == null ? null : MessageCodec.decode(id, value);
  }

  /** Returns the fence, on which the commit then depends. A queue that is not shared has none. */
  Fence fence() {
    byte[] value = rules.shared() ? view.read(QueueRows.FENCE) : null;
    return value == null ? Fence.NONE : Fence.decode(value);
  }

  /** Returns the time of the queue: never before its fence. */
  long atLeastFence(long time) {
    return Math.max(time, fence().time());
  }

  void raise(Fence fence) {
    view.put(QueueRows.FENCE, fence.encode());
  }

  /** Inserts a message, which must neither become visible nor expire before the fence. */
  void insert(QueueMessage message) {
    long fence = fence().time();
    if (message.visibleAt() < fence || message.expires() < fence) {
      throw new IllegalStateException("a message is inserted before the fence of its queue");
    }
    putVisible(message);
    if (message.expires() != QueueMessage.NEVER) {
      view.put(QueueRows.expiring(message), QueueRows.value(message.id()));
    }
    count(message, 1);
  }

  /**
   * Replaces the rows of a message with those of its new state.
   *
   * @return the new state, which is not visible before the fence
   */
  QueueMessage replace(QueueMessage old, QueueMessage changed) {
    QueueMessage stored = changed.notVisibleBefore(fence().time());
    view.delete(QueueRows.visible(old));
    putVisible(stored);
    return stored;
  }

  void remove(QueueMessage message) {
    view.delete(QueueRows.message(message.id()));
    view.delete(QueueRows.visible(message));
    if (message.expires() != QueueMessage.NEVER) {
      view.delete(QueueRows.expiring(message));
    }
    count(message, -1);
  }

  private void putVisible(QueueMessage message) {
    view.put(QueueRows.message(message.id()), MessageCodec.encode(message));
    view.put(QueueRows.visible(message), QueueRows.value(message.id()));
  }

  private void count(QueueMessage message, int change) {
    Bytes row = rules.counter(message.id());
    byte[] old = view.read(row);
    view.put(row, CountCodec.encode((old == null ? 0 : CountCodec.decode(old)) + change));
  }
}
