package io.lazuli.client.pattern.sas;

import io.lazuli.client.waiting.Waiting;

/**
 * Creates tokens that give users access to their rows of a table. Each call waits for its result.
 * {@link AsyncSasBroker} describes each method in more detail. Thread-safe. Do not call it on a
 * Reactor thread.
 *
 * @param <U> the type that identifies a user
 */
public final class SasBroker<U> {
  private final AsyncSasBroker<U> async;

  SasBroker(AsyncSasBroker<U> async) {
    this.async = async;
  }

  /** Returns this broker with asynchronous calls. */
  public AsyncSasBroker<U> async() {
    return async;
  }

  /** Returns a token for a user's rows that stays valid for longer than the margin. */
  public SasToken token(U user) {
    return Waiting.result(async.token(user));
  }

  /**
   * Drops the token of a user whose rows have changed. Tokens that were already handed out stay
   * valid.
   */
  public void forget(U user) {
    async.forget(user);
  }
}
