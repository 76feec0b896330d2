package io.lazuli.client.pattern.logtail;

import io.lazuli.client.table.Table;
import io.lazuli.client.waiting.Waiting;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads partitions, newest entity first, and deletes old entities. Each call waits for its result.
 * {@link AsyncLogTail} describes each method in more detail. Immutable and thread-safe.
 *
 * @param <T> the type of the entities
 */
public final class LogTail<T> {
  private final AsyncLogTail<T> async;

  LogTail(AsyncLogTail<T> async) {
    this.async = async;
  }

  /** Returns the log tails in the partitions of a table. */
  public static <T> LogTail<T> of(Table<T> table) {
    return AsyncLogTail.of(table.async()).blocking();
  }

  /** Returns these log tails with asynchronous calls. */
  public AsyncLogTail<T> async() {
    return async;
  }

  /** Returns the newest entities of a partition, newest first. */
  public List<T> latest(String partitionKey, int count) {
    return Waiting.stream(async.latest(partitionKey, count)).toList();
  }

  /**
   * Returns the entities of a partition at or after a time, newest first, fetched as they are read.
   */
  public Stream<T> since(String partitionKey, Instant time) {
    return Waiting.streamOnDemand(async.since(partitionKey, time));
  }

  /**
   * Returns the entities of a partition from one time, inclusive, to another, exclusive; newest
   * first.
   */
  public Stream<T> between(String partitionKey, Instant from, Instant to) {
    return Waiting.streamOnDemand(async.between(partitionKey, from, to));
  }

  /** Deletes the entities of a partition that are older than a time; returns their number. */
  public long expire(String partitionKey, Instant time) {
    return Waiting.job(async.expire(partitionKey, time));
  }
}
