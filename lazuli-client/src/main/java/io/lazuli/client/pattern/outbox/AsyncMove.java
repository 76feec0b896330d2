package io.lazuli.client.pattern.outbox;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.NotFound;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import reactor.core.publisher.Mono;

/**
 * Moves entities to another partition or table, which no entity group transaction can do: for
 * example when an employee changes department or is archived. Immutable and thread-safe.
 *
 * <h2>Steps of a move</h2>
 *
 * <ol>
 *   <li>The client announces the move and marks the entity with its new key. From then on the
 *       entity is frozen: {@link AsyncPrimaryTable#change} rejects changes with {@link
 *       MovingFailure}, so that no change is lost during the move.
 *   <li>A worker inserts the entity under the new key, with the name of this move: the old key and
 *       the version it had. A worker that finds this name there knows that the entity has arrived,
 *       whatever happened to it since.
 *   <li>The worker writes a tombstone at the old key.
 *   <li>The worker updates the targets of both tables and deletes the message.
 * </ol>
 *
 * <p>Between steps 2 and 3 readers see the entity under both keys. It is always visible under at
 * least one of them. If somebody inserts another entity at the new key before the worker does, the
 * message goes to the poison queue and the entity stays frozen at its old key. Once the new key is
 * free, sending the message back finishes the move.
 *
 * <p>If the codecs of the tables encrypt, the codec of the old table decrypts the entity and the
 * codec of the new table encrypts it again.
 *
 * @param <T> the type of the values
 */
public final class AsyncMove<T> {
  private final String kind;
  private final AsyncPrimaryTable<T> from;
  private final AsyncPrimaryTable<T> to;
  private final BiFunction<T, EntityKey, T> relocate;

  private AsyncMove(
      String kind,
      AsyncPrimaryTable<T> from,
      AsyncPrimaryTable<T> to,
      BiFunction<T, EntityKey, T> relocate) {
    this.kind = kind;
    this.from = from;
    this.to = to;
    this.relocate = relocate;
  }

  /**
   * Creates a move from one table to another, or within one.
   *
   * @param kind the kind of the messages, which go through the outbox of {@code from}
   * @param relocate returns the value with the given new key
   */
  public static <T> AsyncMove<T> of(
      String kind,
      AsyncPrimaryTable<T> from,
      AsyncPrimaryTable<T> to,
      BiFunction<T, EntityKey, T> relocate) {
    return new AsyncMove<>(kind, from, to, relocate);
  }

  /** Creates a move from a table to an archive table, in which entities keep their keys. */
  public static <T> AsyncMove<T> archiving(
      String kind, AsyncPrimaryTable<T> current, AsyncPrimaryTable<T> archive) {
    return of(kind, current, archive, (value, key) -> value);
  }

  /** Returns this move with blocking calls. */
  public Move<T> blocking() {
    return new Move<>(this);
  }

  /** Returns the kind of this move's messages. */
  public String kind() {
    return kind;
  }

  /**
   * Decides a move, which a worker then executes: five requests. Deciding the same move again
   * changes nothing.
   *
   * @return completes when the move is decided; fails with {@link NotFound} if there is no such
   *     entity, {@link AlreadyExists} if there is an entity at the new key, or {@link
   *     MovingFailure} if the entity is already moving to another key
   */
  public Mono<Void> move(EntityKey oldKey, EntityKey newKey) {
    if (oldKey.equals(newKey) && from.isSameTableAs(to)) {
      return Mono.error(new IllegalArgumentException("the entity already has this key: " + newKey));
    }
    return from.rows()
        .find(oldKey)
        .flatMap(
            row ->
                row.filter(found -> isMovingTo(newKey, found)).isPresent()
                    ? from.outbox().send(message(oldKey))
                    : decide(row, oldKey, newKey));
  }

  /** Moves an entity to the other table, under the same key. */
  public Mono<Void> move(EntityKey key) {
    return move(key, key);
  }

  private Mono<Void> decide(Optional<Row> row, EntityKey oldKey, EntityKey newKey) {
    Row live = requireMovable(row, oldKey);
    return requireFree(newKey)
        .then(Mono.defer(() -> from.outbox().around(message(oldKey), marking(live, newKey))))
        .then();
  }

  private static Row requireMovable(Optional<Row> row, EntityKey key) {
    Row live = row.filter(found -> !found.deleted()).orElseThrow(() -> new NotFound(key, null));
    if (live.moving()) {
      throw new MovingFailure(key);
    }
    return live;
  }

  private Mono<Void> requireFree(EntityKey key) {
    return to.find(key).flatMap(there -> Mono.error(new AlreadyExists(key, null)));
  }

  private Mono<Boolean> marking(Row first, EntityKey newKey) {
    EntityKey key = first.key();
    String change = UUID.randomUUID().toString();
    return mark(first, newKey, change)
        .switchIfEmpty(
            Swaps.until(
                key, from.rows().find(key).flatMap(row -> markAgain(row, key, newKey, change))));
  }

