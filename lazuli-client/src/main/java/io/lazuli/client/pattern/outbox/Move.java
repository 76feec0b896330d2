package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;

/**
 * An {@link AsyncMove} whose calls wait until the move is decided, and throw its errors. Immutable
 * and thread-safe. Do not call it on a thread of Reactor.
 *
 * @param <T> the values
 */
public final class Move<T> {
  private final AsyncMove<T> async;

  Move(AsyncMove<T> async) {
    this.async = async;
  }

  /** Returns the same move with calls that do not wait. */
  public AsyncMove<T> async() {
    return async;
  }

  /** See {@link AsyncMove#move(EntityKey, EntityKey)}. */
  public void move(EntityKey oldKey, EntityKey newKey) {
    async.move(oldKey, newKey).block();
  }

  /** See {@link AsyncMove#move(EntityKey)}. */
  public void move(EntityKey key) {
    async.move(key).block();
  }
}
