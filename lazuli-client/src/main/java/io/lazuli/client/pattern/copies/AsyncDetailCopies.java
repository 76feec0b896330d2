package io.lazuli.client.pattern.copies;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.EntityGroup;
import io.lazuli.client.table.NotFound;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Details of one entity that are also stored in other entities of its partition: for example
 * details of the manager in the department. Immutable and thread-safe.
 *
 * <pre>{@code
 * var managers = AsyncDetailCopies.of(client, employees, departments,
 *     employee -> Set.of("department"),              // where details of an employee may be
 *     Department::managerId,                         // the row key of its manager
 *     (department, manager) -> department.managedBy(manager));
 * managers.assign(department, manager);
 * managers.updateOriginal(manager, employee -> employee.withEmail("jun@contoso.com"));
 * }</pre>
 *
 * <p>One transaction writes the original and all entities that hold its details, each on the
 * condition that it has not changed since it was read. So the details never disagree, as long as
 * both kinds of entities are changed and deleted through this type. Insert originals, and holders
 * without details, through their tables.
 *
 * <p>As with every update, properties that a type does not have are dropped.
 *
 * @param <O> the type of the originals
 * @param <H> the type of the entities that hold details of originals
 */
public final class AsyncDetailCopies<O, H> {
  private final AsyncTable<TableEntity> table;
  private final EntityCodec<O> originals;
  private final EntityCodec<H> holders;
  private final Function<O, Set<String>> holderRows;
  private final Function<H, Optional<String>> originalRow;
  private final BiFunction<H, Optional<O>, H> embed;

  private AsyncDetailCopies(
      TableAsyncClient client,
      EntityCodec<O> originals,
      EntityCodec<H> holders,
      Function<O, Set<String>> holderRows,
      Function<H, Optional<String>> originalRow,
      BiFunction<H, Optional<O>, H> embed) {
    originals.checkWritable();
    holders.checkWritable();
    this.table = AsyncTable.of(client, EntityCodec.dynamic());
    this.originals = originals;
    this.holders = holders;
    this.holderRows = holderRows;
    this.originalRow = originalRow;
    this.embed = embed;
  }

  /**
   * Creates copies of details within one table.
   *
   * @param holderRows returns the row keys of all entities that may hold details of an original;
   *     the result for an original must never change
   * @param originalRow returns the row key of the original whose details a holder has; empty if
   *     none
   * @param embed returns the holder with the details of an original, or without details. It sets
   *     the value that {@code originalRow} reads
   */
  public static <O, H> AsyncDetailCopies<O, H> of(
      TableAsyncClient client,
      EntityCodec<O> originals,
      EntityCodec<H> holders,
      Function<O, Set<String>> holderRows,
      Function<H, Optional<String>> originalRow,
      BiFunction<H, Optional<O>, H> embed) {
    return new AsyncDetailCopies<>(client, originals, holders, holderRows, originalRow, embed);
  }

  /** Returns these copies with blocking calls. */
  public DetailCopies<O, H> blocking() {
    return new DetailCopies<>(this);
  }

  /** Returns a holder with its details: one request. */
  public Mono<H> holder(EntityKey key) {
    return table.as(holders).find(key);
  }

  /** Returns an original: one request. */
  public Mono<O> original(EntityKey key) {
    return table.as(originals).find(key);
  }

  /**
   * Copies the details of an original to a holder and replaces any other details there: three
   * requests. Both entities are written, so that no change of the original can happen in between.
   *
   * @return the holder as it was written; the error {@link NotFound} if the holder or the original
   *     does not exist
   */
  public Mono<H> assign(EntityKey holder, String originalRowKey) {
    return EntityGroup.transact(
        table,
        holder.partitionKey(),
        group ->
            Mono.zip(
                    group.existing(originalRowKey).doOnNext(group::put).flatMap(originals::decode),
                    group.existing(holder.rowKey()).flatMap(holders::decode))
                .flatMap(both -> assigned(both.getT1(), both.getT2(), holder, group)));
  }

  private Mono<H> assigned(O original, H held, EntityKey holder, EntityGroup group) {
    return holderRows.apply(original).contains(holder.rowKey())
        ? put(embed.apply(held, Optional.of(original)), holder, group)
        : Mono.error(
            new IllegalArgumentException(
                holder + " must not hold details of " + originals.key(original).rowKey()));
  }

