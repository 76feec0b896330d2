package io.lazuli.server.queue.service;

import io.lazuli.server.queue.model.PopReceipt;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes or removes a message for whoever holds its newest receipt (queue-rest 7.2).
 *
 * @param receipt null if it was not even well-formed
 * @param clock the engine's time, read when the body runs
 */
record ReceiptBody(UUID id, @Nullable PopReceipt receipt, LongSupplier clock, Change change)
    implements TransactionBody<ReceiptBody.Result> {
  /** What becomes of a message; null if it goes. */
  @FunctionalInterface
  interface Change {
    @Nullable QueueMessage apply(QueueMessage message, long now);
  }

  /** How a receipt was judged. */
  enum Verdict {
    DONE,
    NOT_FOUND,
    MALFORMED
  }

  /**
   * What the body did.
   *
   * @param message as it is now; null if it is gone or nothing was done
   */
  record Result(Verdict verdict, @Nullable QueueMessage message) {}

  @Override
  public Result run(PartitionView view) {
    long now = clock.getAsLong();
    QueueMessage message = QueuePartition.find(view, id);
    if (message == null || message.isExpired(now)) {
      return new Result(Verdict.NOT_FOUND, null);
    } else if (receipt == null) {
      return new Result(Verdict.MALFORMED, null);
    } else if (!receipt.equals(message.receipt())) {
      return new Result(Verdict.NOT_FOUND, null);
    }
    QueueMessage changed = change.apply(message, now);
    if (changed == null) {
      QueuePartition.remove(view, message);
    } else {
      QueuePartition.replace(view, message, changed);
    }
    return new Result(Verdict.DONE, changed);
  }
}
