package io.lazuli.server.load.rule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Looks into queues. */
@FunctionalInterface
public interface QueueLooks {
  /**
   * A queue now.
   *
   * @param visible the number of messages that can be taken; may count others too if it is over 32
   * @param oldest when the first of them was put; null if there is none
   * @param waits since when it can be taken; null if there is none
   * @param expires when it expires; null if there is none
   */
  record Look(
      long visible, @Nullable Instant oldest, @Nullable Instant waits, @Nullable Instant expires) {}

  /** Returns the state of a queue; null if there is no such queue. May block. */
  @Nullable Look look(String account, String queue);
}
