package io.lazuli.server.queue.service;

import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Hands out messages, on an engine that no other server uses: finds visible ones, reads each by its
 * key, and moves it to the time when it becomes visible again. The scan is not checked at commit,
 * but the reads are: no other transaction can take the same message.
 *
 * @param from the row at which the scan begins; no visible message has a lower row
 */
record TakeBody(Bytes from, int max, long invisibleTicks, PartitionRules rules)
    implements TransactionBody<TakeBody.Result> {
  /**
   * The number of rows that one transaction reads beyond those it needs, to pass over expired
   * messages.
   */
  private static final int PASSED_MAX = 64;

  /**
   * The result of the transaction.
   *
   * @param more true if it stopped before the end of the visible rows
   */
  record Result(List<QueueMessage> taken, boolean more) {}

  @Override
  public Result run(PartitionView view) {
    long now = rules.clock().getAsLong();
    QueuePartition queue = new QueuePartition(view, rules);
    int rowsMax = max + PASSED_MAX;
    List<UUID> candidates = new ArrayList<>(rowsMax);
    // Collects the ids first: reading during the scan would find the rows that this transaction
    // writes.
    view.scan(
        from,
        QueueRows.visibleEnd(now),
        rowsMax,
        (row, value) -> candidates.add(QueueRows.id(value)));
    List<QueueMessage> taken = new ArrayList<>(max);
    for (int i = 0; i < candidates.size() && taken.size() < max; i++) {
      QueueMessage message = queue.find(candidates.get(i));
      if (message != null && message.isVisible(now)) {
        taken.add(queue.replace(message, message.handedOut(now + invisibleTicks)));
      }
    }
    return new Result(taken, candidates.size() == rowsMax);
  }
}
