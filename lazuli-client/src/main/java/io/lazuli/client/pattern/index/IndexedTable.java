package io.lazuli.client.pattern.index;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.NotFound;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * An {@link AsyncIndexedTable} whose calls wait for their result, and which throws what that one
 * signals. Immutable and thread-safe. Do not call it on a thread of Reactor.
 *
 * @param <T> the type of the entities
 */
public final class IndexedTable<T> {
  private final AsyncIndexedTable<T> async;

  IndexedTable(AsyncIndexedTable<T> async) {
    this.async = async;
  }

  /** The same table; calls do not wait. */
  public AsyncIndexedTable<T> async() {
    return async;
  }

  /** See {@link AsyncIndexedTable#by}. */
  public RowIndex<T> by(String prefix) {
    return async.by(prefix).blocking();
  }

  /** See {@link AsyncIndexedTable#find}. */
  public Optional<T> find(EntityKey key) {
    return async.find(key).blockOptional();
  }

  /**
   * See {@link AsyncIndexedTable#insert}.
   *
   * @throws AlreadyExists if its key or one of its values is taken
   */
  public void insert(T value) {
    async.insert(value).block();
  }

  /**
   * See {@link AsyncIndexedTable#put}.
   *
   * @throws AlreadyExists if one of its values is another entity's
   */
  public void put(T value) {
    async.put(value).block();
  }

  /**
   * See {@link AsyncIndexedTable#update}.
   *
   * @throws NotFound if there is no such entity
   * @throws AlreadyExists if one of its new values is another entity's
   */
  public T update(EntityKey key, UnaryOperator<T> change) {
    return async.update(key, change).blockOptional().orElseThrow();
  }

  /** See {@link AsyncIndexedTable#deleteIfExists}. */
  public boolean deleteIfExists(EntityKey key) {
    return async.deleteIfExists(key).blockOptional().orElseThrow();
  }
}
