package io.lazuli.client.pattern.index;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.EntityGroup;
import io.lazuli.client.table.NotFound;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A table with secondary indexes within a partition: each entity is stored several times, under row
 * keys with different prefixes, and one transaction writes all copies. Immutable and thread-safe.
 *
 * <pre>{@code
 * var employees = AsyncIndexedTable.of(table, "empid_")
 *     .indexedBy("email_", employee -> Optional.of(employee.email()));
 * employees.insert(employee);                          // empid_000223 and email_jonesj@contoso.com
 * employees.by("email_").find("Sales", "jonesj@contoso.com");
 * }</pre>
 *
 * <p>The row key of a value has no prefix: it is {@code 000223}. An index is unique within a
 * partition. If another entity already has an indexed value, a write of the same value fails with
 * {@link AlreadyExists}, and nothing is written. The row key of this failure begins with the prefix
 * of the index. For values that are not unique, append the id and look them up by prefix.
 *
 * <p>Every change requires that the entity itself has not changed since it was read. The entity
 * also stores the row keys of its copies. So the copies always agree, even with concurrent writers.
 * If an index is added later, an entity gets its copy at its next change, such as {@code
 * update(key, same -> same)}. Writes to these rows by other means break these guarantees.
 *
 * <p>The table's codec writes the copies. If the codec encrypts, each copy is encrypted separately
 * and has its own content key. The encrypted values are bound to the value's own key, which each
 * copy stores. Keys are not encrypted: the indexed values are readable.
 *
 * @param <T> the type of the entities
 */
public final class AsyncIndexedTable<T> {
  private final AsyncTable<T> table;
  private final IndexRows rows;
  private final List<Index<T>> indexes;

  /** An index and the properties of its copies. An empty optional means all properties. */
  private record Index<T>(
      String prefix, Function<T, Optional<String>> value, Optional<Set<String>> properties) {}

  private AsyncIndexedTable(AsyncTable<T> table, IndexRows rows, List<Index<T>> indexes) {
    this.table = table;
    this.rows = rows;
    this.indexes = indexes;
  }

  /**
   * Creates a table without indexes.
   *
   * @param prefix the prefix of the row keys of the entities themselves, such as {@code empid_}
   */
  public static <T> AsyncIndexedTable<T> of(AsyncTable<T> table, String prefix) {
    return new AsyncIndexedTable<>(table, new IndexRows(prefix), List.of());
  }

  /**
   * Returns this table with one more index, whose copies have all properties.
   *
   * @param prefix the prefix of the copies' row keys; no prefix of the table may begin with another
   *     prefix of the table
   * @param value returns the indexed value of an entity; empty to leave the entity out of this
   *     index
   */
  public AsyncIndexedTable<T> indexedBy(String prefix, Function<T, Optional<String>> value) {
    return and(new Index<>(prefix, value, Optional.empty()));
  }

  /**
   * Returns this table with one more index, whose copies have only some of the properties. To read
   * these copies, use {@link AsyncRowIndex#as} with a type that has no other properties.
   *
   * @param properties the names of these properties in the table
   */
  public AsyncIndexedTable<T> indexedBy(
      String prefix, Function<T, Optional<String>> value, Set<String> properties) {
    return and(new Index<>(prefix, value, Optional.of(Set.copyOf(properties))));
  }

  private AsyncIndexedTable<T> and(Index<T> index) {
    indexes.forEach(other -> IndexRows.checkApart(index.prefix(), other.prefix()));
    IndexRows.checkApart(index.prefix(), rows.prefix());
    List<Index<T>> all = new ArrayList<>(indexes);
    all.add(index);
    return new AsyncIndexedTable<>(table, rows, List.copyOf(all));
  }

  /** Returns this table with blocking calls. */
  public IndexedTable<T> blocking() {
    return new IndexedTable<>(this);
  }

  /**
   * Returns one of the indexes, or the entities themselves, for searching.
   *
   * @throws IllegalArgumentException if there is no such prefix
   */
  public AsyncRowIndex<T> by(String prefix) {
    Set<String> properties =
        prefix.equals(rows.prefix())
            ? Set.of()
            : indexes.stream()
                .filter(index -> index.prefix().equals(prefix))
                .findFirst()
                .orElseThrow(
                    () ->
                        new IllegalArgumentException("there is no index with the prefix " + prefix))
                .properties()
                .map(AsyncIndexedTable::withKeys)
                .orElse(Set.of());
    return new AsyncRowIndex<>(table.stored(), rows, prefix, properties, table.codec());
  }

  /**
   * Returns the properties and the two keys. The result is therefore never empty, which would mean
   * all properties.
   */
  private static Set<String> withKeys(Set<String> properties) {
    return Stream.concat(properties.stream(), Stream.of("PartitionKey", "RowKey"))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the entity with this key, whose row key has no prefix: one request. */
  public Mono<T> find(EntityKey key) {
    return by(rows.prefix()).find(key.partitionKey(), key.rowKey());
  }

  /**
   * Inserts an entity and its copies: one request.
   *
   * @return completes when all are stored; fails with {@link AlreadyExists} if another entity has
   *     its key or one of its indexed values
   */
  public Mono<Void> insert(T value) {
    EntityKey key = table.codec().key(value);
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            written(value, encoded(value), group)
                .flatMap(
                    all ->
                        Mono.fromRunnable(
                            () -> {
                              group.insert(all.primary());
                              all.copies().forEach(group::insert);
                            })));
  }

