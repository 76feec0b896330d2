package io.lazuli.client.pattern.series;

import com.azure.data.tables.TableAsyncClient;
import io.lazuli.client.entity.EntityKey;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Series of numbered points, each series in one entity. Every call waits for its result; {@link
 * AsyncSeries} says more of each. Immutable; threads may share it.
 *
 * @param <V> the type of the values
 */
public final class Series<V> {
  private final AsyncSeries<V> async;

  Series(AsyncSeries<V> async) {
    this.async = async;
  }

  /** The series in a table: see {@link AsyncSeries#of}. */
  public static <V> Series<V> of(TableAsyncClient table, Class<V> type, String name, int count) {
    return AsyncSeries.of(table, type, name, count).blocking();
  }

  /** The same; calls do not wait. */
  public AsyncSeries<V> async() {
    return async;
  }

  /** The points of a series, none of them set if there is no such entity. */
  public Points<V> read(EntityKey key) {
    return Objects.requireNonNull(async.read(key).block());
  }

  /** Sets a point, whatever it was, and keeps the others. */
  public void set(EntityKey key, int point, V value) {
    async.set(key, point, value).block();
  }

  /** Sets several points at once, and keeps the others. */
  public void set(EntityKey key, Map<Integer, V> values) {
    async.set(key, values).block();
  }

  /** Changes a point, and keeps the others; the answer is the value that was written. */
  public V update(EntityKey key, int point, Function<Optional<V>, V> change) {
    return Objects.requireNonNull(async.update(key, point, change).block());
  }

  /** Adds to a point of a series of longs; the answer is the sum. */
  public static long add(Series<Long> series, EntityKey key, int point, long amount) {
    return Objects.requireNonNull(AsyncSeries.add(series.async, key, point, amount).block());
  }
}
