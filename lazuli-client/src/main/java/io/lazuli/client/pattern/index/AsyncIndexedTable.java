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
 * A table whose entities have secondary indexes inside their partition: each entity is stored
 * several times, under row keys with different prefixes, and one transaction writes all copies.
 * Immutable and thread-safe.
 *
 * <pre>{@code
 * var employees = AsyncIndexedTable.of(table, "empid_")
 *     .indexedBy("email_", employee -> Optional.of(employee.email()));
 * employees.insert(employee);                          // empid_000223 and email_jonesj@contoso.com
 * employees.by("email_").find("Sales", "jonesj@contoso.com");
 * }</pre>
 *
 * <p>The row key of a value has no prefix: it is {@code 000223}. An index has each of its values
 * once in a partition. Who inserts, or changes to, one that is taken gets an {@link AlreadyExists}
 * whose row key begins with the prefix of that index, and nothing is written. Values that are not
 * unique get the id appended, and are looked up by prefix.
 *
 * <p>Every change is conditioned on the entity itself, which also notes the row keys of its copies.
 * So the copies never disagree, whoever writes at the same time, and an index that is added later
 * gets its copy when the entity is changed next, if only by {@code update(key, same -> same)}.
 * Whoever writes to these rows by other means breaks the promise.
 *
 * <p>Copies are written by the table's codec. One that encrypts encrypts each anew, with a content
 * key of its own, bound to the value's own key, which each copy carries. Keys are not encrypted:
 * what entities are found by is readable.
 *
 * @param <T> the type of the entities
 */
public final class AsyncIndexedTable<T> {
  private final AsyncTable<T> table;
  private final IndexRows rows;
  private final List<Index<T>> indexes;

  /** What copies an index has. No set of properties stands for all. */
  private record Index<T>(
      String prefix, Function<T, Optional<String>> value, Optional<Set<String>> properties) {}

  private AsyncIndexedTable(AsyncTable<T> table, IndexRows rows, List<Index<T>> indexes) {
    this.table = table;
    this.rows = rows;
    this.indexes = indexes;
  }

  /**
   * A table without indexes.
   *
   * @param prefix of the row keys under which the entities themselves are, such as {@code empid_}
   */
  public static <T> AsyncIndexedTable<T> of(AsyncTable<T> table, String prefix) {
    return new AsyncIndexedTable<>(table, new IndexRows(prefix), List.of());
  }

  /**
   * This table with one more index, whose copies are full.
   *
   * @param prefix of the copies' row keys; it does not begin with that of another index, nor any
   *     other with it
   * @param value what to find an entity by; empty if it shall not be found by this index
   */
  public AsyncIndexedTable<T> indexedBy(String prefix, Function<T, Optional<String>> value) {
    return and(new Index<>(prefix, value, Optional.empty()));
  }

  /**
   * This table with one more index, whose copies have only some of the properties. Read them {@link
   * AsyncRowIndex#as} a type that has no others.
   *
   * @param properties by their names in the table
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

  /** The same table; calls wait. */
  public IndexedTable<T> blocking() {
    return new IndexedTable<>(this);
  }

  /**
   * One of the indexes, or the entities themselves, to be searched.
   *
   * @throws IllegalArgumentException if none has this prefix
   */
  public AsyncRowIndex<T> by(String prefix) {
    Set<String> properties =
        prefix.equals(rows.prefix())
            ? Set.of()
            : indexes.stream()
                .filter(index -> index.prefix().equals(prefix))
                .findFirst()
                .orElseThrow(
                    () -> new IllegalArgumentException("no index has the prefix " + prefix))
                .properties()
                .map(AsyncIndexedTable::withKeys)
                .orElse(Set.of());
    return new AsyncRowIndex<>(table.stored(), rows, prefix, properties, table.codec());
  }

  /** Never empty, which would stand for all. */
  private static Set<String> withKeys(Set<String> properties) {
    return Stream.concat(properties.stream(), Stream.of("PartitionKey", "RowKey"))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The entity of this key, which has no prefix: one request. */
  public Mono<T> find(EntityKey key) {
    return by(rows.prefix()).find(key.partitionKey(), key.rowKey());
  }

  /**
   * Inserts an entity and its copies: one request.
   *
   * @return when it is done; {@link AlreadyExists} if its key or one of its values is taken
   */
  public Mono<Void> insert(T value) {
    EntityKey key = table.codec().key(value);
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            written(value, group)
                .flatMap(
                    all ->
                        Mono.fromRunnable(
                            () -> {
                              group.insert(all.primary());
                              all.copies().forEach(group::insert);
                            })));
  }

  /**
   * Inserts an entity, or replaces the one of its key, with all copies: two requests.
   *
   * @return when it is done; {@link AlreadyExists} if one of its values is another entity's
   */
  public Mono<Void> put(T value) {
    EntityKey key = table.codec().key(value);
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            group
                .read(rows.primaryRow(key.rowKey()))
                .flatMap(before -> write(before, value, group)));
  }

  /**
   * Changes an entity and its copies, also if it is to be found by other values: two requests, and
   * two more for each time that others came first.
   *
   * @param change may be called several times; it keeps the key
   * @return the value as it was written; {@link NotFound} if there is no such entity, {@link
   *     AlreadyExists} if one of its new values is another entity's
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
        .flatMap(next -> write(Optional.of(before), next, group).thenReturn(next));
  }

  private Mono<Void> write(Optional<TableEntity> before, T next, EntityGroup group) {
    return written(next, group)
        .flatMap(all -> Mono.fromRunnable(() -> replace(before, all, group)));
  }

  /** The entity itself is conditioned on what was read; its copies follow from it. */
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

  /** Deletes an entity and its copies: two requests. The answer is whether it was there. */
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

  /** An entity and its copies, as they are to be stored. */
  private record Written(TableEntity primary, List<TableEntity> copies) {}

  private Mono<Written> written(T value, EntityGroup group) {
    return copies(value, group)
        .collectList()
        .flatMap(
            copies ->
                encoded(value)
                    .map(entity -> group.copy(entity, rows.primaryRow(entity.getRowKey())))
                    .map(primary -> new Written(IndexRows.noting(copies, primary), copies)));
  }

  private Flux<TableEntity> copies(T value, EntityGroup group) {
    return Flux.fromIterable(indexes)
        .concatMap(
            index ->
                Mono.justOrEmpty(index.value().apply(value))
                    .flatMap(found -> copy(value, index, found, group)));
  }

  private Mono<TableEntity> copy(T value, Index<T> index, String found, EntityGroup group) {
    return encoded(value)
        .map(
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
