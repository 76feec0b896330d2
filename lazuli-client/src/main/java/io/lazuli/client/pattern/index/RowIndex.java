package io.lazuli.client.pattern.index;

import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.waiting.Waiting;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Offers the operations of {@link AsyncRowIndex} as blocking calls: each waits for its result and
 * throws its error. Immutable and thread-safe. Do not call it on a Reactor thread. Close streams
 * that are not read to their end.
 *
 * @param <T> the type of the entities
 */
public final class RowIndex<T> {
  private final AsyncRowIndex<T> async;

  RowIndex(AsyncRowIndex<T> async) {
    this.async = async;
  }

  /** Returns this index with asynchronous calls. */
  public AsyncRowIndex<T> async() {
    return async;
  }

  /** See {@link AsyncRowIndex#as}. */
  public <S> RowIndex<S> as(EntityCodec<S> other) {
    return async.as(other).blocking();
  }

  /** See {@link AsyncRowIndex#find}. */
  public Optional<T> find(String partitionKey, String value) {
    return Waiting.optional(async.find(partitionKey, value));
  }

  /** See {@link AsyncRowIndex#partition}. */
  public Stream<T> partition(String partitionKey) {
    return Waiting.stream(async.partition(partitionKey));
  }

  /** See {@link AsyncRowIndex#prefix}. */
  public Stream<T> prefix(String partitionKey, String valuePrefix) {
    return Waiting.stream(async.prefix(partitionKey, valuePrefix));
  }

  /** See {@link AsyncRowIndex#range}. */
  public Stream<T> range(String partitionKey, String from, String to) {
    return Waiting.stream(async.range(partitionKey, from, to));
  }
}
