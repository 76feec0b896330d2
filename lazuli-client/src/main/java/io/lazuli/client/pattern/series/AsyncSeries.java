package io.lazuli.client.pattern.series;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.ConditionNotMet;
import io.lazuli.client.table.MarkedWrite;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.table.OutcomeUnknown;
import io.lazuli.client.table.WriteMark;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Series of numbered points. Each series is one entity and each point is one property. Immutable
 * and thread-safe.
 *
 * @param <V> the type of the values
 */
public final class AsyncSeries<V> {
  /** The maximum number of points: an entity can have this many properties. */
  public static final int POINTS_MAX = 252;

  /** The maximum number of attempts of {@link #update}. */
  public static final int ATTEMPTS = AsyncTable.UPDATE_ATTEMPTS;

  private static final Duration BACKOFF_MIN = Duration.ofMillis(5);
  private static final Duration BACKOFF_MAX = Duration.ofMillis(500);
  private static final double JITTER = 0.9;
  private static final Set<Class<?>> TYPES =
      Set.of(Long.class, Integer.class, Double.class, Boolean.class, String.class);

  private final AsyncTable<TableEntity> table;
  private final Class<V> type;
  private final String name;
  private final int count;

  private AsyncSeries(AsyncTable<TableEntity> table, Class<V> type, String name, int count) {
    if (!TYPES.contains(type)) {
      throw new IllegalArgumentException(
          "points must be Long, Integer, Double, Boolean or String, not " + type.getSimpleName());
    }
    if (count < 1 || count > POINTS_MAX) {
      throw new IllegalArgumentException(
          "a series in one entity can have 1 to 252 points, not "
              + count
              + "; for more use a wide entity (io.lazuli.client.pattern.wide, P10) or a blob"
              + " (io.lazuli.client.pattern.large, P11)");
    }
    this.table = table;
    this.type = type;
    this.name = name;
    this.count = count;
  }

  /**
   * Returns the series in a table.
   *
   * @param type the type of the points: {@code Long}, {@code Integer}, {@code Double}, {@code
   *     Boolean} or {@code String}
   * @param name the prefix of the property names; {@code Hour} becomes {@code Hour000} to {@code
   *     Hour023}
   * @param count the number of points of a series, at most {@value #POINTS_MAX}
   */
  public static <V> AsyncSeries<V> of(
      TableAsyncClient table, Class<V> type, String name, int count) {
    return new AsyncSeries<>(AsyncTable.of(table, EntityCodec.dynamic()), type, name, count);
  }

  /** Returns this series with blocking calls. */
  public Series<V> blocking() {
    return new Series<>(this);
  }

  /** Returns the points of a series; none is set if the entity does not exist. One request. */
  public Mono<Points<V>> read(EntityKey key) {
    return table.find(key).map(this::points).defaultIfEmpty(new Points<>(count, Map.of()));
  }

  private Points<V> points(TableEntity entity) {
    Map<Integer, V> values = new HashMap<>();
    for (int point = 0; point < count; point++) {
      Object value = entity.getProperty(property(point));
      if (value != null) {
        values.put(point, type.cast(value));
      }
    }
    return new Points<>(count, values);
  }

  private String property(int point) {
    return name + String.format(Locale.ROOT, "%03d", Points.checked(point, count));
  }

  /** Sets a point unconditionally and keeps the others: one request. */
  public Mono<Void> set(EntityKey key, int point, V value) {
    return set(key, Map.of(point, value));
  }

  /** Sets several points in one write, and keeps the others: one request. */
  public Mono<Void> set(EntityKey key, Map<Integer, V> values) {
    return Mono.defer(() -> table.upsertMerge(entity(key, values))).then();
  }

  private TableEntity entity(EntityKey key, Map<Integer, V> values) {
    TableEntity entity = new TableEntity(key.partitionKey(), key.rowKey());
    values.forEach((point, value) -> entity.addProperty(property(point), type.cast(value)));
    return entity;
  }

  /**
   * Changes a point and keeps the others: two requests for each attempt, at most {@value #ATTEMPTS}
   * attempts.
   *
   * @param change takes the current value, which is empty if the point was never set, and returns
   *     the new value; it may be called several times
   * @return the value that was written; the error {@link ConditionNotMet}, {@link AlreadyExists} or
   *     {@link NotFound} if the last attempt also failed because of a concurrent change, or {@link
   *     OutcomeUnknown} if an answer was lost and the entity does not reveal the outcome
   */
  public Mono<V> update(EntityKey key, int point, Function<Optional<V>, V> change) {
    Retry again =
        Retry.backoff(ATTEMPTS - 1L, BACKOFF_MIN)
            .maxBackoff(BACKOFF_MAX)
            .jitter(JITTER)
            .filter(AsyncSeries::isOvertaken)
            .onRetryExhaustedThrow((spec, signal) -> signal.failure());
    return WriteMark.using(
        key,
        mark ->
            table
                .find(key)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(found -> updated(point, change, found, mark.over(key, found), key))
                .retryWhen(again));
  }

  private Mono<V> updated(
      int point,
      Function<Optional<V>, V> change,
      Optional<TableEntity> found,
      MarkedWrite write,
      EntityKey key) {
    V next = change.apply(found.flatMap(entity -> points(entity).at(point)));
    TableEntity changed = write.markMerge(entity(key, Map.of(point, next)));
    Mono<TableEntity> written =
        found
            .map(entity -> table.merge(changed, Condition.eTag(entity.getETag())))
            .orElseGet(() -> table.insert(changed));
    return write.send(written.thenReturn(next), table.find(key), next);
  }

  /** Returns whether somebody changed, inserted or deleted the entity since it was read. */
  private static boolean isOvertaken(Throwable failure) {
    return failure instanceof ConditionNotMet
        || failure instanceof AlreadyExists
        || failure instanceof NotFound;
  }

  /**
   * Adds an amount to a point of a series of longs and returns the sum. A point that was never set
   * counts as 0. See {@link #update}.
   */
  public static Mono<Long> add(AsyncSeries<Long> series, EntityKey key, int point, long amount) {
    return series.update(key, point, value -> Math.addExact(value.orElse(0L), amount));
  }
}
