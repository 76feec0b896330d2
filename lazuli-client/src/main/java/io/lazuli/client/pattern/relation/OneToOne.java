package io.lazuli.client.pattern.relation;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.waiting.Waiting;
import java.util.Optional;

/**
 * Offers the operations of {@link AsyncOneToOne} as blocking calls: each waits for its result and
 * throws its error. Immutable and thread-safe. Do not call it on a Reactor thread.
 *
 * @param <A> the type of the first entity, whose key identifies a pair
 * @param <B> the type of the second entity
 */
public final class OneToOne<A, B> {
  private final AsyncOneToOne<A, B> async;

  OneToOne(AsyncOneToOne<A, B> async) {
    this.async = async;
  }

  /** Returns this relation with asynchronous calls. */
  public AsyncOneToOne<A, B> async() {
    return async;
  }

  /** See {@link AsyncOneToOne#find}. */
  public Optional<AsyncOneToOne.Pair<A, B>> find(EntityKey firstKey) {
    return Waiting.optional(async.find(firstKey));
  }

  /**
   * See {@link AsyncOneToOne#insert}.
   *
   * @throws AlreadyExists if either entity exists
   */
  public void insert(A first, B second) {
    Waiting.done(async.insert(first, second));
  }

  /** See {@link AsyncOneToOne#deleteIfExists}. */
  public boolean deleteIfExists(EntityKey firstKey) {
    return Waiting.result(async.deleteIfExists(firstKey));
  }
}
