package io.lazuli.server.queue.service;

import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Hands out messages: finds visible ones, reads each by its key, and moves it to the time when it
 * becomes visible again. The scan is not checked at commit, but the reads are: no other transaction
 * can take the same message.
 *
 * @param from the row at which the scan begins; no visible message has a lower row
 * @param clock the engine's time, read when the transaction runs, so that waiting does not shorten
 *     the visibility timeout
 */
record TakeBody(Bytes from, int max, long invisibleTicks, LongSupplier clock)
    implements TransactionBody<TakeBody.Result> {
  /**
   * The number of rows that one transaction reads beyond those it needs, to pass over expired
   * messages.
   */
  private static final int PASSED_MAX = 64;

  /** The maximum number of messages that a repeated attempt skips to avoid another conflict. */
  private static final int ASIDE_MAX = 15;

  /**
   * The result of the transaction.
   *
   * @param more true if it stopped before the end of the visible rows
   */
  record Result(List<QueueMessage> taken, boolean more) {}

  @Override
  public Result run(PartitionView view) {
    long now = clock.getAsLong();
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
    int first = aside(view.attempt(), candidates.size());
    for (int i = first; i < candidates.size() && taken.size() < max; i++) {
      QueueMessage message = QueuePartition.find(view, candidates.get(i));
      if (message != null && message.isVisible(now)) {
        QueueMessage handedOut = message.handedOut(now + invisibleTicks);
        QueuePartition.replace(view, message, handedOut);
        taken.add(handedOut);
      }
    }
    return new Result(taken, candidates.size() == rowsMax);
  }

  /**
   * Returns the number of messages to skip: none in the first attempt, a random number after a
   * conflict with another server.
   */
  private int aside(int attempt, int candidates) {
    int most = Math.max(0, Math.min(ASIDE_MAX, candidates - max));
    return attempt == 1 ? 0 : ThreadLocalRandom.current().nextInt(most + 1);
  }
}
