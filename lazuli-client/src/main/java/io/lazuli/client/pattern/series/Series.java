package io.lazuli.client.pattern.series;

import com.azure.data.tables.TableAsyncClient;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.waiting.Waiting;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Series of numbered points; each series is one entity. Each call waits for its result. {@link
 * AsyncSeries} describes each method in more detail. Immutable and thread-safe.
 *
 * @param <V> the type of the values
 */
public final class Series<V> {
  private final AsyncSeries<V> async;

  Series(AsyncSeries<V> async) {
    this.async = async;
  }

  /** Returns the series in a table: see {@link AsyncSeries#of}. */
  public static <V> Series<V> of(TableAsyncClient table, Class<V> type, String name, int count) {
    return AsyncSeries.of(table, type, name, count).blocking();
  }

  /** Returns this series with asynchronous calls. */
  public AsyncSeries<V> async() {
    return async;
  }

  /** Returns the points of a series; none is set if the entity does not exist. */
  public Points<V> read(EntityKey key) {
    return Waiting.result(async.read(key));
  }

  /** Sets a point, whatever its value was, and keeps the others. */
  public void set(EntityKey key, int point, V value) {
    Waiting.done(async.set(key, point, value));
  }

  /** Sets several points in one write, and keeps the others. */
  public void set(EntityKey key, Map<Integer, V> values) {
    Waiting.done(async.set(key, values));
  }

  /** Changes a point and keeps the others; returns the value that was written. */
  public V update(EntityKey key, int point, Function<Optional<V>, V> change) {
    return Waiting.result(async.update(key, point, change));
  }

  /** Adds an amount to a point of a series of longs; returns the sum. */
  public static long add(Series<Long> series, EntityKey key, int point, long amount) {
    return Waiting.result(AsyncSeries.add(series.async, key, point, amount));
  }
}
