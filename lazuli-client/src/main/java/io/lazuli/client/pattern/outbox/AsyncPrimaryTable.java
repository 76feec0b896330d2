package io.lazuli.client.pattern.outbox;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Filter;
import io.lazuli.client.query.Query;
import io.lazuli.client.query.Segment;
import io.lazuli.client.query.Token;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.table.OutcomeUnknown;
import io.lazuli.client.table.WriteMark;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A table whose entities are copied elsewhere: every change is announced in an {@link Outbox}, and
 * the {@linkplain #step() step} of a worker makes the copies equal. Immutable and thread-safe.
 *
 * <h2>Versions</h2>
 *
 * <p>Every change is a read and a conditional write, and gives the entity a greater version, which
 * the copies store too. ETags have no order, so the version is a property. It is the old version
 * plus one, or the time in milliseconds, whichever is greater. So an entity that is created again,
 * after every trace of the old one was removed, still has a greater version than any copy that may
 * be left.
 *
 * <h2>Deletions</h2>
 *
 * <p>A deleted entity stays as a tombstone with a version and the time, without its properties, so
 * that a slow worker cannot restore a copy of it, and an entity that is created again continues its
 * versions. {@link #sweep} removes tombstones that are old enough and that all targets have
 * processed. The reads of this type neither return nor count tombstones, copies and lists in the
 * same table, because the service filters them out. Other readers of the table see them unless they
 * add the condition {@link #VALUES}.
 *
 * <h2>Indexes and other targets</h2>
 *
 * <p>All targets are declared on the table, so that one object writes, works and searches:
 *
 * <pre>{@code
 * var staff = AsyncPrimaryTable.of("staff", table, outbox)
 *     .indexedBy("email", emailTable, employee ->
 *         Optional.of(new EntityKey("email", employee.email())));
 * staff.by("email").find(new EntityKey("email", "jones@contoso.com"));
 * }</pre>
 *
 * <p>The declaration of the workers decides which copies are made. Each entity lists the copies
 * that it may have, and every writer keeps this list, so the copies of a target are removed even if
 * a client that does not declare it deletes the entity. A worker lists copies before it makes them,
 * and does not finish a message for an entity that lists copies of a target that the worker does
 * not declare: the message fails with {@link UndeclaredTarget}.
 *
 * <p>To add a target to a table in use: first replace all workers by workers that declare it, then
 * call {@link #refreshAll}. Clients may declare it earlier or later. To remove one, replace its
 * declaration by {@link #retiring}.
 *
 * <p>If the codec encrypts, it encrypts values; the properties that this type adds stay plain.
 *
 * <p>Writes to the table by other means break the guarantees: the copies follow only after {@link
 * #refresh} or the next change.
 *
 * @param <T> the type of the values
 */
public final class AsyncPrimaryTable<T> {
  /** The property of rows that are not values of their table, but copies, tombstones or lists. */
  public static final String HIDDEN = "LazuliHidden";

  /**
   * The condition that a row is a value. Queries of this type have it; other readers of the table
   * can add it to theirs. The values of the property are lower-case words.
   */
  public static final Filter VALUES = Filter.not(Filter.property(HIDDEN).ge("a"));

  private static final int ANNOUNCEMENTS_AT_ONCE = 16;

  private final String kind;
  private final AsyncTable<T> table;
  private final Outbox outbox;
  private final List<Index<T, ?>> declared;
  private final Clock clock;

  private AsyncPrimaryTable(
      String kind, AsyncTable<T> table, Outbox outbox, List<Index<T, ?>> declared, Clock clock) {
    this.kind = kind;
    this.table = table;
    this.outbox = outbox;
    this.declared = declared;
    this.clock = clock;
  }

  /**
   * Creates a primary table without targets.
   *
   * @param table the underlying table, which nobody else may write to
   * @param kind the kind of its messages; workers of the queue have one {@linkplain #step() step}
   *     for it
   */
  public static <T> AsyncPrimaryTable<T> of(String kind, AsyncTable<T> table, Outbox outbox) {
    return new AsyncPrimaryTable<>(kind, table, outbox, List.of(), Clock.systemUTC());
  }

  /**
   * Returns this table with one more index: full copies of its entities, each under the key that a
   * function returns. {@link #by(String)} searches the index.
   *
   * <p>Two entities must not have the same index key at the same time: the first one keeps it, and
   * the message of the second goes to the poison queue. For values that are not unique, append the
   * row key of the entity to the index row key, and look entities up by prefix.
   *
   * @param name a name that no other target of the table has or had; it must never change
   * @param copies the table of the copies: the table of the entities or another one
   * @param key returns the key of the copy; empty if the entity is not in this index
   */
  public AsyncPrimaryTable<T> indexedBy(
      String name, TableAsyncClient copies, Function<T, Optional<EntityKey>> key) {
    return indexedBy(source -> new TableCopy<>(source, name, Rows.of(copies), key));
  }

  /** Returns this table with one more index, such as lists of keys. */
  public <I extends Target<T>> AsyncPrimaryTable<T> indexedBy(Index<T, I> index) {
    String name = index.of(this).name();
    if (!name.isEmpty() && targets().named(name).isPresent()) {
      throw new IllegalArgumentException("two targets of the table have the name " + name);
    }
    List<Index<T, ?>> all = new ArrayList<>(declared);
    all.add(index);
    return new AsyncPrimaryTable<>(kind, table, outbox, List.copyOf(all), clock);
  }

  /**
   * Returns this table with copies of all its entities in another table, under the same keys.
   * {@link #by(String)} reads them.
   *
   * @param name a name that no other target of the table has or had; it must never change
   */
  public AsyncPrimaryTable<T> copiedTo(String name, TableAsyncClient copies) {
    return indexedBy(name, copies, value -> Optional.of(codec().key(value)));
  }

  /** Returns this table with one more target, such as a {@link BlobCopy}. */
  public AsyncPrimaryTable<T> copiedTo(Target<T> target) {
    return indexedBy(source -> target);
  }

  /**
   * Returns this table without a target that it had earlier. The copies of that target stay as they
   * are, and the entities forget them at their next message. The name must not be used again.
   */
  public AsyncPrimaryTable<T> retiring(String name) {
    return copiedTo(new Retired<>(name));
  }

  /** Returns this table with another clock, which dates versions and tombstones. */
  public AsyncPrimaryTable<T> with(Clock other) {
    return new AsyncPrimaryTable<>(kind, table, outbox, declared, other);
  }

  /** Returns this table with blocking calls. */
  public PrimaryTable<T> blocking() {
    return new PrimaryTable<>(this);
  }

  /** Returns the kind of this table's messages. */
  public String kind() {
    return kind;
  }

  /**
   * Returns an index for searching.
   *
   * @throws IllegalArgumentException if the table declares no index with copies of this name
   */
  public AsyncPartitionIndex<T> by(String name) {
    return targets()
        .named(name)
        .filter(TableCopy.class::isInstance)
        .map(target -> new AsyncPartitionIndex<>((TableCopy<T>) target))
        .orElseThrow(() -> new IllegalArgumentException("there is no index with the name " + name));
  }

  /**
   * Returns an index for searching.
   *
   * @throws IllegalArgumentException if the table does not declare it
   */
  public <I extends Target<T>> I by(Index<T, I> index) {
    I found = index.of(this);
    if (targets().named(found.name()).isEmpty()) {
      throw new IllegalArgumentException("there is no index with the name " + found.name());
    }
    return found;
  }

  Targets<T> targets() {
    List<Target<T>> all = new ArrayList<>();
    declared.forEach(index -> all.add(index.of(this)));
    return new Targets<>(all);
  }

  EntityCodec<T> codec() {
    return table.codec();
  }

  Clock clock() {
    return clock;
  }

  /**
   * Returns the table with its rows as they are stored, because the codec does not know the
   * properties that this package adds.
   */
  Rows rows() {
    return new Rows(table.stored());
  }

  boolean isSameTableAs(AsyncPrimaryTable<?> other) {
    return table.endpoint().equals(other.table.endpoint());
  }

  boolean hasTargets() {
    return !declared.isEmpty();
  }

  /** Returns the value with this key; empty if there is none. One request. */
  public Mono<T> find(EntityKey key) {
    return read(key).flatMap(primary -> Mono.justOrEmpty(primary.value()));
  }

  /**
   * Returns the primary with this key, also if it was deleted; empty if there is not even a
   * tombstone.
   */
  public Mono<Primary<T>> read(EntityKey key) {
    return rows()
        .find(key)
        .flatMap(row -> Mono.justOrEmpty(row.filter(found -> !found.isCopy())))
        .flatMap(this::primary);
  }

  /** Returns the values of a query in the order of their keys; see {@link AsyncTable#query}. */
  public Flux<T> query(Query query) {
    return values().query(values(query));
  }

  /**
   * Returns one segment of a query: a single request; see {@link AsyncTable#segment}.
   *
   * @param token where to continue; null for the first segment
   */
  public Mono<Segment<T>> segment(Query query, @Nullable Token token) {
    return values().segment(values(query), token);
  }

  /** Runs a query in several partitions at the same time; see {@link AsyncTable#fanOut}. */
  public Flux<T> fanOut(Collection<String> partitionKeys, Query query, int concurrency) {
    return values().fanOut(partitionKeys, values(query), concurrency);
  }

  private Query values(Query query) {
    query.checkFor(codec());
    return query.and(VALUES);
  }

  private AsyncTable<T> values() {
    return table.with(new RowCodec<>(codec()));
  }

  /**
   * Inserts a value: four requests.
   *
   * @return the primary; the error {@link AlreadyExists} if there is a value with the same key
   */
  public Mono<Primary<T>> insert(T value) {
    EntityKey key = codec().key(value);
    return change(
        key,
        current -> {
          if (current.isPresent()) {
            throw new AlreadyExists(key, null);
          }
          return Optional.of(value);
        });
  }

  /** Inserts a value, or replaces the value with the same key: four requests. */
  public Mono<Primary<T>> put(T value) {
    return change(codec().key(value), current -> Optional.of(value), false);
  }

  /**
   * Changes a value: four requests, and two more for each retry after a concurrent change.
   *
   * @param change may be called several times, each time with the newest value; it must not change
   *     the key
   * @return the primary; the error {@link NotFound} if there is no value with this key, or {@link
   *     OutcomeUnknown} if an answer was lost and the row does not reveal the outcome
   */
  public Mono<Primary<T>> update(EntityKey key, UnaryOperator<T> change) {
    return change(
        key,
        current -> Optional.of(change.apply(current.orElseThrow(() -> new NotFound(key, null)))));
  }

  /** Deletes the value with this key: four requests, or one if there is no value. */
  public Mono<Void> delete(EntityKey key) {
    return change(key, current -> Optional.empty()).then();
  }

  /**
   * Makes any change: an insertion, replacement or deletion. It takes effect once, even if answers
   * are lost; see {@link WriteMark}. Properties that the codec does not {@linkplain
   * EntityCodec#knowsProperty know} are kept.
   *
   * @param change takes the current value or empty, and returns the next value or empty; it may be
   *     called several times
   * @return the primary after the change, with version zero if it never existed; the error {@link
   *     ContentionFailure} if other clients were faster in every attempt, {@link MovingFailure} if
   *     the value is being moved, or {@link OutcomeUnknown} if an answer was lost and the row does
   *     not reveal the outcome
   */
  public Mono<Primary<T>> change(EntityKey key, UnaryOperator<Optional<T>> change) {
    return change(key, change, true);
  }

  private Mono<Primary<T>> change(
      EntityKey key, UnaryOperator<Optional<T>> change, boolean keepsUnknown) {
    return WriteMark.using(key, mark -> new Change<>(this, key, change, keepsUnknown, mark).run());
  }

  /**
   * Returns the entity to write in place of a stored row, with the properties that this library
   * adds.
   */
  Mono<TableEntity> next(EntityKey key, Optional<Row> before, Optional<T> value) {
    return next(key, before, value, false);
  }

  Mono<TableEntity> next(
      EntityKey key, Optional<Row> before, Optional<T> value, boolean keepsUnknown) {
    Optional<Row> kept = before.filter(row -> keepsUnknown && !row.deleted());
    return value
        .map(present -> written(key, kept, present).map(entity -> Row.of(key, entity)))
        .orElseGet(() -> Mono.fromSupplier(() -> Row.tombstone(key, clock.instant())))
        .map(entity -> marked(entity, before, copiesAfter(before, value)));
  }

  /**
   * Adds the properties of this library. The codec has already run, so they are never encrypted.
   */
  private TableEntity marked(TableEntity entity, Optional<Row> before, Set<String> copies) {
    if (!copies.isEmpty()) {
      Row.listing(copies, entity);
    }
    before
        .flatMap(row -> row.text(Row.MOVED_FROM))
        .ifPresent(from -> entity.addProperty(Row.MOVED_FROM, from));
    return entity.addProperty(Row.VERSION, versionAfter(before));
  }

  private Mono<TableEntity> written(EntityKey key, Optional<Row> kept, T value) {
    if (!codec().key(value).equals(key)) {
      return Mono.error(
          new IllegalArgumentException(
              "a change must not change the key from " + key + " to " + codec().key(value)));
    }
    return kept.map(row -> codec().encodeOver(row.plain(), value))
        .orElseGet(() -> codec().encode(value, TableTransactionActionType.UPSERT_REPLACE));
  }

  long versionAfter(Optional<Row> before) {
    return Math.max(clock.millis(), before.map(Row::version).orElse(0L) + 1);
  }

  /**
   * Returns the names of the copies that may exist after a write: those of the stored row, also if
   * this table does not declare their targets, and those of the next value.
   */
  private Set<String> copiesAfter(Optional<Row> before, Optional<T> next) {
    Set<String> copies = new LinkedHashSet<>();
    before.ifPresent(row -> copies.addAll(row.copies()));
    copies.remove(Row.DELETION);
    next.ifPresent(value -> copies.addAll(targets().of(value)));
    if (next.isEmpty() && hasTargets()) {
      copies.add(Row.DELETION);
    }
    return copies;
  }

  /** Announces a primary that was not changed, so that its copies are made equal. One request. */
  public Mono<Void> refresh(EntityKey key) {
    return outbox.send(message(key));
  }

  /**
   * Announces all values of a query, so that workers make their copies equal: one request for each
   * value, and those of the query. Call it after a target was added, after the keys of an index
   * were changed, or when copies were lost. Programs may write to the table at the same time.
   *
   * <p>If it is interrupted, call it again: an announcement of a value whose copies are equal
   * changes nothing. To continue where it stopped, pass {@link Query#from} of the last returned
   * key.
   *
   * @return the keys of the announced values, in order; all values before a key are announced too
   */
  public Flux<EntityKey> refreshAll(Query query) {
    return table
        .stored()
        .query(values(query).select("RowKey"))
        .map(EntityKey::of)
        .flatMapSequential(key -> refresh(key).thenReturn(key), ANNOUNCEMENTS_AT_ONCE, 1);
  }

  OutboxMessage message(EntityKey key) {
    return new OutboxMessage(kind, key);
  }

  Outbox outbox() {
    return outbox;
  }

  /**
   * Returns the step with which a worker handles a message of this table. It reads the primary and
   * makes all targets equal to it. If the primary was deleted, or if its copies now have other
   * keys, the step then records that all targets are up to date. Fails with {@link
   * UndeclaredTarget} if the primary has copies in a target that this table does not declare.
   */
  public IdempotentStep step() {
    return message -> copy(message.key());
  }

  Mono<Void> copy(EntityKey key) {
    return new Copying<>(this).copy(key);
  }

  /**
   * Removes the tombstones of entities that were deleted at least this long ago and whose deletion
   * all targets have processed. The age must exceed the longest time that a worker takes for a
   * step; a week is plenty. Scans the whole table.
   *
   * @return the number of removed tombstones
   */
  public Mono<Long> sweep(Duration age) {
    return Mono.defer(
        () ->
            rows()
                .sweep(clock.instant().minus(age), row -> !row.isCopy() && row.copies().isEmpty()));
  }

  Mono<Primary<T>> primary(Row row) {
    return row.deleted()
        ? Mono.just(new Primary<>(row.key(), row.version(), Optional.empty()))
        : codec()
            .decode(row.plain())
            .map(value -> new Primary<>(row.key(), row.version(), Optional.of(value)));
  }
}
