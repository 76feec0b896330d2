package io.lazuli.client.table;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableClient;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.query.Segment;
import io.lazuli.client.query.ServerExplanation;
import io.lazuli.client.query.ServerPlan;
import io.lazuli.client.query.Token;
import io.lazuli.client.waiting.Waiting;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table of typed entities. Each call waits for its result. {@link AsyncTable} has the same
 * operations without waiting, and describes each method in more detail. Immutable and thread-safe.
 * Do not call it on a Reactor thread.
 *
 * @param <T> the type of the entities
 */
public final class Table<T> {
  private final AsyncTable<T> async;

  Table(AsyncTable<T> async) {
    this.async = async;
  }

  /** Returns the table of a client, with entities of a type. */
  public static <T> Table<T> of(TableAsyncClient client, EntityCodec<T> codec) {
    return AsyncTable.of(client, codec).blocking();
  }

  /**
   * Returns the table of a client, with entities of a record, a class or a sealed family: {@link
   * EntityCodec#of}.
   */
  public static <T> Table<T> of(TableAsyncClient client, Class<T> type) {
    return AsyncTable.of(client, type).blocking();
  }

  /** Returns the table of a blocking client, with entities of a type. */
  public static <T> Table<T> of(TableClient client, EntityCodec<T> codec) {
    return AsyncTable.of(Requests.of(client), codec).blocking();
  }

  /**
   * Returns the table of a blocking client, with entities of a record, a class or a sealed family:
   * {@link EntityCodec#of}.
   */
  public static <T> Table<T> of(TableClient client, Class<T> type) {
    return of(client, EntityCodec.of(type));
  }

  /** Returns this table with asynchronous calls. */
  public AsyncTable<T> async() {
    return async;
  }

  /** Returns the codec that writes and reads the entities. */
  public EntityCodec<T> codec() {
    return async.codec();
  }

  /**
   * Returns the same table with entities of another type, for example one with fewer properties.
   */
  public <S> Table<S> as(EntityCodec<S> other) {
    return async.as(other).blocking();
  }

  /** Returns the entity with a key. */
  public Optional<T> find(EntityKey key) {
    return Waiting.optional(async.find(key));
  }

  /**
   * Returns the existing entities among these keys, in no particular order. Sends one point query
   * per key.
   */
  public List<T> findAll(Collection<EntityKey> keys, int concurrency) {
    return Waiting.stream(async.findAll(keys, concurrency)).toList();
  }

  /**
   * Inserts an entity and returns the value with its ETag.
   *
   * @throws AlreadyExists if an entity with its key exists
   */
  public T insert(T value) {
    return Waiting.result(async.insert(value));
  }

  /**
   * Replaces an entity that has the ETag that the value carries; returns the value with its new
   * ETag.
   *
   * @throws NotFound if the entity does not exist
   * @throws ConditionNotMet if somebody else changed the entity
   */
  public T replace(T value) {
    return Waiting.result(async.replace(value));
  }

  /**
   * Replaces an entity that meets a condition; returns the value with its new ETag.
   *
   * @throws NotFound if the entity does not exist
   * @throws ConditionNotMet if somebody else changed the entity
   */
  public T replace(T value, Condition condition) {
    return Waiting.result(async.replace(value, condition));
  }

  /**
   * Changes properties of an entity that has the ETag that the value carries; returns the value
   * with its new ETag.
   *
   * @throws NotFound if the entity does not exist
   * @throws ConditionNotMet if somebody else changed the entity
   */
  public T merge(T value) {
    return Waiting.result(async.merge(value));
  }

  /**
   * Changes properties of an entity that meets a condition; returns the value with its new ETag.
   *
   * @throws NotFound if the entity does not exist
   * @throws ConditionNotMet if somebody else changed the entity
   */
  public T merge(T value, Condition condition) {
    return Waiting.result(async.merge(value, condition));
  }

  /** Inserts an entity, or replaces the existing one; returns the value with its ETag. */
  public T upsertReplace(T value) {
    return Waiting.result(async.upsertReplace(value));
  }

