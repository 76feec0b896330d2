package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Filter;
import io.lazuli.client.query.Query;
import io.lazuli.client.query.Segment;
import io.lazuli.client.query.Token;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An index across partitions that a primary table declares with {@link
 * AsyncPrimaryTable#indexedBy(String, com.azure.data.tables.TableAsyncClient,
 * java.util.function.Function)}: finds copies of entities by their index keys. Immutable and
 * thread-safe.
 *
 * @param <T> the type of the values of the primary table
 */
public final class AsyncPartitionIndex<T> {
  private final TableCopy<T> copies;

  AsyncPartitionIndex(TableCopy<T> copies) {
    this.copies = copies;
  }

  /** Returns this index with blocking calls. */
  public PartitionIndex<T> blocking() {
    return new PartitionIndex<>(this);
  }

  /** Returns the entity with this index key: a point query. */
  public Mono<T> find(EntityKey indexKey) {
    return copies.find(indexKey);
  }

  /** Returns the entities of an index partition, in the order of their index keys. */
  public Flux<T> partition(String partitionKey) {
    return query(Query.partition(partitionKey));
  }

  /** Returns the entities whose index row keys begin with a prefix. */
  public Flux<T> prefix(String partitionKey, String rowKeyPrefix) {
    return query(Query.prefix(partitionKey, rowKeyPrefix));
  }

  /**
   * Returns the entities whose index row keys are in a range. The start is inclusive, the end
   * exclusive.
   */
  public Flux<T> range(String partitionKey, String rowKeyFrom, String rowKeyTo) {
    Filter rows = Filter.rowKey().ge(rowKeyFrom).and(Filter.rowKey().lt(rowKeyTo));
    return query(Query.partition(partitionKey).and(rows));
  }

  /**
   * Returns the entities of a query, in the order of their index keys. Its conditions on keys refer
   * to the index keys. Tombstones do not count.
   */
  public Flux<T> query(Query query) {
    return copies.values().query(copies.copies(query));
  }

  /**
   * Returns one segment of a query: a single request.
   *
   * @param token where to continue; null for the first segment
   */
  public Mono<Segment<T>> segment(Query query, @Nullable Token token) {
    return copies.values().segment(copies.copies(query), token);
  }

  /**
   * Removes the tombstones of entries that were removed at least this long ago; see {@link
   * AsyncPrimaryTable#sweep}.
   *
   * @return the number of removed tombstones
   */
  public Mono<Long> sweep(Duration age) {
    return copies.sweep(age);
  }
}
