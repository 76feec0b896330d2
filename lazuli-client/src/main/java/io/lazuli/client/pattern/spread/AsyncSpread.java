package io.lazuli.client.pattern.spread;

import static io.lazuli.client.query.Filter.partitionKey;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.DerivedCodec;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads partitions that are spread over buckets. Entities are written through the table itself,
 * with the partition key from the {@link KeySpreader}. Immutable and thread-safe.
 *
 * @param <T> the type of the entities
 */
public final class AsyncSpread<T> {
  private static final Comparator<Keyed<?>> IN_ORDER =
      Comparator.comparing((Keyed<?> keyed) -> keyed.key().rowKey())
          .thenComparing(keyed -> keyed.key().partitionKey());

  /** The maximum number of entities of a bucket that wait to be decrypted at the same time. */
  private static final int KEYS_AWAITED = 16;

  private final AsyncTable<T> table;
  private final KeySpreader spreader;

  private AsyncSpread(AsyncTable<T> table, KeySpreader spreader) {
    this.table = table;
    this.spreader = spreader;
  }

  /** Returns the spread partitions of a table. */
  public static <T> AsyncSpread<T> of(AsyncTable<T> table, KeySpreader spreader) {
    return new AsyncSpread<>(table, spreader);
  }

  /** Returns this spread with blocking calls. */
  public Spread<T> blocking() {
    return new Spread<>(this);
  }

  /**
   * Returns the entity with an id and a row key; empty if there is none. One request if the entity
   * was written with the current number of buckets.
   */
  public Mono<T> find(String partition, String id, String rowKey) {
    return Flux.fromIterable(spreader.candidates(partition, id))
        .concatMap(key -> table.find(new EntityKey(key, rowKey)), 1)
        .next();
  }

  /**
   * Runs a query in all buckets of a partition at the same time. Returns the entities in the order
   * of their row keys; entities with equal row keys are in the order of the buckets.
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // An array of a generic type.
  public Flux<T> query(String partition, Query query) {
    AsyncTable<Keyed<T>> keyed = table.with(new KeyedCodec<>(table.codec()));
    List<Flux<Keyed<T>>> buckets =
        spreader.partitionKeys(partition).stream()
            .map(key -> keyed.query(query.and(partitionKey().eq(key))))
            .toList();
    Flux<Keyed<T>> merged = Flux.mergeComparing(1, IN_ORDER, buckets.toArray(new Flux[0]));
    Flux<T> values = merged.map(Keyed::value);
    return query.top().isPresent() ? values.take(query.top().getAsInt()) : values;
  }

  /** A value with the key it was read with, so that it need not be encoded to compare keys. */
  private record Keyed<T>(EntityKey key, T value) {}

  private static final class KeyedCodec<T> extends DerivedCodec<Keyed<T>, T> {
    KeyedCodec(EntityCodec<T> codec) {
      super(codec);
    }

    @Override
    public TableEntity write(Keyed<T> keyed) {
      return codec.write(keyed.value());
    }

    @Override
    public Keyed<T> read(TableEntity entity) {
      return new Keyed<>(EntityKey.of(entity), codec.read(entity));
    }

    @Override
    public Flux<Keyed<T>> decode(Flux<TableEntity> entities, Set<String> selected) {
      return entities.flatMapSequential(entity -> decode(entity, selected), KEYS_AWAITED, 1);
    }

    private Flux<Keyed<T>> decode(TableEntity entity, Set<String> selected) {
      return codec
          .decode(Flux.just(entity), selected)
          .map(value -> new Keyed<>(EntityKey.of(entity), value));
    }
  }
}
