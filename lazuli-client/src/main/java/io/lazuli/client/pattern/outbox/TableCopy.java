package io.lazuli.client.pattern.outbox;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Filter;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Copies of a primary table's entities in a table: the same table under other keys, another table,
 * or a table of another account. Immutable and thread-safe.
 *
 * <h2>How a copy is written</h2>
 *
 * <p>A copy stores the key and the version of its primary. It is read, and then written on the
 * condition that it has not changed since:
 *
 * <ul>
 *   <li>No entity at its key: the copy is inserted.
 *   <li>A copy or tombstone of the same primary: replaced if its version is older.
 *   <li>A tombstone of another primary: replaced after our own primary has been read again. A
 *       tombstone of our primary would have stopped us, but the other primary may have replaced it.
 *   <li>A copy of another primary: replaced if the copy of that primary now has another key.
 *       Otherwise two primaries need the same key, and the step fails with {@link KeyTaken}.
 *   <li>Any other entity: it is not a copy, and the step fails too.
 * </ul>
 *
 * <p>If the copy of a primary gets another key, a tombstone stays at the old key, unless another
 * primary uses it.
 *
 * <p>The primary table's codec writes the copies. If the codec encrypts, each copy is encrypted
 * separately and has its own content key. The encrypted values are bound to the table and the key
 * of the primary, which the copy stores. The keys of copies are not encrypted, whatever they
 * contain.
 */
final class TableCopy<T> implements Target<T> {
  private static final Filter COPIES = Filter.property(AsyncPrimaryTable.HIDDEN).eq(Row.COPY);

  private final AsyncPrimaryTable<T> source;
  private final String name;
  private final Rows rows;
  private final Function<T, Optional<EntityKey>> where;

  /**
   * Creates a target for copies of the values of {@code source}.
   *
   * @param where returns the key of a value's copy, which must be unique; empty for no copy
   */
  TableCopy(
      AsyncPrimaryTable<T> source, String name, Rows rows, Function<T, Optional<EntityKey>> where) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("an index must have a name");
    }
    this.source = source;
    this.name = name;
    this.rows = rows;
    this.where = where;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Set<EntityKey> copyKeys(T value) {
    return where.apply(value).map(Set::of).orElse(Set.of());
  }

  /** Sends two requests, or one if the copy is up to date. */
  @Override
  public Mono<Void> update(Primary<T> primary) {
    return Mono.justOrEmpty(primary.value().flatMap(where))
        .flatMap(copyKey -> Swaps.until(copyKey, update(copyKey, primary)))
        .then();
  }

  /** Sends two requests, or one if there is no copy at this key. */
  @Override
  public Mono<Void> removeCopy(EntityKey copyKey, Primary<T> primary) {
    return Swaps.until(
            copyKey, rows.find(copyKey).flatMap(found -> removeCopy(copyKey, primary, found)))
        .then();
  }

  private Mono<Boolean> update(EntityKey copyKey, Primary<T> primary) {
    return rows.find(copyKey)
        .flatMap(
            found -> {
              if (isFor(primary, found)) {
                return isCurrent(primary, found, false)
                    ? Mono.just(true)
                    : write(copyKey, primary, found);
              }
              return found.isEmpty()
                  ? write(copyKey, primary, found)
                  : takeOver(copyKey, primary, found.get());
            });
  }

  private Mono<Boolean> removeCopy(EntityKey copyKey, Primary<T> primary, Optional<Row> found) {
    boolean current =
        isFor(primary, found)
            ? isCurrent(primary, found, true)
            : found.filter(row -> !row.isCopy() || !row.deleted()).isPresent();
    TableEntity tombstone = Row.tombstone(copyKey, source.clock().instant());
    return current
        ? Mono.just(true)
        : rows.swap(found, marked(tombstone, primary)).filter(done -> done);
  }

  /**
   * Replaces the copy or tombstone of another primary. If our primary has changed since it was
   * read, this version no longer needs the key.
   */
  private Mono<Boolean> takeOver(EntityKey copyKey, Primary<T> primary, Row other) {
    return source
        .read(primary.key())
        .filter(now -> now.version() == primary.version())
        .hasElement()
        .flatMap(current -> current ? replace(copyKey, primary, other) : Mono.just(true));
  }

  private Mono<Boolean> replace(EntityKey copyKey, Primary<T> primary, Row other) {
    boolean vacant = other.isCopy() && other.deleted();
    return (vacant ? Mono.just(false) : stillUses(copyKey, other))
        .flatMap(
            taken ->
                taken
                    ? Mono.error(new KeyTaken(name, copyKey, other, primary.key()))
                    : write(copyKey, primary, Optional.of(other)));
  }

  /**
   * Returns whether the other entity may keep the key. An entity that is not a copy, such as a
   * primary in the same table, always may.
   */
  private Mono<Boolean> stillUses(EntityKey copyKey, Row other) {
    if (!other.isCopy()) {
      return Mono.just(true);
    }
    return source
        .read(other.primary())
        .map(holder -> holder.value().flatMap(where).filter(copyKey::equals).isPresent())
        .defaultIfEmpty(false);
  }

  /**
   * Writes the copy. The result is empty if the entity at its key has changed since it was read.
   */
  private Mono<Boolean> write(EntityKey copyKey, Primary<T> primary, Optional<Row> found) {
    return source
        .codec()
        .encode(primary.value().orElseThrow(), TableTransactionActionType.UPSERT_REPLACE)
        .map(written -> Row.of(copyKey, written).addProperty(AsyncPrimaryTable.HIDDEN, Row.COPY))
        .map(copy -> marked(copy, primary))
        .flatMap(copy -> rows.swap(found, copy))
        .filter(done -> done);
  }

  private TableEntity marked(TableEntity copy, Primary<T> primary) {
    return copy.addProperty(Row.VERSION, primary.version())
        .addProperty(Row.PRIMARY_PARTITION, primary.key().partitionKey())
        .addProperty(Row.PRIMARY_ROW, primary.key().rowKey());
  }

  private boolean isFor(Primary<T> primary, Optional<Row> found) {
    return found.filter(row -> row.isCopy() && row.primary().equals(primary.key())).isPresent();
  }

  /**
   * Returns whether the row has a newer version, or this version and this state. With the same
   * version the state differs only if the key function was changed.
   */
  private boolean isCurrent(Primary<T> primary, Optional<Row> found, boolean deleted) {
    return found
        .filter(
            row ->
                row.version() > primary.version()
                    || (row.version() == primary.version() && row.deleted() == deleted))
        .isPresent();
  }

  /** Returns the value whose copy has this key. One request. */
  Mono<T> find(EntityKey copyKey) {
    return rows.find(copyKey)
        .flatMap(row -> Mono.justOrEmpty(row.filter(found -> found.isCopy() && !found.deleted())))
        .flatMap(row -> source.codec().decode(row.plain()));
  }

  /** Returns a query restricted to copies. */
  Query copies(Query query) {
    query.checkFor(source.codec());
    return query.and(COPIES);
  }

  /** Returns the copies as a table of values, which also has other rows. */
  AsyncTable<T> values() {
    return rows.table().with(new RowCodec<>(source.codec()));
  }

  /**
   * Removes the tombstones of copies that were removed at least this long ago; see {@link
   * AsyncPrimaryTable#sweep}.
   *
   * @return the number of removed tombstones
   */
  Mono<Long> sweep(Duration age) {
    return Mono.defer(() -> rows.sweep(source.clock().instant().minus(age), Row::isCopy));
  }
}
