package io.lazuli.storage;

import java.util.Collection;
import java.util.List;

/**
 * The work of a transaction. A body is a pure function: an engine may run it more than once, so it
 * must have no effects other than its result and its changes to the view. An expected refusal (a
 * condition that is not met) is a result, with nothing written. If the body throws, nothing is
 * written and the future fails with the same exception.
 *
 * @param <R> the result
 */
@FunctionalInterface
public interface TransactionBody<R> {
  R run(PartitionView view);

  /** Returns roughly how many bytes the body holds while it waits; engines limit the sum. */
  default long weightBytes() {
    return 0;
  }

  /**
   * Returns rows that probably do not exist, because the body inserts them. A remote engine may run
   * the body as if they did not exist, without reading them. It checks this together with the
   * commit, and runs the body again if it was wrong, so the result is the same.
   */
  default Collection<Bytes> probablyAbsent() {
    return List.of();
  }
}
