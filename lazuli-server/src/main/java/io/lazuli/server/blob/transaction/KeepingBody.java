package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.protection.Keep;
import io.lazuli.storage.TransactionBody;

/**
 * A transaction that replaces or deletes a state of a blob, which the account may want to keep. A
 * body is made with {@link Keep#NOTHING}; whoever runs it knows the account.
 *
 * @param <T> the value of the transaction
 */
public interface KeepingBody<T> extends TransactionBody<TransactionResult<T>> {
  /** Returns the same transaction for an account that keeps states. */
  KeepingBody<T> keeping(Keep keep);
}
