package io.lazuli.client.pattern.relation;

import static com.azure.data.tables.models.TableTransactionActionType.CREATE;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.EntityGroup;
import java.util.Optional;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Entities in a one-to-one relation, such as an employee and the employee's contract. Either a
 * convention connects their keys, or the first stores the key of the second. Immutable and
 * thread-safe.
 *
 * <p>Pairs can be found in any partitions. They can be inserted and deleted only if both entities
 * are in one partition of one table: one transaction writes both, so no reader sees one without the
 * other.
 *
 * @param <A> the type of the first entity, whose key identifies a pair
 * @param <B> the type of the second entity
 */
public final class AsyncOneToOne<A, B> {
  private final AsyncTable<A> firsts;
  private final AsyncTable<B> seconds;
  private final Function<A, Optional<EntityKey>> link;

  /**
   * Two entities of a relation.
   *
   * @param second the second entity; empty if there is none
   */
  public record Pair<A, B>(A first, Optional<B> second) {}

  private AsyncOneToOne(
      AsyncTable<A> firsts, AsyncTable<B> seconds, Function<A, Optional<EntityKey>> link) {
    this.firsts = firsts;
    this.seconds = seconds;
    this.link = link;
  }

  /**
   * Creates a relation by key convention.
   *
   * @param secondKey returns the key of the second entity for the key of the first
   */
  public static <A, B> AsyncOneToOne<A, B> byKey(
      AsyncTable<A> firsts, AsyncTable<B> seconds, Function<EntityKey, EntityKey> secondKey) {
    return new AsyncOneToOne<>(
        firsts, seconds, first -> Optional.of(secondKey.apply(firsts.codec().key(first))));
  }

  /**
   * Creates a relation by a link that is stored in the first entity.
   *
   * @param link returns the key of the second entity; empty if there is none
   */
  public static <A, B> AsyncOneToOne<A, B> byLink(
      AsyncTable<A> firsts, AsyncTable<B> seconds, Function<A, Optional<EntityKey>> link) {
    return new AsyncOneToOne<>(firsts, seconds, link);
  }

  /** Returns this relation with blocking calls. */
  public OneToOne<A, B> blocking() {
    return new OneToOne<>(this);
  }

  /** Returns the pair whose first entity has this key; empty if it does not exist. Two requests. */
  public Mono<Pair<A, B>> find(EntityKey firstKey) {
    return firsts
        .find(firstKey)
        .flatMap(
            first ->
                Mono.justOrEmpty(link.apply(first))
                    .flatMap(seconds::find)
                    .map(Optional::of)
                    .defaultIfEmpty(Optional.empty())
                    .map(second -> new Pair<>(first, second)));
  }

  /**
   * Inserts both entities or neither: one request.
   *
   * @return completes when both are stored; fails with {@link AlreadyExists} if either entity
   *     exists, or with {@link IllegalArgumentException} if the first does not refer to the second
   *     or the two are not in one partition
   */
  public Mono<Void> insert(A first, B second) {
    EntityKey firstKey = firsts.codec().key(first);
    EntityKey secondKey = seconds.codec().key(second);
    if (!link.apply(first).filter(secondKey::equals).isPresent()) {
      return Mono.error(new IllegalArgumentException(firstKey + " does not refer to " + secondKey));
    }
    return EntityGroup.transact(
        firsts,
        firstKey.partitionKey(),
        group -> {
          checkTogether(firstKey, secondKey);
          return firsts
              .codec()
              .encode(first, CREATE)
              .doOnNext(group::insert)
              .then(seconds.codec().encode(second, CREATE))
              .doOnNext(group::insert)
              .then();
        });
  }

  /**
   * Deletes both entities or neither: three requests.
   *
   * @return whether the first entity existed; the error {@link IllegalArgumentException} if the two
   *     are not in one partition
   */
  public Mono<Boolean> deleteIfExists(EntityKey firstKey) {
    return EntityGroup.transact(
        firsts,
        firstKey.partitionKey(),
        group ->
            group
                .find(firstKey.rowKey())
                .flatMap(stored -> deleteBoth(stored, group))
                .defaultIfEmpty(false));
  }

  private Mono<Boolean> deleteBoth(TableEntity stored, EntityGroup group) {
    group.delete(stored.getRowKey());
    return firsts
        .codec()
        .decode(stored)
        .flatMap(first -> Mono.justOrEmpty(link.apply(first)))
        .doOnNext(second -> checkTogether(EntityKey.of(stored), second))
        .flatMap(second -> group.find(second.rowKey()))
        .doOnNext(second -> group.delete(second.getRowKey()))
        .thenReturn(true);
  }

  private void checkTogether(EntityKey first, EntityKey second) {
    if (!first.partitionKey().equals(second.partitionKey())
        || !firsts.endpoint().equals(seconds.endpoint())) {
      throw new IllegalArgumentException(
          "no transaction can write both "
              + first
              + " and "
              + second
              + "; make the first a primary of an outbox, and the second its target");
    }
  }
}
