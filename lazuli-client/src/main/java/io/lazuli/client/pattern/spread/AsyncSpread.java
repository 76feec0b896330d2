package io.lazuli.client.pattern.spread;

import static io.lazuli.client.query.Filter.partitionKey;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.util.Comparator;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads partitions that are spread over buckets. Entities are written through the table itself,
 * with the partition key that the {@link KeySpreader} gives. Immutable; threads may share it.
 *
 * @param <T> the type of the entities
 */
public final class AsyncSpread<T> {
  private final AsyncTable<T> table;
  private final KeySpreader spreader;

  private AsyncSpread(AsyncTable<T> table, KeySpreader spreader) {
    this.table = table;
    this.spreader = spreader;
  }

  /** The spread partitions of a table. */
  public static <T> AsyncSpread<T> of(AsyncTable<T> table, KeySpreader spreader) {
    return new AsyncSpread<>(table, spreader);
  }

  /** The same; every call waits for the result. */
  public Spread<T> blocking() {
    return new Spread<>(this);
  }

  /**
   * The entity with an id and a row key; empty if there is none. One request if it was written with
   * the present number of buckets.
   */
  public Mono<T> find(String partition, String id, String rowKey) {
    return Flux.fromIterable(spreader.candidates(partition, id))
        .concatMap(key -> table.find(new EntityKey(key, rowKey)), 1)
        .next();
  }

  /**
   * The entities of a query in all buckets of a partition, which are asked at the same time; in the
   * order of their row keys, and where these are equal, of the buckets.
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // An array of a generic type.
  public Flux<T> query(String partition, Query query) {
    List<Flux<T>> buckets =
        spreader.partitionKeys(partition).stream()
            .map(key -> table.query(query.and(partitionKey().eq(key))))
            .toList();
    Comparator<T> byRowKey =
        Comparator.comparing(
            (T value) -> table.codec().key(value),
            Comparator.comparing(EntityKey::rowKey).thenComparing(EntityKey::partitionKey));
    Flux<T> merged = Flux.mergeComparing(1, byRowKey, buckets.toArray(new Flux[0]));
    return query.top().isPresent() ? merged.take(query.top().getAsInt()) : merged;
  }
}
