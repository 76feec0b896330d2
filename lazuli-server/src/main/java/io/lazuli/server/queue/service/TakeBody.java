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
 * Hands out messages: finds those that are visible, reads each by its key, and moves it to where it
 * becomes visible again. A scan promises nothing at commit, the reads do: nobody else takes the
 * same message.
 *
 * @param from no visible row lies below
 * @param clock the engine's time, read when the body runs, so that waiting costs no visibility
 */
record TakeBody(Bytes from, int max, long invisibleTicks, LongSupplier clock)
    implements TransactionBody<TakeBody.Result> {
  /** How many that are expired, and not yet swept, one body passes. */
  private static final int PASSED_MAX = 64;

  /** How many messages a body passes at most that was run before, to be nobody's rival again. */
  private static final int ASIDE_MAX = 15;

  /**
   * What the body found.
   *
   * @param more true if it stopped although there are more rows to look at
   */
  record Result(List<QueueMessage> taken, boolean more) {}

  @Override
  public Result run(PartitionView view) {
    long now = clock.getAsLong();
    int rowsMax = max + PASSED_MAX;
    List<UUID> candidates = new ArrayList<>(rowsMax);
    // Reading while scanning would see the rows that this body writes.
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

  /** How many messages to pass: none at first, later a few, because another server was faster. */
  private int aside(int attempt, int candidates) {
    int most = Math.max(0, Math.min(ASIDE_MAX, candidates - max));
    return attempt == 1 ? 0 : ThreadLocalRandom.current().nextInt(most + 1);
  }
}
