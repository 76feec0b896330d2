package io.lazuli.server.queue.service;

import io.lazuli.storage.metrics.MetricVisitor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The queues of a shard with the most messages, as a round counts them. Used by one thread, apart
 * from {@link #show}, which any thread may call.
 */
final class QueueDepths {
  static final int SHOWN_MAX = 20;

  private record Depth(String account, String queue, long messages) {
    boolean isOf(String otherAccount, String otherQueue) {
      return account.equals(otherAccount) && queue.equals(otherQueue);
    }
  }

  /** The longest queues of the round that is under way. */
  private final List<Depth> longest = new ArrayList<>();

  private volatile List<Depth> shown = List.of();

  /** Notes a queue of this round. A queue that is noted again has its new length. */
  void note(String account, String queue, long messages) {
    longest.removeIf(known -> known.isOf(account, queue));
    if (messages > 0) {
      longest.add(new Depth(account, queue, messages));
      longest.sort(Comparator.comparingLong(Depth::messages).reversed());
    }
    if (longest.size() > SHOWN_MAX) {
      longest.remove(SHOWN_MAX);
    }
  }

  /** Ends a round: its queues are shown until the next one ends. */
  void endRound() {
    shown = List.copyOf(longest);
    longest.clear();
  }

  /** Shows the longest queues of several shards. */
  static void show(List<QueueDepths> shards, MetricVisitor visitor) {
    List<Depth> all = new ArrayList<>();
    shards.forEach(shard -> all.addAll(shard.shown));
    all.sort(Comparator.comparingLong(Depth::messages).reversed());
    for (Depth depth : all.subList(0, Math.min(SHOWN_MAX, all.size()))) {
      visitor.gauge(
          "lazuli_queue_messages",
          "Messages in the longest queues, as the last round over all queues counted them.",
          depth.messages,
          "account",
          depth.account,
          "queue",
          depth.queue);
    }
  }
}
