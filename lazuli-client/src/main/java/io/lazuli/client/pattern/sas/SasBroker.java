package io.lazuli.client.pattern.sas;

import java.util.Objects;

/**
 * Makes tokens with which users reach their rows of a table. Calls wait; {@link AsyncSasBroker}
 * says more. Thread-safe. Do not call it on a thread of Reactor.
 *
 * @param <U> what names a user
 */
public final class SasBroker<U> {
  private final AsyncSasBroker<U> async;

  SasBroker(AsyncSasBroker<U> async) {
    this.async = async;
  }

  /** The same broker; calls do not wait. */
  public AsyncSasBroker<U> async() {
    return async;
  }

  /** A token for a user's rows that can be used for longer than the margin. */
  public SasToken token(U user) {
    return Objects.requireNonNull(async.token(user).block(), "a token");
  }

  /** Forgets the token of a user whose rows have changed. Tokens that are out stay valid. */
  public void forget(U user) {
    async.forget(user);
  }
}
