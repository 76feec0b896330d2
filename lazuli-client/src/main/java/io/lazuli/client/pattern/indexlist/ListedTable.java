package io.lazuli.client.pattern.indexlist;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.NotFound;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

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
    return async.find(key).blockOptional();
  }

  /** See {@link AsyncListedTable#keys}. */
  public List<String> keys(String partitionKey, String prefix, String value) {
    return result(async.keys(partitionKey, prefix, value));
  }

  /**
   * See {@link AsyncListedTable#find(String, String, String)}. Close the stream if it is not read
   * to its end.
   */
  public Stream<T> find(String partitionKey, String prefix, String value) {
    return async.find(partitionKey, prefix, value).toStream();
  }

  /**
   * See {@link AsyncListedTable#insert}.
   *
   * @throws AlreadyExists if an entity with its key exists
   */
  public void insert(T value) {
    async.insert(value).block();
  }

  /** See {@link AsyncListedTable#put}. */
  public void put(T value) {
    async.put(value).block();
  }

  /**
   * See {@link AsyncListedTable#update}.
   *
   * @throws NotFound if there is no such entity
   */
  public T update(EntityKey key, UnaryOperator<T> change) {
    return result(async.update(key, change));
  }

  /** See {@link AsyncListedTable#deleteIfExists}. */
  public boolean deleteIfExists(EntityKey key) {
    return result(async.deleteIfExists(key));
  }

  /** See {@link AsyncListedTable#collect}. */
  public long collect() {
    return result(async.collect());
  }

  private static <R> R result(Mono<R> mono) {
    return mono.blockOptional().orElseThrow();
  }
}
