package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.query.Segment;
import io.lazuli.client.query.Token;
import io.lazuli.client.waiting.Waiting;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Offers the operations of {@link AsyncPartitionIndex} as blocking calls: each waits for its result
 * and throws its error. Immutable and thread-safe. Do not call it on a Reactor thread. Close
 * streams that are not read to their end.
 *
 * @param <T> the type of the values of the primary table
 */
public final class PartitionIndex<T> {
  private final AsyncPartitionIndex<T> async;

  PartitionIndex(AsyncPartitionIndex<T> async) {
    this.async = async;
  }

  /** Returns this index with asynchronous calls. */
  public AsyncPartitionIndex<T> async() {
    return async;
  }

  /** See {@link AsyncPartitionIndex#find}. */
  public Optional<T> find(EntityKey indexKey) {
    return Waiting.optional(async.find(indexKey));
  }

  /** See {@link AsyncPartitionIndex#partition}. */
  public Stream<T> partition(String partitionKey) {
    return Waiting.stream(async.partition(partitionKey));
  }

  /** See {@link AsyncPartitionIndex#prefix}. */
  public Stream<T> prefix(String partitionKey, String rowKeyPrefix) {
    return Waiting.stream(async.prefix(partitionKey, rowKeyPrefix));
  }

  /** See {@link AsyncPartitionIndex#range}. */
  public Stream<T> range(String partitionKey, String rowKeyFrom, String rowKeyTo) {
    return Waiting.stream(async.range(partitionKey, rowKeyFrom, rowKeyTo));
  }

  /** See {@link AsyncPartitionIndex#query}. */
  public Stream<T> query(Query query) {
    return Waiting.stream(async.query(query));
  }

  /** See {@link AsyncPartitionIndex#segment}. */
  public Segment<T> segment(Query query, @Nullable Token token) {
    return Waiting.result(async.segment(query, token));
  }
}
