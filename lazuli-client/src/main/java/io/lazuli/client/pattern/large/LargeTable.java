package io.lazuli.client.pattern.large;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.waiting.Waiting;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A table whose entities may have large values. Each call waits for its result. {@link
 * AsyncLargeTable} has the same operations and describes each method in more detail. Immutable and
 * thread-safe. Do not call it on a Reactor thread.
 *
 * @param <T> the type of the values
 */
public final class LargeTable<T> {
  private final AsyncLargeTable<T> async;

  LargeTable(AsyncLargeTable<T> async) {
    this.async = async;
  }

  /** Returns this table with asynchronous calls. */
  public AsyncLargeTable<T> async() {
    return async;
  }

  /** Returns the value with this key. */
  public Optional<T> find(EntityKey key) {
    return Waiting.optional(async.find(key));
  }

  /**
   * Returns the values of a query, in the order of their keys. Close the stream if it is not read
   * to its end.
   */
  public Stream<T> query(Query query) {
    return Waiting.streamOnDemand(async.query(query));
  }

  /**
   * Inserts a value and returns its ETag.
   *
   * @throws io.lazuli.client.table.AlreadyExists if a value with its key exists
   */
  public T insert(T value) {
    return Waiting.job(async.insert(value));
  }

  /** Inserts a value, or replaces the value with the same key; returns its ETag. */
  public T put(T value) {
    return Waiting.job(async.put(value));
  }

  /**
   * Replaces a value that has the ETag it was read with; returns the new ETag.
   *
   * @throws io.lazuli.client.table.NotFound if there is no value with this key
   * @throws io.lazuli.client.table.ConditionNotMet if the stored value has another ETag
   */
  public T replace(T value) {
    return Waiting.job(async.replace(value));
  }

  /**
   * Changes a value and returns it as it was written. No change of another client is lost.
   *
   * @throws io.lazuli.client.table.NotFound if there is no value with this key
   */
  public T update(EntityKey key, UnaryOperator<T> change) {
    return Waiting.job(async.update(key, change));
  }

  /** Deletes a value and its blobs; returns whether the value existed. */
  public boolean delete(EntityKey key) {
    return Waiting.result(async.delete(key));
  }

  /** Removes blobs older than an hour that no entity names; returns their number. */
  public long collectOrphans() {
    return Waiting.job(async.collectOrphans());
  }

  /** Removes blobs of at least this age that no entity names; returns their number. */
  public long collectOrphans(Duration age) {
    return Waiting.job(async.collectOrphans(age));
  }
}
