package io.lazuli.client.pattern.index;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.waiting.Waiting;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Offers the operations of {@link AsyncIndexedTable} as blocking calls: each waits for its result
 * and throws its error. Immutable and thread-safe. Do not call it on a Reactor thread.
 *
 * @param <T> the type of the entities
 */
public final class IndexedTable<T> {
  private final AsyncIndexedTable<T> async;

  IndexedTable(AsyncIndexedTable<T> async) {
    this.async = async;
  }

  /** Returns this table with asynchronous calls. */
  public AsyncIndexedTable<T> async() {
    return async;
  }

  /** See {@link AsyncIndexedTable#by}. */
  public RowIndex<T> by(String prefix) {
    return async.by(prefix).blocking();
  }

  /** See {@link AsyncIndexedTable#find}. */
  public Optional<T> find(EntityKey key) {
    return Waiting.optional(async.find(key));
  }

  /**
   * See {@link AsyncIndexedTable#insert}.
   *
   * @throws AlreadyExists if another entity has its key or one of its indexed values
   */
  public void insert(T value) {
    Waiting.done(async.insert(value));
  }

  /**
   * See {@link AsyncIndexedTable#put}.
   *
   * @throws AlreadyExists if another entity has one of its indexed values
   */
  public void put(T value) {
    Waiting.done(async.put(value));
  }

  /**
   * See {@link AsyncIndexedTable#update}.
   *
   * @throws NotFound if there is no such entity
   * @throws AlreadyExists if another entity has one of its new indexed values
   */
  public T update(EntityKey key, UnaryOperator<T> change) {
    return Waiting.result(async.update(key, change));
  }

  /** See {@link AsyncIndexedTable#deleteIfExists}. */
  public boolean deleteIfExists(EntityKey key) {
    return Waiting.result(async.deleteIfExists(key));
  }
}