  /**
   * Inserts an entity, or changes properties of the existing one; returns the value with the ETag
   * of the entity.
   */
  public T upsertMerge(T value) {
    return Waiting.result(async.upsertMerge(value));
  }

  /**
   * Deletes an entity that meets a condition.
   *
   * @throws NotFound if the entity does not exist
   * @throws ConditionNotMet if somebody else changed the entity
   */
  public void delete(EntityKey key, Condition condition) {
    Waiting.done(async.delete(key, condition));
  }

  /** Deletes an entity whatever its ETag is; returns whether it existed. */
  public boolean deleteIfExists(EntityKey key) {
    return Waiting.result(async.deleteIfExists(key));
  }

  /**
   * Reads an entity, changes it and replaces it. Starts over if somebody else changed it in
   * between; see {@link AsyncTable#update(EntityKey, UnaryOperator, int)}.
   *
   * @throws NotFound if the entity does not exist
   * @throws ConditionNotMet if the last attempt also failed because of a concurrent change
   * @throws OutcomeUnknown if an answer was lost and the stored entity does not reveal the outcome
   */
  public T update(EntityKey key, UnaryOperator<T> change) {
    return Waiting.result(async.update(key, change));
  }

  /** Like {@link #update(EntityKey, UnaryOperator)}, with a given number of attempts. */
  public T update(EntityKey key, UnaryOperator<T> change, int attempts) {
    return Waiting.result(async.update(key, change, attempts));
  }

  /**
   * Returns the entities of a query in the order of their keys. A segment is fetched when the
   * stream reaches its first entity.
   */
  public Stream<T> query(Query query) {
    Stream<T> all = SegmentSpliterator.stream(token -> segment(query, token));
    return query.top().isPresent() ? all.limit(query.top().getAsInt()) : all;
  }

  /**
   * Returns one segment of a query: a single request.
   *
   * @param token where to continue; null for the first segment
   */
  public Segment<T> segment(Query query, @Nullable Token token) {
    return Waiting.result(async.segment(query, token));
  }

  /**
   * Returns one segment of a query with the explanation of its request, which is null if the server
   * is not Lazuli. See {@link AsyncTable#explainedSegment}.
   *
   * @param token where to continue; null for the first segment
   * @throws IllegalStateException if the client did not send the header; see {@link #explain}
   */
  public Segment<T> explainedSegment(Query query, @Nullable Token token) {
    return Waiting.result(async.explainedSegment(query, token));
  }

  /**
   * Explains a query without running it; empty if the server is not Lazuli. The client must be
   * built with {@code addPolicy(new AddHeadersFromContextPolicy())}. See {@link
   * AsyncTable#explain}.
   *
   * @throws IllegalStateException if the client was built without that policy
   */
  public Optional<ServerExplanation> explain(Query query) {
    return Waiting.optional(async.explain(query));
  }

  /**
   * Returns how the server executes a query, after running its first request; empty if the server
   * is not Lazuli. See {@link AsyncTable#plan}.
   */
  public Optional<ServerPlan> plan(Query query) {
    return Waiting.optional(async.plan(query));
  }

  /**
   * Runs a query in several partitions at the same time; returns the entities in no particular
   * order.
   */
  public List<T> fanOut(Collection<String> partitionKeys, Query query, int concurrency) {
    return Waiting.stream(async.fanOut(partitionKeys, query, concurrency)).toList();
  }

  /**
   * Makes all writes of a batch, or none.
   *
   * @throws BatchFailed if a write was rejected
   */
  public void batch(Batch<T> batch) {
    Waiting.done(async.batch(batch));
  }

  /**
   * Makes any number of writes in batches, <strong>not atomically</strong>; returns their number.
   * See {@link AsyncTable#inChunks}.
   *
   * @throws BatchFailed if a write was rejected; other batches have been written
   */
  public int inChunks(List<Write<T>> writes, int concurrency) {
    return Waiting.job(async.inChunks(writes, concurrency));
  }
}
