package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.waiting.Waiting;

/**
 * Offers the operations of {@link AsyncMove} as blocking calls: each waits until the move is
 * decided and throws its error. Immutable and thread-safe. Do not call it on a Reactor thread.
 *
 * @param <T> the type of the values
 */
public final class Move<T> {
  private final AsyncMove<T> async;

  Move(AsyncMove<T> async) {
    this.async = async;
  }

  /** Returns this move with asynchronous calls. */
  public AsyncMove<T> async() {
    return async;
  }

  /**
   * See {@link AsyncMove#move(EntityKey, EntityKey)}.
   *
   * @throws io.lazuli.client.table.NotFound if there is no such entity
   * @throws io.lazuli.client.table.AlreadyExists if there is an entity at the new key
   * @throws MovingFailure if the entity is already moving to another key
   */
  public void move(EntityKey oldKey, EntityKey newKey) {
    Waiting.done(async.move(oldKey, newKey));
  }

  /**
   * See {@link AsyncMove#move(EntityKey)}.
   *
   * @throws io.lazuli.client.table.NotFound if there is no such entity
   * @throws io.lazuli.client.table.AlreadyExists if the other table has an entity with this key
   * @throws MovingFailure if the entity is already moving to another key
   */
  public void move(EntityKey key) {
    Waiting.done(async.move(key));
  }
}
