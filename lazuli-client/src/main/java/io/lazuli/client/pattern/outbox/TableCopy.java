package io.lazuli.client.pattern.outbox;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Copies of a primary table's entities in a table: the same one under other keys, another one, or
 * one of another account. Immutable and thread-safe.
 *
 * <h2>How a copy is written</h2>
 *
 * <p>A copy carries the key and the version of its primary. It is read, and written on the
 * condition that it did not change since:
 *
 * <ul>
 *   <li>Nothing there: it is inserted.
 *   <li>A copy or marker of the same primary: replaced if its version is older.
 *   <li>A marker of another primary: replaced, after a second look at our own primary, for the
 *       marker that would have stopped us may be gone.
 *   <li>A copy of another primary: replaced if that one leads elsewhere by now; if it does not, two
 *       primaries claim one place, and the step fails with {@link PlaceTaken}.
 *   <li>Anything else: that is not ours, and the step fails too.
 * </ul>
 *
 * <p>A place that a primary has left gets a marker, unless another primary has taken it.
 *
 * <p>A copy is written by the primary table's codec: if that encrypts, each copy is encrypted anew,
 * with a content key of its own, bound to the table and the key of the primary, which the copy
 * carries. The places of copies are not encrypted, whatever they are made of.
 */
public final class TableCopy<T> implements Target<T> {
  private final AsyncPrimaryTable<T> source;
  private final String name;
  private final Rows rows;
  private final Function<T, Optional<EntityKey>> where;

  private TableCopy(
      AsyncPrimaryTable<T> source, String name, Rows rows, Function<T, Optional<EntityKey>> where) {
    this.source = source;
    this.name = name;
    this.rows = rows;
    this.where = where;
  }

  /**
   * Copies of the values of {@code source}, which are kept once {@link AsyncPrimaryTable#copiedTo}
   * knows of them.
   *
   * @param name unlike that of any other target of the source, and never changed
   * @param where the place of a value's copy, unlike that of any other value; empty for no copy
   */
  public static <T> TableCopy<T> of(
      AsyncPrimaryTable<T> source,
      String name,
      TableAsyncClient table,
      Function<T, Optional<EntityKey>> where) {
    return new TableCopy<>(source, name, Rows.of(table), where);
  }

  /** Copies of all values, each under the key of its primary. */
  public static <T> TableCopy<T> sameKeys(
      AsyncPrimaryTable<T> source, String name, TableAsyncClient table) {
    return of(source, name, table, value -> Optional.of(source.codec().key(value)));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Set<EntityKey> places(T value) {
    return where.apply(value).map(Set::of).orElse(Set.of());
  }

  /** Two requests; one if the copy is up to date. */
  @Override
  public Mono<Void> bring(Primary<T> primary) {
    return Mono.justOrEmpty(primary.value().flatMap(where))
        .flatMap(place -> Swaps.until(place, bring(place, primary)))
        .then();
  }

  /** Two requests; one if it is vacant. */
  @Override
  public Mono<Void> vacate(EntityKey place, Primary<T> primary) {
    return Swaps.until(place, rows.find(place).flatMap(found -> vacate(place, primary, found)))
        .then();
  }

  private Mono<Boolean> bring(EntityKey place, Primary<T> primary) {
    return rows.find(place)
        .flatMap(
            found -> {
              if (isFor(primary, found)) {
                return isCurrent(primary, found) ? Mono.just(true) : write(place, primary, found);
              }
              return found.isEmpty()
                  ? write(place, primary, found)
                  : takeOver(place, primary, found.get());
            });
  }

  private Mono<Boolean> vacate(EntityKey place, Primary<T> primary, Optional<Row> found) {
    boolean current =
        isFor(primary, found)
            ? isCurrent(primary, found)
            : found.filter(row -> !row.isCopy() || !row.deleted()).isPresent();
    TableEntity marker = Row.marker(place, source.clock().instant());
    return current
        ? Mono.just(true)
        : rows.swap(found, marked(marker, primary)).filter(done -> done);
  }

  /** If our primary changed since it was read, this version of it has no place any more. */
  private Mono<Boolean> takeOver(EntityKey place, Primary<T> primary, Row other) {
    return source
        .read(primary.key())
        .filter(now -> now.version() == primary.version())
        .hasElement()
        .flatMap(current -> current ? replace(place, primary, other) : Mono.just(true));
  }

  private Mono<Boolean> replace(EntityKey place, Primary<T> primary, Row other) {
    boolean vacant = other.isCopy() && other.deleted();
    return (vacant ? Mono.just(false) : stillLeadsHere(place, other))
        .flatMap(
            taken ->
                taken
                    ? Mono.error(new PlaceTaken(name, place, other, primary.key()))
                    : write(place, primary, Optional.of(other)));
  }

  /** What is no copy at all, as a primary in the same table, holds its place. */
  private Mono<Boolean> stillLeadsHere(EntityKey place, Row other) {
    if (!other.isCopy()) {
      return Mono.just(true);
    }
    return source
        .read(other.primary())
        .map(holder -> holder.value().flatMap(where).filter(place::equals).isPresent())
        .defaultIfEmpty(false);
  }

  /** Empty if the place changed since it was read. */
  private Mono<Boolean> write(EntityKey place, Primary<T> primary, Optional<Row> found) {
    return source
        .codec()
        .encode(primary.value().orElseThrow(), TableTransactionActionType.UPSERT_REPLACE)
        .map(written -> marked(Row.of(place, written), primary))
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

  private boolean isCurrent(Primary<T> primary, Optional<Row> found) {
    return found.filter(row -> row.version() >= primary.version()).isPresent();
  }

  /** The value whose copy is at this place. One request. */
  public Mono<T> find(EntityKey place) {
    return rows.find(place)
        .flatMap(row -> Mono.justOrEmpty(row.filter(found -> found.isCopy() && !found.deleted())))
        .flatMap(row -> source.codec().decode(row.plain(row.primary())));
  }

  /** The values whose copies a query finds, in the order of the copies. */
  public Flux<T> query(Query query) {
    Flux<TableEntity> found =
        rows.query(query, source.codec().alwaysSelected())
            .filter(row -> row.isCopy() && !row.deleted())
            .map(row -> row.plain(row.primary()));
    return source.codec().decode(found, Set.copyOf(query.selected()));
  }

  /**
   * Removes the markers of copies that were removed so long ago; see {@link
   * AsyncPrimaryTable#sweep}.
   *
   * @return how many
   */
  public Mono<Long> sweep(Duration age) {
    return Mono.defer(() -> rows.sweep(source.clock().instant().minus(age), Row::isCopy));
  }
}
