package io.lazuli.client.pattern.outbox;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.table.OutcomeUnknown;
import io.lazuli.client.table.WriteMark;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
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
 * processed. The reads of this type do not return tombstones; other clients see them: they have the
 * property {@code LazuliDeletedAt}.
 *
 * <p>If the codec encrypts, it encrypts values; the properties that this type adds stay plain.
 *
 * <p>Writes to the table by other means break the guarantees: the copies follow only after {@link
 * #refresh} or the next change.
 *
 * @param <T> the type of the values
 */
public final class AsyncPrimaryTable<T> {
  private final String kind;
  private final AsyncTable<T> table;
  private final Outbox outbox;
  private final Targets<T> targets;
  private final Clock clock;

  private AsyncPrimaryTable(
      String kind, AsyncTable<T> table, Outbox outbox, Targets<T> targets, Clock clock) {
    this.kind = kind;
    this.table = table;
    this.outbox = outbox;
    this.targets = targets;
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
    return new AsyncPrimaryTable<>(
        kind, table, outbox, new Targets<>(List.of()), Clock.systemUTC());
  }

  /** Returns this table with one more target. Clients and workers must have the same targets. */
  public AsyncPrimaryTable<T> copiedTo(Target<T> target) {
    return new AsyncPrimaryTable<>(kind, table, outbox, targets.and(target), clock);
  }

  /** Returns this table with another clock, which dates versions and tombstones. */
  public AsyncPrimaryTable<T> with(Clock other) {
    return new AsyncPrimaryTable<>(kind, table, outbox, targets, other);
  }

  /** Returns this table with blocking calls. */
  public PrimaryTable<T> blocking() {
    return new PrimaryTable<>(this);
  }

  /** Returns the kind of this table's messages. */
  public String kind() {
    return kind;
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
    return !targets.all().isEmpty();
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

  /** Returns the values of a query. Tombstones count towards {@code top} but are not returned. */
  public Flux<T> query(Query query) {
    query.checkFor(codec());
    Flux<TableEntity> found =
        rows()
            .query(query, codec().alwaysSelected())
            .filter(row -> !row.isCopy() && !row.deleted())
            .map(row -> row.plain(row.key()));
    return codec().decode(found, Set.copyOf(query.selected()));
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
    return WriteMark.using(mark -> new Change(key, change, keepsUnknown, mark).run());
  }

  /** A row that was read, its primary, and the next value. */
  private record Plan<T>(Optional<Row> before, Primary<T> current, Optional<T> next) {
    /** Returns whether there is no value, neither before nor after the change. */
    boolean isNothing() {
      return current.value().isEmpty() && next.isEmpty();
    }
  }

  /** One change of a primary, with all its attempts. */
  private final class Change {
    private final EntityKey key;
    private final UnaryOperator<Optional<T>> change;
    private final boolean keepsUnknown;
    private final WriteMark mark;

    Change(EntityKey key, UnaryOperator<Optional<T>> change, boolean keepsUnknown, WriteMark mark) {
      this.key = key;
      this.change = change;
      this.keepsUnknown = keepsUnknown;
      this.mark = mark;
    }

    Mono<Primary<T>> run() {
      return rows()
          .find(key)
          .flatMap(this::planned)
          .flatMap(
              plan ->
                  plan.isNothing()
                      ? Mono.just(plan.current())
                      : written(plan).flatMap(next -> announced(plan, next)));
    }

    /**
     * Announces and writes a change. The first write was encoded before this call, so that a value
     * that cannot be written is rejected without an announcement, and so that no time passes
     * between announcement and write while keys are fetched.
     */
    private Mono<Primary<T>> announced(Plan<T> first, TableEntity next) {
      Mono<Primary<T>> again = rows().find(key).flatMap(this::attempt);
      return outbox
          .around(message(key), swap(first, next).switchIfEmpty(Swaps.until(key, again)))
          .onErrorMap(TimeoutException.class, late -> new OutcomeUnknown(key, late));
    }

    /**
     * Applies the change to the row that was read and writes the result. Empty if another client
     * changed the entity in between.
     */
    private Mono<Primary<T>> attempt(Optional<Row> before) {
      return planned(before)
          .flatMap(
              plan ->
                  plan.isNothing()
                      ? Mono.just(plan.current())
                      : written(plan).flatMap(next -> swap(plan, next)));
    }

    private Mono<TableEntity> written(Plan<T> plan) {
      return next(key, plan.before(), plan.current().value(), plan.next(), keepsUnknown);
    }

    private Mono<Primary<T>> swap(Plan<T> plan, TableEntity next) {
      long version = new Row(next).version();
      return rows()
          .swapOnce(plan.before(), next, mark)
          .filter(done -> done)
          .map(done -> new Primary<>(key, version, plan.next()));
    }

    private Mono<Plan<T>> planned(Optional<Row> before) {
      if (before.filter(Row::moving).isPresent()) {
        return Mono.error(new MovingFailure(key));
      }
      if (before.filter(Row::isCopy).isPresent()) {
        return Mono.error(
            new IllegalArgumentException(
                "this key has a copy, which only its primary may change: " + key));
      }
      return primaryOrNone(key, before)
          .map(current -> new Plan<>(before, current, change.apply(current.value())));
    }
  }

  /**
   * Returns the entity to write in place of a stored row, with the properties that this library
   * adds.
   */
  Mono<TableEntity> next(EntityKey key, Optional<Row> before, Optional<T> value) {
    return primaryOrNone(key, before)
        .flatMap(current -> next(key, before, current.value(), value, false));
  }

  private Mono<TableEntity> next(
      EntityKey key,
      Optional<Row> before,
      Optional<T> current,
      Optional<T> value,
      boolean keepsUnknown) {
    Optional<Row> kept = before.filter(row -> keepsUnknown && !row.deleted());
    return value
        .map(present -> written(key, kept, present).map(entity -> Row.of(key, entity)))
        .orElseGet(() -> Mono.fromSupplier(() -> Row.tombstone(key, clock.instant())))
        .map(entity -> marked(entity, before, left(before, current, value)));
  }

  /**
   * Adds the properties of this library. The codec has already run, so they are never encrypted.
   */
  private TableEntity marked(TableEntity entity, Optional<Row> before, Set<String> unsettled) {
    if (!unsettled.isEmpty()) {
      entity.addProperty(Row.UNSETTLED, Row.joined(unsettled));
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
    return kept.map(row -> codec().encodeOver(row.plain(key), value))
        .orElseGet(() -> codec().encode(value, TableTransactionActionType.UPSERT_REPLACE));
  }

  long versionAfter(Optional<Row> before) {
    return Math.max(clock.millis(), before.map(Row::version).orElse(0L) + 1);
  }

  private Set<String> left(Optional<Row> before, Optional<T> current, Optional<T> next) {
    Set<String> left = new LinkedHashSet<>();
    before.ifPresent(row -> left.addAll(row.unsettled()));
    current.ifPresent(value -> left.addAll(targets.of(value)));
    left.remove(Row.DELETION);
    next.ifPresent(value -> left.removeAll(targets.of(value)));
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
   * Returns the step with which a worker handles a message of this table. It reads the primary and
   * makes all targets equal to it. If the primary was deleted, or if its copies now have other
   * keys, the step then records that all targets are up to date.
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
                targets
                    .update(primary)
                    .then(Mono.defer(() -> targets.removeCopies(row.unsettled(), primary))))
        .then(Mono.defer(() -> settle(row)));
  }

  /**
   * Records that all targets are up to date. If the primary has changed since it was read, the
   * worker that handles that change records it instead.
   */
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