  /**
   * Inserts an entity with its copies, or replaces the entity with the same key and its copies: two
   * requests.
   *
   * @return completes when all are stored; fails with {@link AlreadyExists} if another entity has
   *     one of its indexed values
   */
  public Mono<Void> put(T value) {
    EntityKey key = table.codec().key(value);
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            group
                .read(rows.primaryRow(key.rowKey()))
                .flatMap(before -> write(before, value, encoded(value), group)));
  }

  /**
   * Changes an entity and its copies, also if an indexed value changes: two requests, and two more
   * for each retry after a concurrent change.
   *
   * @param change may be called several times; it must not change the key
   * @return the value as it was written; the error {@link NotFound} if there is no such entity,
   *     {@link AlreadyExists} if another entity has one of its new indexed values, or {@link
   *     io.lazuli.client.table.OutcomeUnknown} if an answer was lost and the entity does not reveal
   *     the outcome
   */
  public Mono<T> update(EntityKey key, UnaryOperator<T> change) {
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            group
                .find(rows.primaryRow(key.rowKey()))
                .switchIfEmpty(Mono.error(() -> new NotFound(key, null)))
                .flatMap(before -> changed(key, before, change, group)));
  }

  private Mono<T> changed(
      EntityKey key, TableEntity before, UnaryOperator<T> change, EntityGroup group) {
    return table
        .codec()
        .decode(rows.plain(before))
        .map(change)
        .doOnNext(next -> key.checkKept(table.codec().key(next)))
        .flatMap(next -> update(before, next, group).thenReturn(next));
  }

  private Mono<Void> update(TableEntity before, T next, EntityGroup group) {
    Mono<TableEntity> encoded = table.codec().encodeOver(rows.plain(before), next);
    return write(Optional.of(before), next, encoded, group);
  }

  private Mono<Void> write(
      Optional<TableEntity> before, T next, Mono<TableEntity> encoded, EntityGroup group) {
    return written(next, encoded, group)
        .flatMap(all -> Mono.fromRunnable(() -> replace(before, all, group)));
  }

  /**
   * Adds the writes to the group. The entity is written on the condition that it has not changed
   * since it was read. The copies need no condition, because they follow from the entity.
   */
  private static void replace(Optional<TableEntity> before, Written all, EntityGroup group) {
    List<String> newRows = all.copies().stream().map(TableEntity::getRowKey).toList();
    List<String> oldRows = before.map(IndexRows::ofCopies).orElse(List.of());
    group.put(all.primary());
    oldRows.stream().filter(row -> !newRows.contains(row)).forEach(group::delete);
    for (TableEntity copy : all.copies()) {
      if (oldRows.contains(copy.getRowKey())) {
        group.put(copy);
      } else {
        group.insert(copy);
      }
    }
  }

  /** Deletes an entity and its copies: two requests. Returns whether it existed. */
  public Mono<Boolean> deleteIfExists(EntityKey key) {
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            group
                .read(rows.primaryRow(key.rowKey()))
                .doOnNext(found -> found.ifPresent(before -> delete(before, group)))
                .map(Optional::isPresent));
  }

  private static void delete(TableEntity before, EntityGroup group) {
    group.delete(before.getRowKey());
    IndexRows.ofCopies(before).forEach(group::delete);
  }

  /** An entity and its copies, as they will be stored. */
  private record Written(TableEntity primary, List<TableEntity> copies) {}

  /**
   * Returns an entity and its copies.
   *
   * @param encoded encodes the value; it is subscribed to for each of them, because each has its
   *     own content key if the codec encrypts
   */
  private Mono<Written> written(T value, Mono<TableEntity> encoded, EntityGroup group) {
    return copies(value, encoded, group)
        .collectList()
        .flatMap(
            copies ->
                encoded
                    .map(entity -> group.copy(entity, rows.primaryRow(entity.getRowKey())))
                    .map(primary -> new Written(IndexRows.noting(copies, primary), copies)));
  }

  private Flux<TableEntity> copies(T value, Mono<TableEntity> encoded, EntityGroup group) {
    return Flux.fromIterable(indexes)
        .concatMap(
            index ->
                Mono.justOrEmpty(index.value().apply(value))
                    .flatMap(found -> copy(encoded, index, found, group)));
  }

  private Mono<TableEntity> copy(
      Mono<TableEntity> encoded, Index<T> index, String found, EntityGroup group) {
    return encoded.map(
        entity -> {
          TableEntity copy = group.copy(entity, index.prefix() + found);
          index.properties().ifPresent(kept -> IndexRows.keepOnly(kept, table.codec(), copy));
          return copy.addProperty(IndexRows.PRIMARY_ROW, entity.getRowKey());
        });
  }

  private Mono<TableEntity> encoded(T value) {
    return table.codec().encode(value, TableTransactionActionType.UPSERT_REPLACE);
  }
}
