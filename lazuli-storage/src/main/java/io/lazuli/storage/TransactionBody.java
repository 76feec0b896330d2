package io.lazuli.storage;

/**
 * What a transaction does. It is pure: it may be run more than once, and nothing but its result and
 * what it tells the view may leave it. What is expected (a condition that is not met) is its
 * result, with nothing written; if it throws, nothing is written and the future fails with what it
 * threw.
 *
 * @param <R> the result
 */
@FunctionalInterface
public interface TransactionBody<R> {
  R run(PartitionView view);

  /** About how many bytes the body holds while it waits; engines bound the sum. */
  default long weightBytes() {
    return 0;
  }
}
