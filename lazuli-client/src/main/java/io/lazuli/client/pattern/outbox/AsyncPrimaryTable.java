package io.lazuli.client.pattern.outbox;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.NotFound;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A table whose entities are copied elsewhere: every change is announced in an {@link Outbox}, and
 * the {@linkplain #step() step} of a worker makes the copies equal. Immutable and thread-safe.
 *
 * <h2>Versions</h2>
 *
 * <p>Every change is a read and a conditional write, and gives the entity a greater version, which
 * the copies carry. ETags cannot be compared with each other, so the version is a property. It is
 * the old one plus one or the time in milliseconds, whichever is greater: an entity that is made
 * anew after all trace of the old one is gone still has a greater version than any copy that may be
 * left.
 *
 * <h2>Deletions</h2>
 *
 * <p>A deleted entity stays as a marker with a version and the time, without its properties, so
 * that a slow worker cannot bring back a copy of it, and one made anew counts on. {@link #sweep}
 * removes markers that are old enough, and of which all targets are known to have heard. The reads
 * of this type do not show markers; those of other clients do: they have the property {@code
 * LazuliDeletedAt}.
 *
 * <p>If the codec encrypts, it encrypts values; what this type adds to them stays plain.
 *
 * <p>Whoever writes to the table by other means breaks the promise: the copies learn nothing of it
 * until {@link #refresh} or the next change.
 *
 * @param <T> the values
 */
public final class AsyncPrimaryTable<T> {
  private final String kind;
  private final AsyncTable<T> table;
  private final Outbox outbox;
  private final Places<T> places;
  private final Clock clock;

  private AsyncPrimaryTable(
      String kind, AsyncTable<T> table, Outbox outbox, Places<T> places, Clock clock) {
    this.kind = kind;
    this.table = table;
    this.outbox = outbox;
    this.places = places;
    this.clock = clock;
  }

  /**
   * A primary table without targets.
   *
   * @param table the one that it stands on, which nobody else writes to
   * @param kind names its messages; workers of the queue have one {@linkplain #step() step} of this
   *     name
   */
  public static <T> AsyncPrimaryTable<T> of(String kind, AsyncTable<T> table, Outbox outbox) {
    return new AsyncPrimaryTable<>(kind, table, outbox, new Places<>(List.of()), Clock.systemUTC());
  }

  /** This table with one target more. Clients and workers must have the same. */
  public AsyncPrimaryTable<T> copiedTo(Target<T> target) {
    return new AsyncPrimaryTable<>(kind, table, outbox, places.and(target), clock);
  }

  /** This table with another clock, which dates versions and markers. */
  public AsyncPrimaryTable<T> with(Clock other) {
    return new AsyncPrimaryTable<>(kind, table, outbox, places, other);
  }

  /** The same table; calls wait. */
  public PrimaryTable<T> blocking() {
    return new PrimaryTable<>(this);
  }

  /** The kind of its messages. */
  public String kind() {
    return kind;
  }

  EntityCodec<T> codec() {
    return table.codec();
  }

  Clock clock() {
    return clock;
  }

  /** As they are stored, for the properties that this package adds are not the codec's. */
  Rows rows() {
    return new Rows(table.stored());
  }

  boolean isSameTableAs(AsyncPrimaryTable<?> other) {
    return table.client().getTableEndpoint().equals(other.table.client().getTableEndpoint());
  }

  boolean hasTargets() {
    return !places.targets().isEmpty();
  }

  /** The value of this key; empty if there is none. One request. */
  public Mono<T> find(EntityKey key) {
    return read(key).flatMap(primary -> Mono.justOrEmpty(primary.value()));
  }

  /** The primary of this key, also if it was deleted; empty if nothing is left of it. */
  public Mono<Primary<T>> read(EntityKey key) {
    return rows()
        .find(key)
        .flatMap(row -> Mono.justOrEmpty(row.filter(found -> !found.isCopy())))
        .flatMap(this::primary);
  }

  /**
   * The values that a query finds. Markers of deletion count for {@code top}, and are not shown.
   */
  public Flux<T> query(Query query) {
    Flux<TableEntity> found =
        rows()
            .query(query, codec().alwaysSelected())
            .filter(row -> !row.isCopy() && !row.deleted())
            .map(row -> row.plain(row.key()));
    return codec().decode(found, Set.copyOf(query.selected()));
  }

  /**
   * Adds a value: four requests.
   *
   * @throws AlreadyExists as signal, if there is one of its key
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

  /** Adds a value, or replaces the one of its key whatever it is: four requests. */
  public Mono<Primary<T>> put(T value) {
    return change(codec().key(value), current -> Optional.of(value));
  }

  /**
   * Changes a value: four requests, two more for each time that another client came first.
   *
   * @param change may be called several times, each time with the newest value; keeps the key
   * @throws NotFound as signal, if there is none
   */
  public Mono<Primary<T>> update(EntityKey key, UnaryOperator<T> change) {
    return change(
        key,
        current -> Optional.of(change.apply(current.orElseThrow(() -> new NotFound(key, null)))));
  }

  /** Deletes the value of this key, if there is one: four requests, or one. */
  public Mono<Void> delete(EntityKey key) {
    return change(key, current -> Optional.empty()).then();
  }

  /**
   * Any change: the others are special cases of it.
   *
   * @param change of the current value or none to the next value or none; may be called several
   *     times
   * @return the primary after the change; one that never was has the version zero
   * @throws ContentionFailure as signal, if others were faster again and again
   * @throws MovingFailure as signal, if the value is about to be moved elsewhere
   */
  public Mono<Primary<T>> change(EntityKey key, UnaryOperator<Optional<T>> change) {
    String name = UUID.randomUUID().toString();
    return rows()
        .find(key)
        .flatMap(first -> planned(key, first, change))
        .flatMap(
            plan ->
                plan.isNothing()
                    ? Mono.just(plan.current())
                    : written(plan, name).flatMap(next -> announced(plan, next, change, name)));
  }

  /** What is to become of a row that was read, and of the primary in it. */
  private record Plan<T>(Optional<Row> before, Primary<T> current, Optional<T> next) {
    /** Nothing was and nothing shall be. */
    boolean isNothing() {
      return current.value().isEmpty() && next.isEmpty();
    }
  }

  /**
   * What cannot be written is refused before it is announced, and keys are not waited for after.
   */
  private Mono<Primary<T>> announced(
      Plan<T> first, TableEntity next, UnaryOperator<Optional<T>> change, String name) {
    EntityKey key = first.current().key();
    Mono<Primary<T>> again = rows().find(key).flatMap(now -> attempt(key, now, change, name));
    return outbox.around(message(key), swap(first, next).switchIfEmpty(Swaps.until(key, again)));
  }

  /** Empty if it failed because another client changed the entity. */
  private Mono<Primary<T>> attempt(
      EntityKey key, Optional<Row> before, UnaryOperator<Optional<T>> change, String name) {
    return before.filter(row -> row.changedBy(name)).isPresent()
        ? primaryOrNone(key, before)
        : planned(key, before, change)
            .flatMap(
                plan ->
                    plan.isNothing()
                        ? Mono.just(plan.current())
                        : written(plan, name).flatMap(next -> swap(plan, next)));
  }

  private Mono<TableEntity> written(Plan<T> plan, String name) {
    Primary<T> current = plan.current();
    return next(current.key(), plan.before(), current.value(), plan.next())
        .map(next -> next.addProperty(Row.CHANGE, name));
  }

  private Mono<Primary<T>> swap(Plan<T> plan, TableEntity next) {
    long version = new Row(next).version();
    return rows()
        .swap(plan.before(), next)
        .filter(done -> done)
        .map(done -> new Primary<>(plan.current().key(), version, plan.next()));
  }

  private Mono<Plan<T>> planned(
      EntityKey key, Optional<Row> before, UnaryOperator<Optional<T>> change) {
    if (before.filter(Row::moving).isPresent()) {
      return Mono.error(new MovingFailure(key));
    }
    if (before.filter(Row::isCopy).isPresent()) {
      return Mono.error(
          new IllegalArgumentException("a copy is there, which follows its primary: " + key));
    }
    return primaryOrNone(key, before)
        .map(current -> new Plan<>(before, current, change.apply(current.value())));
  }

  /** The entity that follows upon another, with the marks of this library. */
  Mono<TableEntity> next(EntityKey key, Optional<Row> before, Optional<T> value) {
    return primaryOrNone(key, before).flatMap(current -> next(key, before, current.value(), value));
  }

  private Mono<TableEntity> next(
      EntityKey key, Optional<Row> before, Optional<T> current, Optional<T> value) {
    return value
        .map(present -> written(key, present).map(entity -> Row.of(key, entity)))
        .orElseGet(() -> Mono.fromSupplier(() -> Row.marker(key, clock.instant())))
        .map(entity -> marked(entity, before, left(before, current, value)));
  }

  /** These properties are added to what the codec wrote, so they are never encrypted. */
  private TableEntity marked(TableEntity entity, Optional<Row> before, Set<String> unsettled) {
    if (!unsettled.isEmpty()) {
      entity.addProperty(Row.UNSETTLED, Row.joined(unsettled));
    }
    before
        .flatMap(row -> row.text(Row.MOVED_FROM))
        .ifPresent(from -> entity.addProperty(Row.MOVED_FROM, from));
    return entity.addProperty(Row.VERSION, versionAfter(before));
  }

  private Mono<TableEntity> written(EntityKey key, T value) {
    if (!codec().key(value).equals(key)) {
      return Mono.error(
          new IllegalArgumentException(
              "a change keeps the key " + key + ", this one has " + codec().key(value)));
    }
    return codec().encode(value, TableTransactionActionType.UPSERT_REPLACE);
  }

  long versionAfter(Optional<Row> before) {
    return Math.max(clock.millis(), before.map(Row::version).orElse(0L) + 1);
  }

  private Set<String> left(Optional<Row> before, Optional<T> current, Optional<T> next) {
    Set<String> left = new LinkedHashSet<>();
    before.ifPresent(row -> left.addAll(row.unsettled()));
    current.ifPresent(value -> left.addAll(places.of(value)));
    left.remove(Row.DELETION);
    next.ifPresent(value -> left.removeAll(places.of(value)));
    if (next.isEmpty() && hasTargets()) {
      left.add(Row.DELETION);
    }
    return left;
  }

  /** Announces a primary that was not changed, so that its copies are made equal. One request. */
  public Mono<Void> refresh(EntityKey key) {
    return outbox.send(message(key));
  }

  OutboxMessage message(EntityKey key) {
    return new OutboxMessage(kind, key);
  }

  Outbox outbox() {
    return outbox;
  }

  /**
   * What a worker does for a message of this table: reads the primary, makes all targets equal to
   * it and, if it was deleted or has left places, notes that they all know.
   */
  public IdempotentStep step() {
    return message -> copy(message.key());
  }

  Mono<Void> copy(EntityKey key) {
    return rows().find(key).flatMap(row -> row.map(this::copy).orElseGet(Mono::empty));
  }

  private Mono<Void> copy(Row row) {
    return primary(row)
        .flatMap(
            primary ->
                places
                    .bring(primary)
                    .then(Mono.defer(() -> places.vacate(row.unsettled(), primary))))
        .then(Mono.defer(() -> settle(row)));
  }

  /** If the primary changed since, the worker of that change will do it. */
  private Mono<Void> settle(Row row) {
    if (row.unsettled().isEmpty()) {
      return Mono.empty();
    }
    EntityKey key = row.key();
    TableEntity settled =
        new TableEntity(key.partitionKey(), key.rowKey()).addProperty(Row.UNSETTLED, "");
    return rows().merge(row, settled).then();
  }

  /**
   * Removes the markers of entities that were deleted so long ago and of which all targets know.
   * The age must be greater than any worker takes for a step; a week is plenty. Visits the whole
   * table.
   *
   * @return how many
   */
  public Mono<Long> sweep(Duration age) {
    return Mono.defer(
        () ->
            rows()
                .sweep(
                    clock.instant().minus(age), row -> !row.isCopy() && row.unsettled().isEmpty()));
  }

  Mono<Primary<T>> primary(Row row) {
    return row.deleted()
        ? Mono.just(new Primary<>(row.key(), row.version(), Optional.empty()))
        : codec()
            .decode(row.plain(row.key()))
            .map(value -> new Primary<>(row.key(), row.version(), Optional.of(value)));
  }

  private Mono<Primary<T>> primaryOrNone(EntityKey key, Optional<Row> row) {
    return row.map(this::primary)
        .orElseGet(() -> Mono.just(new Primary<>(key, 0, Optional.empty())));
  }
}
