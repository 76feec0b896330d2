package io.lazuli.client.pattern.relation;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.waiting.Waiting;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Offers the operations of {@link AsyncOneToMany} as blocking calls: each waits for its result and
 * throws its error. Immutable and thread-safe. Do not call it on a Reactor thread.
 *
 * @param <P> the type of the parents
 * @param <C> the type of the children
 */
public final class OneToMany<P, C> {
  private final AsyncOneToMany<P, C> async;

  OneToMany(AsyncOneToMany<P, C> async) {
    this.async = async;
  }

  /** Returns this relation with asynchronous calls. */
  public AsyncOneToMany<P, C> async() {
    return async;
  }

  /** See {@link AsyncOneToMany#parent}. */
  public Optional<P> parent(EntityKey key) {
    return Waiting.optional(async.parent(key));
  }

  /** See {@link AsyncOneToMany#child}. */
  public Optional<C> child(EntityKey key) {
    return Waiting.optional(async.child(key));
  }

  /** See {@link AsyncOneToMany#count}. */
  public Optional<Long> count(EntityKey parent) {
    return Waiting.optional(async.count(parent));
  }

  /** See {@link AsyncOneToMany#children}. Close the stream if it is not read to its end. */
  public Stream<C> children(EntityKey parent) {
    return Waiting.stream(async.children(parent));
  }

  /**
   * See {@link AsyncOneToMany#insertParent}.
   *
   * @throws AlreadyExists if an entity with its key exists
   */
  public void insertParent(P parent) {
    Waiting.done(async.insertParent(parent));
  }

  /**
   * See {@link AsyncOneToMany#updateParent}.
   *
   * @throws NotFound if the parent does not exist
   */
  public P updateParent(EntityKey key, UnaryOperator<P> change) {
    return Waiting.result(async.updateParent(key, change));
  }

  /**
   * See {@link AsyncOneToMany#deleteParentIfExists}.
   *
   * @throws HasChildren if the parent has children
   */
  public boolean deleteParentIfExists(EntityKey key) {
    return Waiting.result(async.deleteParentIfExists(key));
  }

  /**
   * See {@link AsyncOneToMany#insertChild}.
   *
   * @throws NotFound if the parent does not exist
   * @throws AlreadyExists if a child with its key exists
   */
  public void insertChild(C child) {
    Waiting.done(async.insertChild(child));
  }

  /** See {@link AsyncOneToMany#deleteChildIfExists}. */
  public boolean deleteChildIfExists(EntityKey key) {
    return Waiting.result(async.deleteChildIfExists(key));
  }

  /**
   * See {@link AsyncOneToMany#updateChild}.
   *
   * @throws NotFound if the child or the new parent does not exist
   */
  public C updateChild(EntityKey key, UnaryOperator<C> change) {
    return Waiting.result(async.updateChild(key, change));
  }
}
