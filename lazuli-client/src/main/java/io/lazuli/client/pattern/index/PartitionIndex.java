package io.lazuli.client.pattern.index;

import io.lazuli.client.entity.EntityKey;
import java.util.Optional;
import java.util.stream.Stream;

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
    return async.find(indexKey).blockOptional();
  }

  /** See {@link AsyncPartitionIndex#partition}. */
  public Stream<T> partition(String partitionKey) {
    return async.partition(partitionKey).toStream();
  }

  /** See {@link AsyncPartitionIndex#prefix}. */
  public Stream<T> prefix(String partitionKey, String rowKeyPrefix) {
    return async.prefix(partitionKey, rowKeyPrefix).toStream();
  }

  /** See {@link AsyncPartitionIndex#range}. */
  public Stream<T> range(String partitionKey, String rowKeyFrom, String rowKeyTo) {
    return async.range(partitionKey, rowKeyFrom, rowKeyTo).toStream();
  }
}
