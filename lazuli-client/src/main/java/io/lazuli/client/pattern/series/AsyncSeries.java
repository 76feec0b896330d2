package io.lazuli.client.pattern.series;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.ConditionNotMet;
import io.lazuli.client.table.NotFound;
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
 * Series of numbered points, each series in one entity, each point in one property. Immutable;
 * threads may share it.
 *
 * @param <V> the type of the values
 */
public final class AsyncSeries<V> {
  /** How many properties an entity has room for. */
  public static final int POINTS_MAX = 252;

  /** How often {@link #update} tries. */
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
          "points are Long, Integer, Double, Boolean or String, not " + type.getSimpleName());
    }
    if (count < 1 || count > POINTS_MAX) {
      throw new IllegalArgumentException(
          "an entity has room for 1 to 252 points, not "
              + count
              + "; put more into a wide entity (io.lazuli.client.pattern.wide, P10) or a blob"
              + " (io.lazuli.client.pattern.large, P11)");
    }
    this.table = table;
    this.type = type;
    this.name = name;
    this.count = count;
  }

  /**
   * The series in a table.
   *
   * @param type of the points: {@code Long}, {@code Integer}, {@code Double}, {@code Boolean} or
   *     {@code String}
   * @param name what the names of the properties begin with; {@code Hour} becomes {@code Hour000}
   *     to {@code Hour023}
   * @param count how many points a series has, at most {@value #POINTS_MAX}
   */
  public static <V> AsyncSeries<V> of(
      TableAsyncClient table, Class<V> type, String name, int count) {
    return new AsyncSeries<>(AsyncTable.of(table, EntityCodec.dynamic()), type, name, count);
  }

  /** The same; every call waits for the result. */
  public Series<V> blocking() {
    return new Series<>(this);
  }

  /** The points of a series, none of them set if there is no such entity: one request. */
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

  /** Sets a point, whatever it was, and keeps the others: one request. */
  public Mono<Void> set(EntityKey key, int point, V value) {
    return set(key, Map.of(point, value));
  }

  /** Sets several points at once, and keeps the others: one request. */
  public Mono<Void> set(EntityKey key, Map<Integer, V> values) {
    return Mono.defer(() -> table.upsertMerge(entity(key, values))).then();
  }

  private TableEntity entity(EntityKey key, Map<Integer, V> values) {
    TableEntity entity = new TableEntity(key.partitionKey(), key.rowKey());
    values.forEach((point, value) -> entity.addProperty(property(point), type.cast(value)));
    return entity;
  }

  /**
   * Changes a point, and keeps the others: two requests for each attempt, of which there are at
   * most {@value #ATTEMPTS}.
   *
   * @param change of the value as it is, empty if it was never set; it may be called several times
   * @return the value that was written; {@link ConditionNotMet} or {@link AlreadyExists} if even
   *     the last attempt came too late
   */
  public Mono<V> update(EntityKey key, int point, Function<Optional<V>, V> change) {
    return table
        .find(key)
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(found -> updated(key, point, change, found))
        .retryWhen(
            Retry.backoff(ATTEMPTS - 1L, BACKOFF_MIN)
                .maxBackoff(BACKOFF_MAX)
                .jitter(JITTER)
                .filter(AsyncSeries::isOvertaken)
                .onRetryExhaustedThrow((spec, signal) -> signal.failure()));
  }

  private Mono<V> updated(
      EntityKey key, int point, Function<Optional<V>, V> change, Optional<TableEntity> found) {
    V next = change.apply(found.flatMap(entity -> points(entity).at(point)));
    TableEntity changed = entity(key, Map.of(point, next));
    Mono<String> written =
        found.isPresent()
            ? table.merge(changed, Condition.eTag(found.get().getETag()))
            : table.insert(changed);
    return written.thenReturn(next);
  }

  /** Somebody changed, inserted or deleted the entity since it was read. */
  private static boolean isOvertaken(Throwable failure) {
    return failure instanceof ConditionNotMet
        || failure instanceof AlreadyExists
        || failure instanceof NotFound;
  }

  /**
   * Adds to a point of a series of longs, which counts as 0 if it was never set; the answer is the
   * sum. See {@link #update}.
   */
  public static Mono<Long> add(AsyncSeries<Long> series, EntityKey key, int point, long amount) {
    return series.update(key, point, value -> Math.addExact(value.orElse(0L), amount));
  }
}
