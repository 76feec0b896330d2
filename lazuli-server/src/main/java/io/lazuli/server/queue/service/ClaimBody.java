package io.lazuli.server.queue.service;

import io.lazuli.server.queue.encoding.Fence;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.TransactionBody;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Hands out messages of a shared queue that a get of this server has claimed. Reads each by its
 * key, so no other server can take the same message, and skips those that are gone. Raises the
 * fence if it has fallen too far back.
 *
 * @param marks what this server knows of the queue; its time is not used
 */
record ClaimBody(List<UUID> claimed, long invisibleTicks, Fence marks, PartitionRules rules)
    implements TransactionBody<ClaimBody.Result> {
  /**
   * How far behind the clock the fence is raised. More than the clocks of servers usually differ,
   * because a server whose clock is behind the fence uses the time of the fence.
   */
  static final long FENCE_LAG_TICKS = Ticks.PER_SECOND / 2;

  /** The shortest time between two raises, each of which conflicts with what other servers do. */
  static final long RAISE_INTERVAL_TICKS = Ticks.PER_SECOND / 2;

  /**
   * The result of the transaction.
   *
   * @param gone the messages that somebody was faster to take, change or remove
   * @param fence the fence after the transaction
   * @param clock the time at which the fence was read
   */
  record Result(List<QueueMessage> taken, List<UUID> gone, Fence fence, long clock) {}

  @Override
  public Result run(PartitionView view) {
    QueuePartition queue = new QueuePartition(view, rules);
    long clock = rules.clock().getAsLong();
    Fence fence = queue.fence();
    long now = Math.max(clock, fence.time());
    List<QueueMessage> taken = new ArrayList<>(claimed.size());
    List<UUID> gone = new ArrayList<>();
    for (UUID id : claimed) {
      QueueMessage message = queue.find(id);
      if (message != null && message.isVisible(now)) {
        taken.add(queue.replace(message, message.handedOut(now + invisibleTicks)));
      } else if (message == null || !message.isExpired(now)) {
        gone.add(id);
      }
    }
    long raised = clock - FENCE_LAG_TICKS;
    if (!taken.isEmpty() && !fence.isHeld() && raised - fence.time() >= RAISE_INTERVAL_TICKS) {
      fence =
          new Fence(raised, fence.visibleFrom(), fence.expiringFrom())
              .withMarks(marks.visibleFrom(), marks.expiringFrom());
      queue.raise(fence);
    }
    return new Result(taken, gone, fence, clock);
  }
}
