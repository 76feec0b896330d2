package io.lazuli.client.table;

import com.azure.data.tables.TableAsyncClient;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.query.Segment;
import io.lazuli.client.query.Token;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A table of typed entities. Every call waits for its result; {@link AsyncTable} has the same
 * operations for those who do not want to wait, and says more of each. Immutable; threads may share
 * it. Do not call it on a thread of Reactor.
 *
 * @param <T> the type of the entities
 */
public final class Table<T> {
  private final AsyncTable<T> async;

  Table(AsyncTable<T> async) {
    this.async = async;
  }

  /** The table that a client talks to, with entities of a type. */
  public static <T> Table<T> of(TableAsyncClient client, EntityCodec<T> codec) {
    return AsyncTable.of(client, codec).blocking();
  }

  /** The same for a record, a bean or a sealed family: {@link EntityCodec#of}. */
  public static <T> Table<T> of(TableAsyncClient client, Class<T> type) {
    return AsyncTable.of(client, type).blocking();
  }

  /** The same table; calls do not wait. */
  public AsyncTable<T> async() {
    return async;
  }

  /** How the entities are written and read. */
  public EntityCodec<T> codec() {
    return async.codec();
  }

  /** The same table with entities of another type, for example one with fewer properties. */
  public <S> Table<S> as(EntityCodec<S> other) {
    return async.as(other).blocking();
  }

  /** The entity with a key. */
  public Optional<T> find(EntityKey key) {
    return async.find(key).blockOptional();
  }

  /** The entities with these keys that exist, in no order: a point query for each. */
  public List<T> findAll(Collection<EntityKey> keys, int concurrency) {
    return result(async.findAll(keys, concurrency).collectList());
  }

  /**
   * Inserts an entity; the answer is its ETag.
   *
   * @throws AlreadyExists if there is one with its key
   */
  public String insert(T value) {
    return result(async.insert(value));
  }

  /**
   * Replaces an entity that has the ETag that the value carries; the answer is its new ETag.
   *
   * @throws NotFound if it is not there
   * @throws ConditionNotMet if somebody changed it meanwhile
   */
  public String replace(T value) {
    return result(async.replace(value));
  }

  /**
   * Replaces an entity that meets a condition; the answer is its new ETag.
   *
   * @throws NotFound if it is not there
   * @throws ConditionNotMet if somebody changed it meanwhile
   */
  public String replace(T value, Condition condition) {
    return result(async.replace(value, condition));
  }

  /**
   * Changes properties of an entity that has the ETag that the value carries; the answer is its new
   * ETag.
   *
   * @throws NotFound if it is not there
   * @throws ConditionNotMet if somebody changed it meanwhile
   */
  public String merge(T value) {
    return result(async.merge(value));
  }

  /**
   * Changes properties of an entity that meets a condition; the answer is its new ETag.
   *
   * @throws NotFound if it is not there
   * @throws ConditionNotMet if somebody changed it meanwhile
   */
  public String merge(T value, Condition condition) {
    return result(async.merge(value, condition));
  }

  /** Inserts an entity, or replaces the one that is there; the answer is its ETag. */
  public String upsertReplace(T value) {
    return result(async.upsertReplace(value));
  }

  /** Inserts an entity, or changes properties of the one that is there; the answer is its ETag. */
  public String upsertMerge(T value) {
    return result(async.upsertMerge(value));
  }

  /**
   * Deletes an entity that meets a condition.
   *
   * @throws NotFound if it is not there
   * @throws ConditionNotMet if somebody changed it meanwhile
   */
  public void delete(EntityKey key, Condition condition) {
    async.delete(key, condition).block();
  }

  /** Deletes an entity whatever its ETag; the answer is whether it was there. */
  public boolean deleteIfExists(EntityKey key) {
    return result(async.deleteIfExists(key));
  }

  /**
   * Reads an entity, changes it and replaces it, and begins anew if somebody else changed it
   * meanwhile; see {@link AsyncTable#update(EntityKey, UnaryOperator, int)}.
   *
   * @throws NotFound if it is not there
   * @throws ConditionNotMet if the last attempt came too late as well
   */
  public T update(EntityKey key, UnaryOperator<T> change) {
    return result(async.update(key, change));
  }

  /** The same with a given number of attempts. */
  public T update(EntityKey key, UnaryOperator<T> change, int attempts) {
    return result(async.update(key, change, attempts));
  }

  /**
   * The entities of a query, in the order of their keys. A segment is fetched when the stream has
   * come to its first entity, so that what is not read is not fetched.
   */
  public Stream<T> query(Query query) {
    Stream<T> all = SegmentSpliterator.stream(token -> segment(query, token));
    return query.top().isPresent() ? all.limit(query.top().getAsInt()) : all;
  }

  /**
   * One segment of a query: a single request.
   *
   * @param token where to go on; null for the first segment
   */
  public Segment<T> segment(Query query, @Nullable Token token) {
    return result(async.segment(query, token));
  }

  /** The entities of a query in several partitions, asked at the same time; in no order. */
  public List<T> fanOut(Collection<String> partitionKeys, Query query, int concurrency) {
    return result(async.fanOut(partitionKeys, query, concurrency).collectList());
  }

  /**
   * Makes all writes of a batch, or none.
   *
   * @throws BatchFailed if one was refused
   */
  public void batch(Batch<T> batch) {
    async.batch(batch).block();
  }

  /**
   * Makes any number of writes in batches, <strong>not atomically</strong>; the answer is their
   * number. See {@link AsyncTable#inChunks}.
   *
   * @throws BatchFailed if one was refused; other batches have been made
   */
  public int inChunks(List<Write<T>> writes, int concurrency) {
    return result(async.inChunks(writes, concurrency));
  }

  private static <R> R result(Mono<R> mono) {
    return Objects.requireNonNull(mono.block(), "an answer");
  }
}
