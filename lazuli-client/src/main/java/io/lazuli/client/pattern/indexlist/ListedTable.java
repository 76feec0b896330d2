package io.lazuli.client.pattern.indexlist;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.waiting.Waiting;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Offers the operations of {@link AsyncListedTable} as blocking calls: each waits for its result
 * and throws its error. Immutable and thread-safe. Do not call it on a Reactor thread.
 *
 * @param <T> the type of the entities
 */
public final class ListedTable<T> {
  private final AsyncListedTable<T> async;

  ListedTable(AsyncListedTable<T> async) {
    this.async = async;
  }

  /** Returns this table with asynchronous calls. */
  public AsyncListedTable<T> async() {
    return async;
  }

  /** See {@link AsyncListedTable#find(EntityKey)}. */
  public Optional<T> find(EntityKey key) {
    return Waiting.optional(async.find(key));
  }

  /** See {@link AsyncListedTable#keys}. */
  public List<String> keys(String partitionKey, String prefix, String value) {
    return Waiting.result(async.keys(partitionKey, prefix, value));
  }

  /**
   * See {@link AsyncListedTable#find(String, String, String)}. Close the stream if it is not read
   * to its end.
   */
  public Stream<T> find(String partitionKey, String prefix, String value) {
    return Waiting.stream(async.find(partitionKey, prefix, value));
  }

  /**
   * See {@link AsyncListedTable#insert}.
   *
   * @throws AlreadyExists if an entity with its key exists
   */
  public void insert(T value) {
    Waiting.done(async.insert(value));
  }

  /** See {@link AsyncListedTable#put}. */
  public void put(T value) {
    Waiting.done(async.put(value));
  }

  /**
   * See {@link AsyncListedTable#update}.
   *
   * @throws NotFound if there is no such entity
   */
  public T update(EntityKey key, UnaryOperator<T> change) {
    return Waiting.result(async.update(key, change));
  }

  /** See {@link AsyncListedTable#deleteIfExists}. */
  public boolean deleteIfExists(EntityKey key) {
    return Waiting.result(async.deleteIfExists(key));
  }

  /** See {@link AsyncListedTable#collect}. */
  public long collect() {
    return Waiting.job(async.collect());
  }
}
