package io.lazuli.server.queue.service;

import io.lazuli.server.queue.model.PopReceipt;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Changes or removes a message if the receipt is its newest one (queue-rest 7.2).
 *
 * @param receipt null if it was not well-formed
 */
record ReceiptBody(UUID id, @Nullable PopReceipt receipt, PartitionRules rules, Change change)
    implements TransactionBody<ReceiptBody.Result> {
  /** Returns the changed message; null to remove it. */
  @FunctionalInterface
  interface Change {
    @Nullable QueueMessage apply(QueueMessage message, long now);
  }

  /** The result of the transaction. */
  sealed interface Result {}

  /** The message was changed; this is its new state. */
  record Changed(QueueMessage message) implements Result {}

  /** The message was removed. */
  record Removed() implements Result {}

  /** There is no such message, or the receipt is not its newest one. */
  record NotFound() implements Result {}

  /** The receipt is not well-formed. */
  record Malformed() implements Result {}

  @Override
  public Result run(PartitionView view) {
    long now = rules.clock().getAsLong();
    QueuePartition queue = new QueuePartition(view, rules);
    QueueMessage message = queue.find(id);
    if (message == null || message.isExpired(now)) {
      return new NotFound();
    } else if (receipt == null) {
      return new Malformed();
    } else if (!receipt.equals(message.receipt())) {
      return new NotFound();
    }
    QueueMessage changed = change.apply(message, now);
    if (changed == null) {
      queue.remove(message);
      return new Removed();
    }
    return new Changed(queue.replace(message, changed));
  }
}
