package io.lazuli.client.pattern.relation;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AlreadyExists;
import java.util.Optional;

/**
 * An {@link AsyncOneToOne} whose calls wait for their results and throw its errors. Immutable and
 * thread-safe. Do not call it on a thread of Reactor.
 *
 * @param <A> the first entity, whose key finds a pair
 * @param <B> the second entity
 */
public final class OneToOne<A, B> {
  private final AsyncOneToOne<A, B> async;

  OneToOne(AsyncOneToOne<A, B> async) {
    this.async = async;
  }

  /** Returns the same relation with calls that do not wait. */
  public AsyncOneToOne<A, B> async() {
    return async;
  }

  /** See {@link AsyncOneToOne#find}. */
  public Optional<AsyncOneToOne.Pair<A, B>> find(EntityKey firstKey) {
    return async.find(firstKey).blockOptional();
  }

  /**
   * See {@link AsyncOneToOne#insert}.
   *
   * @throws AlreadyExists if one of them exists
   */
  public void insert(A first, B second) {
    async.insert(first, second).block();
  }

  /** See {@link AsyncOneToOne#deleteIfExists}. */
  public boolean deleteIfExists(EntityKey firstKey) {
    return async.deleteIfExists(firstKey).blockOptional().orElseThrow();
  }
}
