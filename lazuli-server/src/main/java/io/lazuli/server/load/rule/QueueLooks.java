package io.lazuli.server.load.rule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Looks into queues. */
@FunctionalInterface
public interface QueueLooks {
  /**
   * A queue now.
   *
   * @param oldest when the first visible message was put; null if there is none
   * @param expires when that message expires; null if there is none
   */
  record Look(long messages, @Nullable Instant oldest, @Nullable Instant expires) {}

  /** Returns the state of a queue; null if there is no such queue. May block. */
  @Nullable Look look(String account, String queue);
}
