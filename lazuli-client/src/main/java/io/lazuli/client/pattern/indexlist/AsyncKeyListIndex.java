package io.lazuli.client.pattern.indexlist;

import com.azure.data.tables.TableAsyncClient;
import com.azure.storage.blob.BlobContainerAsyncClient;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
import io.lazuli.client.pattern.outbox.Index;
import io.lazuli.client.pattern.outbox.Primary;
import io.lazuli.client.pattern.outbox.Target;
import io.lazuli.client.table.AsyncTable;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An index with lists of keys: for each value that several entities of a primary table may share, a
 * list holds the keys of these entities. The lists are stored in blobs, or in another partition or
 * table. Immutable and thread-safe.
 *
 * <pre>{@code
 * Index<Employee, AsyncKeyListIndex<Employee>> byLastName =
 *     AsyncKeyListIndex.inBlobs("lastname", container,
 *         employee -> Optional.of(new EntityKey(employee.department(), employee.lastName())));
 * var employees = AsyncPrimaryTable.of("employee", table, outbox).indexedBy(byLastName);
 * employees.by(byLastName).keys(new EntityKey("Sales", "Jones"));
 * }</pre>
 *
 * <h2>Why lists converge</h2>
 *
 * <p>A worker reads the list, then reads the primary, and then writes the list. It adds the
 * primary's key if the primary belongs on the list, and removes the key if not. The write requires
 * that the list has not changed since it was read. Messages only say which primary to check, so
 * their order and number do not matter. Every worker writes, even if only the ETag of the list
 * changes. A worker that read an older state of the primary and writes later therefore finds that
 * the list has changed, and reads both again. So an older state never overwrites the result of a
 * newer one. For the same reason, an empty list is not deleted until it is old enough for {@link
 * #sweep}.
 *
 * <p>A list keeps its keys in the order in which workers added them, without duplicates.
 *
 * @param <T> the type of the values of the primary table
 */
public final class AsyncKeyListIndex<T> implements Target<T> {
  private static final int POINT_QUERIES = 16;

  /** A control character, which no key may contain. */
  private static final char SEPARATOR = '\t';

  private final AsyncPrimaryTable<T> source;
  private final String name;
  private final KeyLists lists;
  private final Function<T, Optional<EntityKey>> list;

  AsyncKeyListIndex(
      AsyncPrimaryTable<T> source,
      String name,
      KeyLists lists,
      Function<T, Optional<EntityKey>> list) {
    this.source = source;
    this.name = name;
    this.lists = lists;
    this.list = list;
  }

  /**
   * Creates an index with lists in blobs of an existing container, of any size.
   *
   * @param name a name that no other target of the table has or had; it must never change
   * @param list returns the key of the list that a value belongs to; empty for none. The name of
   *     the blob consists of both parts of this key, separated by a slash
   */
  public static <T> Index<T, AsyncKeyListIndex<T>> inBlobs(
      String name, BlobContainerAsyncClient container, Function<T, Optional<EntityKey>> list) {
    KeyLists lists = new BlobKeyLists(container, Clock.systemUTC());
    return source -> new AsyncKeyListIndex<>(source, name, lists, list);
  }

  /**
   * Creates an index with lists in entities of a table: another table, or the table of the
   * primaries if the keys differ. An entity can contain 983,040 bytes of keys; a larger list is
   * rejected, and the message goes to the poison queue.
   *
   * @param name a name that no other target of the table has or had; it must never change
   * @param list returns the key of the list that a value belongs to; empty for none
   */
  public static <T> Index<T, AsyncKeyListIndex<T>> inTable(
      String name, TableAsyncClient table, Function<T, Optional<EntityKey>> list) {
    return inTable(name, table, new ListEntities(Optional.empty()), list);
  }

  /**
   * Like {@link #inTable(String, TableAsyncClient, Function)}, but lists that do not fit in an
   * entity go to blobs of an existing container.
   */
  public static <T> Index<T, AsyncKeyListIndex<T>> inTable(
      String name,
      TableAsyncClient table,
      BlobContainerAsyncClient overflow,
      Function<T, Optional<EntityKey>> list) {
    ListBlobs blobs = new ListBlobs(overflow, Clock.systemUTC());
    return inTable(name, table, new ListEntities(Optional.of(blobs)), list);
  }

  private static <T> Index<T, AsyncKeyListIndex<T>> inTable(
      String name,
      TableAsyncClient table,
      ListEntities entities,
      Function<T, Optional<EntityKey>> list) {
    KeyLists lists =
        new TableKeyLists(
            AsyncTable.of(table, EntityCodec.dynamic()), name, entities, Clock.systemUTC());
    return source -> new AsyncKeyListIndex<>(source, name, lists, list);
  }

  /** Returns this index with blocking calls. */
  public KeyListIndex<T> blocking() {
    return new KeyListIndex<>(this);
  }

  /**
   * Returns the keys on a list: one request, or two if the list is in a blob because it does not
   * fit in its entity.
   */
  public Mono<List<EntityKey>> keys(EntityKey listKey) {
    return lists
        .read(listKey)
        .retryWhen(ListChanged.again())
        .map(stored -> stored.keys().inOrder().stream().map(AsyncKeyListIndex::parse).toList());
  }

  /**
   * Returns the values on a list, in its order: one request for the list and one for each value.
   * Values that left the list in between are left out; values that joined it in between may be
   * missing.
   */
  public Flux<T> find(EntityKey listKey) {
    return keys(listKey)
        .flatMapIterable(keys -> keys)
        .flatMapSequential(source::find, POINT_QUERIES, 1)
        .filter(value -> copyKeys(value).contains(listKey));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Set<EntityKey> copyKeys(T value) {
    return list.apply(value).map(Set::of).orElse(Set.of());
  }

  /** Sends three requests. */
  @Override
  public Mono<Void> update(Primary<T> primary) {
    return Mono.justOrEmpty(primary.value().flatMap(list))
        .flatMap(listKey -> refresh(listKey, primary.key()))
        .then();
  }

  /** Sends three requests. */
  @Override
  public Mono<Void> removeCopy(EntityKey listKey, Primary<T> primary) {
    return refresh(listKey, primary.key()).then();
  }

  private Mono<Boolean> refresh(EntityKey listKey, EntityKey key) {
    return Mono.defer(() -> lists.read(listKey))
        .flatMap(
            before -> belongsOn(key, listKey).flatMap(there -> write(listKey, key, before, there)))
        .switchIfEmpty(Mono.error(ListChanged::new))
        .retryWhen(ListChanged.again());
  }

  private Mono<Boolean> write(
      EntityKey listKey, EntityKey key, KeyLists.Stored before, boolean there) {
    return lists.write(listKey, before, before.keys().changed(text(key), there));
  }

  /**
   * Returns whether the primary now belongs on the list. The primary must be read after the list.
   */
  private Mono<Boolean> belongsOn(EntityKey key, EntityKey listKey) {
    return source.find(key).map(value -> copyKeys(value).contains(listKey)).defaultIfEmpty(false);
  }

  /**
   * Removes empty lists whose last write was at least this long ago; see {@link
   * AsyncPrimaryTable#sweep}. Reads all lists.
   *
   * @return the number of removed lists
   */
  public Mono<Long> sweep(Duration age) {
    return Mono.defer(() -> lists.sweep(age));
  }

  /**
   * Deletes blobs of large lists that no entity refers to any more, except blobs of the last hour.
   * Lists the whole container.
   *
   * @return the number of deleted blobs
   */
  public Mono<Long> collect() {
    return lists.collect();
  }

  private static String text(EntityKey key) {
    return key.partitionKey() + SEPARATOR + key.rowKey();
  }

  private static EntityKey parse(String text) {
    int separator = text.indexOf(SEPARATOR);
    return new EntityKey(text.substring(0, separator), text.substring(separator + 1));
  }
}
