package io.lazuli.client.pattern.indexlist;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.storage.blob.BlobContainerAsyncClient;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.EntityGroup;
import io.lazuli.client.table.NotFound;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A table with lists of keys: for each value that several entities may share, such as a last name,
 * an entity in the same partition lists the row keys of the entities with that value. Immutable and
 * thread-safe.
 *
 * <pre>{@code
 * var employees = AsyncListedTable.of(table)
 *     .listedBy("lastname_", employee -> Optional.of(employee.lastName()));
 * employees.insert(employee);
 * employees.keys("Sales", "lastname_", "Jones");             // [000152, 000223]
 * }</pre>
 *
 * <p>One transaction writes an entity and the lists that it joins or leaves, each on the condition
 * that it has not changed since it was read; a rename writes three entities in one transaction. So
 * lists always agree with their entities, even with concurrent writers. A list keeps its keys in
 * the order in which they were added, without duplicates. An entity stores the names of its lists.
 * If a kind of list is added later, an entity joins its list at its next change. Writes to these
 * entities by other means break these guarantees.
 *
 * <p>A list of more than 983,040 bytes, which is 140,000 keys of six letters, does not fit in an
 * entity. It is stored in a blob if there is a container ({@link #overflowingTo}). Otherwise it is
 * rejected.
 *
 * <p>If the table's codec encrypts, entities are encrypted. Lists are not, and neither are the
 * values by which entities are listed, because they are keys.
 *
 * @param <T> the type of the entities
 */
public final class AsyncListedTable<T> {
  private static final String LISTS = "LazuliListRowKeys";
  private static final int POINT_QUERIES = 16;

  /** A control character, which no key may contain. */
  private static final String SEPARATOR = "\n";

  private final AsyncTable<T> table;
  private final Map<String, Function<T, Optional<String>>> values;
  private final ListEntities lists;

  private AsyncListedTable(
      AsyncTable<T> table, Map<String, Function<T, Optional<String>>> values, ListEntities lists) {
    this.table = table;
    this.values = values;
    this.lists = lists;
  }

  /** Creates a table without lists. It rejects lists that do not fit in an entity. */
  public static <T> AsyncListedTable<T> of(AsyncTable<T> table) {
    return new AsyncListedTable<>(table, Map.of(), new ListEntities(Optional.empty()));
  }

  /**
   * Returns this table with one more kind of list.
   *
   * @param prefix the prefix of the row keys of these lists; it must not begin with the prefix of
   *     other lists, and no other prefix and no row key of an entity may begin with it
   * @param value returns the value by which an entity is listed; empty if it is not listed
   */
  public AsyncListedTable<T> listedBy(String prefix, Function<T, Optional<String>> value) {
    if (prefix.isEmpty()
        || values.keySet().stream()
            .anyMatch(other -> other.startsWith(prefix) || prefix.startsWith(other))) {
      throw new IllegalArgumentException(
          "lists with the prefix " + prefix + " would mix with others");
    }
    Map<String, Function<T, Optional<String>>> all = new LinkedHashMap<>(values);
    all.put(prefix, value);
    return new AsyncListedTable<>(table, all, lists);
  }

  /**
   * Returns this table, with lists that do not fit in an entity stored in blobs of an existing
   * container.
   */
  public AsyncListedTable<T> overflowingTo(BlobContainerAsyncClient container) {
    return overflowingTo(container, Clock.systemUTC());
  }

  /**
   * Like {@link #overflowingTo(BlobContainerAsyncClient)}, with another clock for {@link #collect}.
   */
  public AsyncListedTable<T> overflowingTo(BlobContainerAsyncClient container, Clock clock) {
    ListEntities all = new ListEntities(Optional.of(new ListBlobs(container, clock)));
    return new AsyncListedTable<>(table, values, all);
  }

  /** Returns this table with blocking calls. */
  public ListedTable<T> blocking() {
    return new ListedTable<>(this);
  }

  /** Returns the entity with this key: one request. */
  public Mono<T> find(EntityKey key) {
    return stored().find(key).flatMap(found -> table.codec().decode(plain(found)));
  }

  /**
   * Returns the row keys of the entities of a partition that have a value, in the order in which
   * they were added: one request, or two for a list in a blob.
   *
   * @param prefix the prefix of the lists
   */
  public Mono<List<String>> keys(String partitionKey, String prefix, String value) {
    requireValue(prefix);
    return stored()
        .find(new EntityKey(partitionKey, prefix + value))
        .flatMap(entity -> lists.read(entity).switchIfEmpty(Mono.error(new ListChanged())))
        .retryWhen(ListChanged.again())
        .map(KeyList::inOrder)
        .defaultIfEmpty(List.of());
  }

  /**
   * Returns the entities of a partition that have a value, in the order in which they were added:
   * one request for the list and one for each entity.
   *
   * @param prefix the prefix of the lists
   */
  public Flux<T> find(String partitionKey, String prefix, String value) {
    Function<T, Optional<String>> by = requireValue(prefix);
    return keys(partitionKey, prefix, value)
        .flatMapIterable(keys -> keys)
        .flatMapSequential(row -> find(new EntityKey(partitionKey, row)), POINT_QUERIES, 1)
        .filter(found -> by.apply(found).filter(value::equals).isPresent());
  }

  private Function<T, Optional<String>> requireValue(String prefix) {
    return Optional.ofNullable(values.get(prefix))
        .orElseThrow(
            () -> new IllegalArgumentException("there are no lists with the prefix " + prefix));
  }

  /**
   * Inserts an entity and lists it: one request, and one for each list.
   *
   * @return completes when it is stored; fails with {@link AlreadyExists} if an entity with its key
   *     exists
   */
  public Mono<Void> insert(T value) {
    EntityKey key = table.codec().key(value);
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            noting(value, encoded(value))
                .doOnNext(group::insert)
                .then(Mono.defer(() -> relist(key, Set.of(), listsOf(value), group))));
  }

  /**
   * Inserts an entity, or replaces the one with its key, and updates its lists: two requests, and
   * one for each list that it leaves or joins.
   */
  public Mono<Void> put(T value) {
    EntityKey key = table.codec().key(value);
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            group
                .read(key.rowKey())
                .flatMap(
                    before ->
                        write(
                            key,
                            before.map(this::noted).orElse(Set.of()),
                            value,
                            encoded(value),
                            group)));
  }

  /**
   * Changes an entity, and the lists that it leaves and joins: two requests, and one for each of
   * these lists; more if other writers were faster.
   *
   * @param change may be called several times; it must not change the key
   * @return the value as it was written; the error {@link NotFound} if there is no such entity
   */
  public Mono<T> update(EntityKey key, UnaryOperator<T> change) {
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            group
                .existing(key.rowKey())
                .flatMap(
                    before ->
                        table
                            .codec()
                            .decode(plain(before))
                            .map(change)
                            .flatMap(next -> update(key, before, next, group).thenReturn(next))));
  }

  private Mono<Void> update(EntityKey key, TableEntity before, T next, EntityGroup group) {
    Mono<TableEntity> entity = table.codec().encodeOver(plain(before), next);
    return write(key, noted(before), next, entity, group);
  }

  private Mono<Void> write(
      EntityKey key, Set<String> oldLists, T next, Mono<TableEntity> entity, EntityGroup group) {
    key.checkKept(table.codec().key(next));
    return noting(next, entity)
        .doOnNext(group::put)
        .then(Mono.defer(() -> relist(key, oldLists, listsOf(next), group)));
  }

  /**
   * Deletes an entity and removes it from its lists: two requests, and one for each list. Returns
   * whether it existed.
   */
  public Mono<Boolean> deleteIfExists(EntityKey key) {
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            group
                .find(key.rowKey())
                .flatMap(
                    before -> {
                      group.delete(key.rowKey());
                      return relist(key, noted(before), Set.of(), group).thenReturn(true);
                    })
                .defaultIfEmpty(false));
  }

  private Mono<Void> relist(
      EntityKey key, Set<String> oldLists, Set<String> newLists, EntityGroup group) {
    Set<String> changed = new LinkedHashSet<>(oldLists);
    changed.addAll(newLists);
    changed.removeIf(list -> oldLists.contains(list) && newLists.contains(list));
    return Flux.fromIterable(changed)
        .flatMap(list -> relist(key.rowKey(), list, newLists.contains(list), group))
        .then();
  }

  private Mono<Void> relist(String row, String list, boolean present, EntityGroup group) {
    return group
        .read(list)
        .flatMap(
            found ->
                found
                    .map(entity -> lists.read(entity).switchIfEmpty(Mono.error(new ListChanged())))
                    .orElseGet(() -> Mono.just(KeyList.EMPTY))
                    .map(before -> before.changed(row, present))
                    .flatMap(next -> write(list, found.isPresent(), next, group)))
        .retryWhen(ListChanged.again());
  }

  private Mono<Void> write(String list, boolean exists, KeyList next, EntityGroup group) {
    if (!next.keys().isEmpty()) {
      return lists.write(group.key(list), next).doOnNext(group::put).then();
    }
    if (exists) {
      group.delete(list);
    }
    return Mono.empty();
  }

  private Set<String> listsOf(T value) {
    Set<String> rows = new LinkedHashSet<>();
    values.forEach((prefix, by) -> by.apply(value).ifPresent(found -> rows.add(prefix + found)));
    return rows;
  }

  private Mono<TableEntity> encoded(T value) {
    return table.codec().encode(value, TableTransactionActionType.UPSERT_REPLACE);
  }

  private Mono<TableEntity> noting(T value, Mono<TableEntity> written) {
    String rowKey = table.codec().key(value).rowKey();
    if (values.keySet().stream().anyMatch(rowKey::startsWith)) {
      return Mono.error(new IllegalArgumentException(rowKey + " is the key of a list"));
    }
    return written.map(entity -> noting(listsOf(value), entity));
  }

  private static TableEntity noting(Set<String> rows, TableEntity entity) {
    return rows.isEmpty() ? entity : entity.addProperty(LISTS, String.join(SEPARATOR, rows));
  }

  private Set<String> noted(TableEntity entity) {
    return entity.getProperty(LISTS) instanceof String joined
        ? new LinkedHashSet<>(List.of(joined.split(SEPARATOR)))
        : Set.of();
  }

  /** Returns the entity as the codec wrote it. */
  private static TableEntity plain(TableEntity entity) {
    TableEntity plain = new TableEntity(entity.getPartitionKey(), entity.getRowKey());
    plain.getProperties().putAll(entity.getProperties());
    plain.getProperties().remove(LISTS);
    return plain;
  }

  /**
   * Deletes blobs that no list uses any more, except blobs of the last hour. Every change of a list
   * in a blob leaves such a blob. Lists the whole container.
   *
   * @return the number of deleted blobs
   */
  public Mono<Long> collect() {
    return lists.overflow().map(blobs -> blobs.collect(stored())).orElseGet(() -> Mono.just(0L));
  }

  private AsyncTable<TableEntity> stored() {
    return table.stored();
  }
}
