package io.lazuli.client.pattern.index;

import com.azure.data.tables.TableAsyncClient;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
import io.lazuli.client.pattern.outbox.Primary;
import io.lazuli.client.pattern.outbox.TableCopy;
import io.lazuli.client.pattern.outbox.Target;
import io.lazuli.client.query.Filter;
import io.lazuli.client.query.Query;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A secondary index across partitions: full copies of the entities of a primary table, each under
 * the key that a function returns. Immutable and thread-safe.
 *
 * <pre>{@code
 * var byEmail = AsyncPartitionIndex.of(employees, "email", client,
 *     employee -> Optional.of(new EntityKey("email_" + employee.department(), employee.email())));
 * var indexed = employees.copiedTo(byEmail);
 * }</pre>
 *
 * <p>Two entities must not have the same index key at the same time: the first one keeps it, and
 * the message of the second goes to the poison queue. For values that are not unique, append the
 * row key of the entity to the index row key, and look entities up by {@link #prefix}.
 *
 * @param <T> the type of the values of the primary table
 */
public final class AsyncPartitionIndex<T> implements Target<T> {
  private final TableCopy<T> copies;

  private AsyncPartitionIndex(TableCopy<T> copies) {
    this.copies = copies;
  }

  /**
   * Creates an index. It is maintained once it is passed to {@link AsyncPrimaryTable#copiedTo}.
   *
   * @param name the name of this index, which must differ from the names of all other targets of
   *     the table and must never change
   * @param table the table of the copies: the table of the entities or another one
   * @param key returns the key of the copy; empty if the entity is not in this index
   */
  public static <T> AsyncPartitionIndex<T> of(
      AsyncPrimaryTable<T> source,
      String name,
      TableAsyncClient table,
      Function<T, Optional<EntityKey>> key) {
    return new AsyncPartitionIndex<>(TableCopy.of(source, name, table, key));
  }

  /** Returns this index with blocking calls. */
  public PartitionIndex<T> blocking() {
    return new PartitionIndex<>(this);
  }

  /** Returns the entity with this index key: a point query. */
  public Mono<T> find(EntityKey indexKey) {
    return copies.find(indexKey);
  }

  /** Returns the entities of an index partition, in the order of their index keys. */
  public Flux<T> partition(String partitionKey) {
    return copies.query(Query.partition(partitionKey));
  }

  /** Returns the entities whose index row keys begin with a prefix. */
  public Flux<T> prefix(String partitionKey, String rowKeyPrefix) {
    return copies.query(Query.prefix(partitionKey, rowKeyPrefix));
  }

  /**
   * Returns the entities whose index row keys are in a range. The start is inclusive, the end
   * exclusive.
   */
  public Flux<T> range(String partitionKey, String rowKeyFrom, String rowKeyTo) {
    Filter rows = Filter.rowKey().ge(rowKeyFrom).and(Filter.rowKey().lt(rowKeyTo));
    return copies.query(Query.partition(partitionKey).and(rows));
  }

  /** Removes old tombstones: see {@link TableCopy#sweep}. */
  public Mono<Long> sweep(Duration age) {
    return copies.sweep(age);
  }

  @Override
  public String name() {
    return copies.name();
  }

  @Override
  public Set<EntityKey> copyKeys(T value) {
    return copies.copyKeys(value);
  }

  @Override
  public Mono<Void> update(Primary<T> primary) {
    return copies.update(primary);
  }

  @Override
  public Mono<Void> removeCopy(EntityKey indexKey, Primary<T> primary) {
    return copies.removeCopy(indexKey, primary);
  }
}
