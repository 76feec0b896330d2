package io.lazuli.client.pattern.index;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Filter;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One index of an {@link AsyncIndexedTable}: finds entities of a partition by a value, and returns
 * them in the order of this value. Immutable and thread-safe.
 *
 * <p>A value that was read from here carries the ETag of the copy. That ETag cannot be used to
 * change the entity; {@link AsyncIndexedTable#update} does not need it.
 *
 * @param <T> the type of the entities
 */
public final class AsyncRowIndex<T> {
  private final AsyncTable<TableEntity> table;
  private final IndexRows rows;
  private final String prefix;
  private final Set<String> properties;
  private final EntityCodec<T> codec;

  /**
   * Creates a view of one index.
   *
   * @param properties the properties that the copies have; empty for all
   */
  AsyncRowIndex(
      AsyncTable<TableEntity> table,
      IndexRows rows,
      String prefix,
      Set<String> properties,
      EntityCodec<T> codec) {
    this.table = table;
    this.rows = rows;
    this.prefix = prefix;
    this.properties = properties;
    this.codec = codec;
  }

  /**
   * Returns this index with entities of another type, for example a type that has only the
   * properties of the copies.
   */
  public <S> AsyncRowIndex<S> as(EntityCodec<S> other) {
    return new AsyncRowIndex<>(table, rows, prefix, properties, codec.forSameTable(other));
  }

  /** Returns this index with blocking calls. */
  public RowIndex<T> blocking() {
    return new RowIndex<>(this);
  }

  /** Returns the entity with this indexed value: a point query. */
  public Mono<T> find(String partitionKey, String value) {
    return values(table.find(new EntityKey(partitionKey, prefix + value)).flux()).singleOrEmpty();
  }

  /**
   * Returns all entities of a partition that are in this index, in the order of their indexed
   * values.
   */
  public Flux<T> partition(String partitionKey) {
    return prefix(partitionKey, "");
  }

  /** Returns the entities whose indexed values begin with a prefix, in the order of the values. */
  public Flux<T> prefix(String partitionKey, String valuePrefix) {
    return values(table.query(Query.prefix(partitionKey, prefix + valuePrefix)));
  }

  /**
   * Returns the entities whose indexed values are in a range, in the order of the values. The start
   * is inclusive, the end exclusive.
   */
  public Flux<T> range(String partitionKey, String from, String to) {
    Filter values = Filter.rowKey().between(prefix + from, prefix + to);
    return values(table.query(Query.partition(partitionKey).and(values)));
  }

  private Flux<T> values(Flux<TableEntity> stored) {
    return codec.decode(stored.map(rows::plain), properties);
  }
}
