package io.lazuli.client.pattern.spread;

import io.lazuli.client.query.Query;
import io.lazuli.client.table.Table;
import io.lazuli.client.waiting.Waiting;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads partitions that are spread over buckets. Each call waits for its result. {@link
 * AsyncSpread} describes each method in more detail. Immutable and thread-safe.
 *
 * @param <T> the type of the entities
 */
public final class Spread<T> {
  private final AsyncSpread<T> async;

  Spread(AsyncSpread<T> async) {
    this.async = async;
  }

  /** Returns the spread partitions of a table. */
  public static <T> Spread<T> of(Table<T> table, KeySpreader spreader) {
    return AsyncSpread.of(table.async(), spreader).blocking();
  }

  /** Returns this spread with asynchronous calls. */
  public AsyncSpread<T> async() {
    return async;
  }

  /** Returns the entity with an id and a row key. */
  public Optional<T> find(String partition, String id, String rowKey) {
    return Waiting.optional(async.find(partition, id, rowKey));
  }

  /**
   * Returns the entities of a query in all buckets of a partition, in the order of their row keys.
   * Close the stream if it is not read to its end.
   */
  public Stream<T> query(String partition, Query query) {
    return Waiting.streamOnDemand(async.query(partition, query));
  }
}