  private Mono<Boolean> markAgain(
      Optional<Row> row, EntityKey key, EntityKey newKey, String change) {
    return row.filter(now -> now.changedBy(change) || isMovingTo(newKey, now)).isPresent()
        ? Mono.just(true)
        : mark(requireMovable(row, key), newKey, change);
  }

  /**
   * Marks the entity with its new key. The result is empty if the entity has changed since it was
   * read.
   */
  private Mono<Boolean> mark(Row row, EntityKey newKey, String change) {
    TableEntity marks =
        new TableEntity(row.key().partitionKey(), row.key().rowKey())
            .addProperty(Row.MOVE_TO, Parts.join(newKey.partitionKey(), newKey.rowKey()))
            .addProperty(Row.VERSION, from.versionAfter(Optional.of(row)))
            .addProperty(Row.CHANGE, change);
    return from.rows().merge(row, marks).filter(done -> done);
  }

  private OutboxMessage message(EntityKey key) {
    return new OutboxMessage(kind, key);
  }

  private static boolean isMovingTo(EntityKey newKey, Row row) {
    return destination(row).filter(newKey::equals).isPresent();
  }

  private static Optional<EntityKey> destination(Row row) {
    return row.text(Row.MOVE_TO)
        .map(Parts::split)
        .map((List<String> keys) -> new EntityKey(keys.get(0), keys.get(1)));
  }

  /**
   * Returns the step with which a worker handles a message of this move: four requests, and those
   * of the targets.
   */
  public IdempotentStep step() {
    return message -> Swaps.until(message.key(), carry(message.key())).then();
  }

  /**
   * Executes the move. The result is empty if the entity at the old key has changed since it was
   * read.
   */
  private Mono<Boolean> carry(EntityKey oldKey) {
    return from.rows()
        .find(oldKey)
        .flatMap(
            row ->
                row.flatMap(AsyncMove::destination)
                    .map(newKey -> carry(row.orElseThrow(), newKey))
                    .orElseGet(() -> Mono.just(true)));
  }

  private Mono<Boolean> carry(Row row, EntityKey newKey) {
    Mono<Boolean> moved =
        row.moving()
            ? Swaps.until(newKey, arrive(row, newKey)).then(Mono.defer(() -> leave(row)))
            : Mono.just(true);
    return moved.flatMap(
        done ->
            copies(to, newKey, false)
                .then(Mono.defer(() -> copies(from, row.key(), !row.copies().isEmpty())))
                .thenReturn(true));
  }

  private static <T> Mono<Void> copies(AsyncPrimaryTable<T> table, EntityKey key, boolean listed) {
    return listed || table.hasTargets() ? table.copy(key) : Mono.empty();
  }

  /**
   * Writes the entity at the new key. The result is empty if the row at that key has changed since
   * it was read.
   */
  private Mono<Boolean> arrive(Row row, EntityKey newKey) {
    String move =
        Parts.join(row.key().partitionKey(), row.key().rowKey(), Long.toString(row.version()));
    return to.rows().find(newKey).flatMap(found -> arrive(row, newKey, move, found));
  }

  private Mono<Boolean> arrive(Row row, EntityKey newKey, String move, Optional<Row> found) {
    if (found.flatMap(there -> there.text(Row.MOVED_FROM)).filter(move::equals).isPresent()) {
      return Mono.just(true);
    }
    if (found.isEmpty()) {
      return insert(row, newKey, move, found);
    }
    return found.get().deleted()
        ? insertOverTombstone(row, newKey, move, found)
        : Mono.error(new KeyTaken(kind, newKey, found.get(), row.key()));
  }

  /**
   * Replaces a tombstone at the new key. The old key is read again first: if the move has finished
   * by now, the tombstone may belong to the moved entity, which somebody then deleted.
   */
  private Mono<Boolean> insertOverTombstone(
      Row row, EntityKey newKey, String move, Optional<Row> tombstone) {
    return from.rows()
        .find(row.key())
        .flatMap(
            now ->
                now.filter(same -> same.moving() && same.version() == row.version()).isPresent()
                    ? insert(row, newKey, move, tombstone)
                    : Mono.just(true));
  }

  private Mono<Boolean> insert(Row row, EntityKey newKey, String move, Optional<Row> found) {
    long version = Math.max(to.versionAfter(found), row.version() + 1);
    return from.primary(row)
        .map(primary -> relocate.apply(primary.value().orElseThrow(), newKey))
        .flatMap(value -> to.next(newKey, found, Optional.of(value)))
        .map(next -> next.addProperty(Row.VERSION, version).addProperty(Row.MOVED_FROM, move))
        .flatMap(arrived -> to.rows().swap(found, arrived))
        .filter(done -> done);
  }

  /**
   * Writes the tombstone at the old key. The result is empty if somebody, for example another
   * worker, has changed the entity since it was read.
   */
  private Mono<Boolean> leave(Row row) {
    return from.next(row.key(), Optional.of(row), Optional.empty())
        .map(tombstone -> tombstone.addProperty(Row.MOVE_TO, row.text(Row.MOVE_TO).orElseThrow()))
        .flatMap(tombstone -> from.rows().swap(Optional.of(row), tombstone))
        .filter(done -> done);
  }
}
