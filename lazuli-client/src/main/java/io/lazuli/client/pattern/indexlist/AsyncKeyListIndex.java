package io.lazuli.client.pattern.indexlist;

import com.azure.data.tables.TableAsyncClient;
import com.azure.storage.blob.BlobContainerAsyncClient;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
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
 * Lists of the keys of a primary table's entities by a value that several of them may have, in
 * blobs or in another partition or table. Immutable and thread-safe.
 *
 * <pre>{@code
 * var byLastName = AsyncKeyListIndex.inBlobs(employees, "lastname", container,
 *     employee -> Optional.of(new EntityKey(employee.department(), employee.lastName())));
 * var listed = employees.copiedTo(byLastName);
 * byLastName.keys(new EntityKey("Sales", "Jones"));
 * }</pre>
 *
 * <h2>Why lists converge</h2>
 *
 * <p>A worker reads the list, then the primary, and then writes the list, with the primary's key if
 * the primary leads there and without it if not, on the condition that the list is as it was read.
 * Messages only say where to look, so it does not matter in what order and how often they come.
 * Every worker writes, if only to give the list another ETag: one that read the primary when it was
 * older and comes later finds the list changed, and looks again. So what an older primary said
 * never replaces what a newer one did. A list of which the last key was removed stays, empty, for
 * the same reason, until {@link #sweep} finds it old enough.
 *
 * <p>Lists have their keys in the order in which workers added them, none twice.
 *
 * @param <T> the values of the primary table
 */
public final class AsyncKeyListIndex<T> implements Target<T> {
  private static final int POINT_QUERIES = 16;

  /** A control character, which no key may have. */
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
   * Lists in blobs of an existing container, of any size. They are kept once {@link
   * AsyncPrimaryTable#copiedTo} knows of them.
   *
   * @param name unlike that of any other target of the table, and never changed
   * @param list the list of a value; empty if it is in none. The blob is named by both parts of
   *     this key, with a slash between them
   */
  public static <T> AsyncKeyListIndex<T> inBlobs(
      AsyncPrimaryTable<T> source,
      String name,
      BlobContainerAsyncClient container,
      Function<T, Optional<EntityKey>> list) {
    KeyLists lists = new BlobKeyLists(container, Clock.systemUTC());
    return new AsyncKeyListIndex<>(source, name, lists, list);
  }

  /**
   * Lists in entities of a table: that of the primaries, if the keys differ, or another. They are
   * kept once {@link AsyncPrimaryTable#copiedTo} knows of them. One that does not fit in an entity,
   * which holds 983,040 bytes of keys, is refused, and the message ends in the poison queue.
   *
   * @param name unlike that of any other target of the table, and never changed
   * @param list the key of the list of a value; empty if it is in none
   */
  public static <T> AsyncKeyListIndex<T> inTable(
      AsyncPrimaryTable<T> source,
      String name,
      TableAsyncClient table,
      Function<T, Optional<EntityKey>> list) {
    return inTable(source, name, table, new ListEntities(Optional.empty()), list);
  }

  /** The same, with lists that do not fit in an entity in blobs of an existing container. */
  public static <T> AsyncKeyListIndex<T> inTable(
      AsyncPrimaryTable<T> source,
      String name,
      TableAsyncClient table,
      BlobContainerAsyncClient overflow,
      Function<T, Optional<EntityKey>> list) {
    ListBlobs blobs = new ListBlobs(overflow, Clock.systemUTC());
    return inTable(source, name, table, new ListEntities(Optional.of(blobs)), list);
  }

  private static <T> AsyncKeyListIndex<T> inTable(
      AsyncPrimaryTable<T> source,
      String name,
      TableAsyncClient table,
      ListEntities entities,
      Function<T, Optional<EntityKey>> list) {
    KeyLists lists =
        new TableKeyLists(
            AsyncTable.of(table, EntityCodec.dynamic()), name, entities, Clock.systemUTC());
    return new AsyncKeyListIndex<>(source, name, lists, list);
  }

  /** The same index; calls wait. */
  public KeyListIndex<T> blocking() {
    return new KeyListIndex<>(this);
  }

  /** The keys on a list: one request, two if it has outgrown its entity. */
  public Mono<List<EntityKey>> keys(EntityKey listKey) {
    return lists
        .read(listKey)
        .retryWhen(ListChanged.again())
        .map(stored -> stored.keys().inOrder().stream().map(AsyncKeyListIndex::parse).toList());
  }

  /**
   * The values on a list, in its order: one request for the list and one for each of them. A value
   * that has left the list meanwhile is not shown; one that has entered it may be missing.
   */
  public Flux<T> find(EntityKey listKey) {
    return keys(listKey)
        .flatMapIterable(keys -> keys)
        .flatMapSequential(source::find, POINT_QUERIES, 1)
        .filter(value -> places(value).contains(listKey));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Set<EntityKey> places(T value) {
    return list.apply(value).map(Set::of).orElse(Set.of());
  }

  /** Three requests. */
  @Override
  public Mono<Void> bring(Primary<T> primary) {
    return Mono.justOrEmpty(primary.value().flatMap(list))
        .flatMap(place -> look(place, primary.key()))
        .then();
  }

  /** Three requests. */
  @Override
  public Mono<Void> vacate(EntityKey place, Primary<T> primary) {
    return look(place, primary.key()).then();
  }

  private Mono<Boolean> look(EntityKey place, EntityKey key) {
    return Mono.defer(() -> lists.read(place))
        .flatMap(before -> leads(key, place).flatMap(there -> write(place, key, before, there)))
        .switchIfEmpty(Mono.error(ListChanged::new))
        .retryWhen(ListChanged.again());
  }

  private Mono<Boolean> write(
      EntityKey place, EntityKey key, KeyLists.Stored before, boolean there) {
    return lists.write(place, before, before.keys().changed(text(key), there));
  }

  /** Whether the primary leads to the list at this moment, which is after the list was read. */
  private Mono<Boolean> leads(EntityKey key, EntityKey place) {
    return source.find(key).map(value -> places(value).contains(place)).defaultIfEmpty(false);
  }

  /**
   * Removes empty lists that nobody has written to for so long; see {@link
   * AsyncPrimaryTable#sweep}. Visits all lists.
   *
   * @return how many
   */
  public Mono<Long> sweep(Duration age) {
    return Mono.defer(() -> lists.sweep(age));
  }

  /**
   * Deletes the blobs of lists that have outgrown their entities and are in other blobs by now, but
   * those of the last hour. Visits the whole container.
   *
   * @return how many
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