  /**
   * Removes the details from a holder: two requests.
   *
   * @return the holder as it was written; the error {@link NotFound} if the holder does not exist
   */
  public Mono<H> clear(EntityKey holder) {
    return EntityGroup.transact(
        table,
        holder.partitionKey(),
        group ->
            group
                .existing(holder.rowKey())
                .flatMap(holders::decode)
                .flatMap(held -> put(embed.apply(held, Optional.empty()), holder, group)));
  }

  /**
   * Changes an original and all copies of its details: two requests, and one for each entity that
   * may hold them; more if other writers were faster.
   *
   * @param change may be called several times; it must not change the key
   * @return the original as it was written; the error {@link NotFound} if the original does not
   *     exist
   */
  public Mono<O> updateOriginal(EntityKey key, UnaryOperator<O> change) {
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            group
                .existing(key.rowKey())
                .flatMap(originals::decode)
                .flatMap(
                    old -> {
                      O next = change.apply(old);
                      key.checkKept(originals.key(next));
                      checkSameHolders(old, next);
                      return group
                          .update(originals, next)
                          .then(embed(old, key, Optional.of(next), group))
                          .thenReturn(next);
                    }));
  }

  private void checkSameHolders(O old, O next) {
    if (!holderRows.apply(old).equals(holderRows.apply(next))) {
      throw new IllegalArgumentException(
          "a change must not change which entities may hold the details");
    }
  }

  /**
   * Deletes an original and all copies of its details: two requests, and one for each entity that
   * may hold them.
   *
   * @return whether the original existed
   */
  public Mono<Boolean> deleteOriginalIfExists(EntityKey key) {
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            group
                .find(key.rowKey())
                .doOnNext(stored -> group.delete(key.rowKey()))
                .flatMap(originals::decode)
                .flatMap(old -> embed(old, key, Optional.empty(), group).thenReturn(true))
                .defaultIfEmpty(false));
  }

  /** Reads all possible holders and writes those that hold details of the original. */
  private Mono<Void> embed(O old, EntityKey key, Optional<O> next, EntityGroup group) {
    return Flux.fromIterable(List.copyOf(holderRows.apply(old)))
        .flatMap(group::find)
        .flatMap(holders::decode)
        .filter(holder -> holds(holder, key.rowKey()))
        .flatMap(holder -> put(embed.apply(holder, next), holders.key(holder), group))
        .then();
  }

  private boolean holds(H holder, String originalRowKey) {
    return originalRow.apply(holder).filter(originalRowKey::equals).isPresent();
  }

  /**
   * Changes a holder and copies the details again: three requests, or two if the holder has no
   * details.
   *
   * @param change may be called several times; it must change neither the key nor the original
   * @return the holder as it was written; the error {@link NotFound} if the holder does not exist
   */
  public Mono<H> updateHolder(EntityKey key, UnaryOperator<H> change) {
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            group
                .existing(key.rowKey())
                .flatMap(holders::decode)
                .flatMap(
                    old -> {
                      H next = change.apply(old);
                      checkSameOriginal(old, next);
                      return originalOf(next, group)
                          .flatMap(original -> put(embed.apply(next, original), key, group));
                    }));
  }

  private void checkSameOriginal(H old, H next) {
    if (!originalRow.apply(old).equals(originalRow.apply(next))) {
      throw new IllegalArgumentException(
          "a change must not change the original; use assign or clear");
    }
  }

  private Mono<Optional<O>> originalOf(H holder, EntityGroup group) {
    return originalRow
        .apply(holder)
        .map(row -> group.require(row).flatMap(originals::decode).map(Optional::of))
        .orElseGet(() -> Mono.just(Optional.empty()));
  }

  /** Deletes a holder: one request. Returns whether it existed. */
  public Mono<Boolean> deleteHolderIfExists(EntityKey key) {
    return table.deleteIfExists(key);
  }

  private Mono<H> put(H next, EntityKey key, EntityGroup group) {
    key.checkKept(holders.key(next));
    return group.update(holders, next);
  }
}
