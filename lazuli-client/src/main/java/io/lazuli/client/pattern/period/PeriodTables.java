package io.lazuli.client.pattern.period;

import com.azure.data.tables.TableServiceAsyncClient;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.waiting.Waiting;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Stores entities in one table for each period of time. Each call waits for its result. {@link
 * AsyncPeriodTables} describes each method in more detail. Thread-safe.
 *
 * @param <T> the type of the entities
 */
public final class PeriodTables<T> {
  private final AsyncPeriodTables<T> async;

  PeriodTables(AsyncPeriodTables<T> async) {
    this.async = async;
  }

  /** Creates the period tables of an account: see {@link AsyncPeriodTables#of}. */
  public static <T> PeriodTables<T> of(
      TableServiceAsyncClient service,
      String name,
      Period period,
      Class<T> type,
      Function<? super T, Instant> time) {
    return AsyncPeriodTables.of(service, name, period, EntityCodec.of(type), time).blocking();
  }

  /** Returns these tables with asynchronous calls. */
  public AsyncPeriodTables<T> async() {
    return async;
  }

  /**
   * Inserts an entity into the table of its period; returns the value with its ETag.
   *
   * @throws PeriodDropped if the period was dropped
   */
  public T insert(T value) {
    return Waiting.result(async.insert(value));
  }

  /**
   * Inserts an entity into the table of its period, or replaces it there; returns the value with
   * its ETag.
   *
   * @throws PeriodDropped if the period was dropped
   */
  public T upsertReplace(T value) {
    return Waiting.result(async.upsertReplace(value));
  }

  /** Returns the entity of a time with a key. */
  public Optional<T> find(Instant when, EntityKey key) {
    return Waiting.optional(async.find(when, key));
  }

  /**
   * Returns the entities of a query in the periods between two times, inclusive, in order, fetched
   * as the stream is read. Close the stream if it is not read to its end.
   */
  public Stream<T> query(Query query, Instant from, Instant to) {
    return Waiting.streamOnDemand(async.query(query, from, to));
  }

  /** Drops all periods before the period of a time; returns the number of deleted tables. */
  public long dropBefore(Instant when) {
    return Waiting.job(async.dropBefore(when));
  }
}
