package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.query.Segment;
import io.lazuli.client.query.Token;
import io.lazuli.client.waiting.Waiting;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Offers the operations of {@link AsyncPrimaryTable} as blocking calls: each waits for its result
 * and throws its error. Immutable and thread-safe. Do not call it on a Reactor thread.
 *
 * @param <T> the type of the values
 */
public final class PrimaryTable<T> {
  private final AsyncPrimaryTable<T> async;

  PrimaryTable(AsyncPrimaryTable<T> async) {
    this.async = async;
  }

  /** Returns this table with asynchronous calls. */
  public AsyncPrimaryTable<T> async() {
    return async;
  }

  /** See {@link AsyncPrimaryTable#find}. */
  public Optional<T> find(EntityKey key) {
    return Waiting.optional(async.find(key));
  }

  /** See {@link AsyncPrimaryTable#by(String)}. */
  public PartitionIndex<T> by(String name) {
    return async.by(name).blocking();
  }

  /** See {@link AsyncPrimaryTable#query}. Close the stream if it is not read to its end. */
  public Stream<T> query(Query query) {
    return Waiting.stream(async.query(query));
  }

  /** See {@link AsyncPrimaryTable#segment}. */
  public Segment<T> segment(Query query, @Nullable Token token) {
    return Waiting.result(async.segment(query, token));
  }

  /** See {@link AsyncPrimaryTable#fanOut}. */
  public List<T> fanOut(Collection<String> partitionKeys, Query query, int concurrency) {
    return Waiting.stream(async.fanOut(partitionKeys, query, concurrency)).toList();
  }

  /**
   * See {@link AsyncPrimaryTable#insert}.
   *
   * @throws io.lazuli.client.table.AlreadyExists if there is a value with the same key
   * @throws MovingFailure if the value is being moved
   * @throws ContentionFailure if other clients were faster in every attempt
   */
  public Primary<T> insert(T value) {
    return Waiting.result(async.insert(value));
  }

  /**
   * See {@link AsyncPrimaryTable#put}.
   *
   * @throws MovingFailure if the value is being moved
   * @throws ContentionFailure if other clients were faster in every attempt
   */
  public Primary<T> put(T value) {
    return Waiting.result(async.put(value));
  }

  /**
   * See {@link AsyncPrimaryTable#update}.
   *
   * @throws io.lazuli.client.table.NotFound if there is no value with this key
   * @throws MovingFailure if the value is being moved
   * @throws ContentionFailure if other clients were faster in every attempt
   */
  public Primary<T> update(EntityKey key, UnaryOperator<T> change) {
    return Waiting.result(async.update(key, change));
  }

  /**
   * See {@link AsyncPrimaryTable#delete}.
   *
   * @throws MovingFailure if the value is being moved
   * @throws ContentionFailure if other clients were faster in every attempt
   */
  public void delete(EntityKey key) {
    Waiting.done(async.delete(key));
  }

  /**
   * See {@link AsyncPrimaryTable#change}.
   *
   * @throws MovingFailure if the value is being moved
   * @throws ContentionFailure if other clients were faster in every attempt
   */
  public Primary<T> change(EntityKey key, UnaryOperator<Optional<T>> change) {
    return Waiting.result(async.change(key, change));
  }

  /** See {@link AsyncPrimaryTable#refresh}. */
  public void refresh(EntityKey key) {
    Waiting.done(async.refresh(key));
  }

  /** See {@link AsyncPrimaryTable#refreshAll}. Returns the number of announced values. */
  public long refreshAll(Query query) {
    return Waiting.job(async.refreshAll(query).count());
  }

  /** See {@link AsyncPrimaryTable#sweep}. */
  public long sweep(Duration age) {
    return Waiting.job(async.sweep(age));
  }
}
