package io.lazuli.client.pattern.large;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/**
 * A table whose entities may have large values. Every call waits for its result; {@link
 * AsyncLargeTable} has the same operations and says more of each. Immutable and thread-safe. Do not
 * call it on a thread of Reactor.
 *
 * @param <T> the values
 */
public final class LargeTable<T> {
  private final AsyncLargeTable<T> async;

  LargeTable(AsyncLargeTable<T> async) {
    this.async = async;
  }

  /** The same table; calls do not wait. */
  public AsyncLargeTable<T> async() {
    return async;
  }

  /** The value of this key. */
  public Optional<T> find(EntityKey key) {
    return async.find(key).blockOptional();
  }

  /** The values that a query finds, in the order of their keys. Close the stream. */
  public Stream<T> query(Query query) {
    return async.query(query).toStream(1);
  }

  /**
   * Adds a value; the answer is its ETag.
   *
   * @throws io.lazuli.client.table.AlreadyExists if there is one of its key
   */
  public String insert(T value) {
    return result(async.insert(value));
  }

  /** Adds a value, or replaces the one of its key; the answer is its ETag. */
  public String put(T value) {
    return result(async.put(value));
  }

  /**
   * Replaces a value that has the ETag it was read with; the answer is the new one.
   *
   * @throws io.lazuli.client.table.NotFound if there is none
   * @throws io.lazuli.client.table.ConditionNotMet if it has another ETag
   */
  public String replace(T value) {
    return result(async.replace(value));
  }

  /**
   * Changes a value; no change of others is lost.
   *
   * @throws io.lazuli.client.table.NotFound if there is none
   */
  public T update(EntityKey key, UnaryOperator<T> change) {
    return result(async.update(key, change));
  }

  /** Deletes a value and its blobs; the answer is whether there was one. */
  public boolean delete(EntityKey key) {
    return result(async.delete(key));
  }

  /** Removes blobs older than an hour that no entity names; the answer is how many. */
  public long collectOrphans() {
    return result(async.collectOrphans());
  }

  /** Removes blobs of at least this age that no entity names; the answer is how many. */
  public long collectOrphans(Duration age) {
    return result(async.collectOrphans(age));
  }

  private static <R> R result(Mono<R> mono) {
    return Objects.requireNonNull(mono.block(), "an answer");
  }
}
