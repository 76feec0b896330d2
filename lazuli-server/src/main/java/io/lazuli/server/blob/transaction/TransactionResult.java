package io.lazuli.server.blob.transaction;

import io.lazuli.server.error.ServiceError;

/**
 * The result of a transaction on a blob or a container: refused with an error, or done with a
 * value.
 *
 * @param <T> the value of a transaction that took place
 */
public sealed interface TransactionResult<T> {
  /** The transaction changed nothing. */
  record Refused<T>(ServiceError error) implements TransactionResult<T> {}

  /**
   * The transaction took place.
   *
   * @param leavesGarbage true if content that the blob or a snapshot referred to has become garbage
   */
  record Done<T>(T value, boolean leavesGarbage) implements TransactionResult<T> {}

  /**
   * The transaction changed nothing, because the index of due removals needs a row first. Whoever
   * runs the transaction writes the row and runs it again.
   */
  record Unannounced<T>() implements TransactionResult<T> {}

  static <T> TransactionResult<T> unannounced() {
    return new Unannounced<>();
  }

  static <T> TransactionResult<T> refused(ServiceError error) {
    return new Refused<>(error);
  }

  static <T> TransactionResult<T> done(T value) {
    return new Done<>(value, false);
  }

  static <T> TransactionResult<T> done(T value, boolean leavesGarbage) {
    return new Done<>(value, leavesGarbage);
  }

  /** Returns the value, or throws the error if the transaction was refused. */
  default T orThrow() {
    if (this instanceof Refused<T> refused) {
      throw refused.error().exception();
    }
    return ((Done<T>) this).value();
  }
}
