package io.lazuli.client.pattern.relation;

import static com.azure.data.tables.models.TableTransactionActionType.CREATE;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.EntityGroup;
import io.lazuli.client.table.NotFound;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Parents and their children in one partition, with the number of children stored in the parent:
 * for example a department and its employees. Immutable and thread-safe.
 *
 * <pre>{@code
 * var staff = AsyncOneToMany.of(client, departments, employees, "EmployeeCount",
 *     "empid_", employee -> "department");
 * staff.insertParent(department);
 * staff.insertChild(employee);                      // the employee and the count, or neither
 * staff.count(department.key());
 * }</pre>
 *
 * <p>One transaction writes a child and the count of its parent, on the condition that the parent
 * has not changed since it was read. So the count always matches the children, no child is without
 * a parent, and no parent with children is deleted, as long as both kinds of entities are written
 * through this type. Every insertion and deletion of a child therefore writes the parent: a
 * partition can take a few hundred of them per second at best.
 *
 * @param <P> the type of the parents
 * @param <C> the type of the children
 */
public final class AsyncOneToMany<P, C> {
  private final AsyncTable<TableEntity> table;
  private final EntityCodec<P> parents;
  private final EntityCodec<C> children;
  private final String count;
  private final String childPrefix;
  private final Function<C, String> parentRow;

  private AsyncOneToMany(
      TableAsyncClient client,
      EntityCodec<P> parents,
      EntityCodec<C> children,
      String count,
      String childPrefix,
      Function<C, String> parentRow) {
    parents.checkWritable();
    children.checkWritable();
    this.table = AsyncTable.of(client, EntityCodec.dynamic());
    this.parents = parents;
    this.children = children;
    this.count = count;
    this.childPrefix = childPrefix;
    this.parentRow = parentRow;
  }

  /**
   * Creates the relation of parents and children in one table.
   *
   * @param countProperty the name of the {@code Int64} property in which a parent entity stores the
   *     count. The parents' type may map it to a {@code long}, but writes ignore the mapped value
   * @param childPrefix the prefix of the row keys of children; no other row key may have it
   * @param parentRow returns the row key of a child's parent, which is in the same partition
   */
  public static <P, C> AsyncOneToMany<P, C> of(
      TableAsyncClient client,
      EntityCodec<P> parents,
      EntityCodec<C> children,
      String countProperty,
      String childPrefix,
      Function<C, String> parentRow) {
    return new AsyncOneToMany<>(client, parents, children, countProperty, childPrefix, parentRow);
  }

  /** Returns this relation with blocking calls. */
  public OneToMany<P, C> blocking() {
    return new OneToMany<>(this);
  }

  /** Returns the parent with this key: one request. */
  public Mono<P> parent(EntityKey key) {
    return table.as(parents).find(key);
  }

  /** Returns the child with this key: one request. */
  public Mono<C> child(EntityKey key) {
    return table.as(children).find(key);
  }

  /**
   * Returns the number of children of a parent; empty if the parent does not exist. One request.
   */
  public Mono<Long> count(EntityKey parent) {
    return table.find(parent).map(this::counted);
  }

  /** Returns the children of a parent in the order of their keys: a range query. */
  public Flux<C> children(EntityKey parent) {
    return table
        .as(children)
        .query(Query.prefix(parent.partitionKey(), childPrefix))
        .filter(child -> parentRow.apply(child).equals(parent.rowKey()));
  }

  /**
   * Inserts a parent without children: one request.
   *
   * @return completes when the parent is stored; fails with {@link AlreadyExists} if an entity with
   *     its key exists
   */
  public Mono<Void> insertParent(P parent) {
    return Mono.defer(() -> parents.encode(parent, CREATE))
        .flatMap(written -> table.insert(counting(written, 0)))
        .then();
  }

  /**
   * Changes a parent, but not its count: two requests, and two more for each retry after a
   * concurrent change.
   *
   * @param change may be called several times; it must not change the key
   * @return the parent as it was written; the error {@link NotFound} if the parent does not exist
   */
  public Mono<P> updateParent(EntityKey key, UnaryOperator<P> change) {
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            group
                .existing(key.rowKey())
                .flatMap(stored -> changed(key, stored, change))
                .doOnNext(group::put)
                .flatMap(counting -> parents.decode(group.copy(counting, key.rowKey()))));
  }

  private Mono<TableEntity> changed(EntityKey key, TableEntity stored, UnaryOperator<P> change) {
    return parents
        .decode(stored)
        .map(change)
        .doOnNext(next -> key.checkKept(parents.key(next)))
        .flatMap(next -> parents.encodeOver(stored, next))
        .map(written -> counting(written, counted(stored)));
  }

  /**
   * Deletes a parent that has no children: two requests.
   *
   * @return whether the parent existed; the error {@link HasChildren} if it has children
   */
  public Mono<Boolean> deleteParentIfExists(EntityKey key) {
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            group
                .read(key.rowKey())
                .doOnNext(found -> found.ifPresent(stored -> deleteChildless(stored, group)))
                .map(Optional::isPresent));
  }

  private void deleteChildless(TableEntity parent, EntityGroup group) {
    if (counted(parent) > 0) {
      throw new HasChildren(EntityKey.of(parent), counted(parent));
    }
    group.delete(parent.getRowKey());
  }

  /**
   * Inserts a child and increments the count of its parent: two requests, and two more for each
   * retry after a concurrent change.
   *
   * @return completes when the child is stored; fails with {@link NotFound} if the parent does not
   *     exist, or {@link AlreadyExists} if a child with its key exists
   */
  public Mono<Void> insertChild(C child) {
    EntityKey key = children.key(child);
    checkChild(key);
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            group
                .existing(parentRow.apply(child))
                .doOnNext(parent -> add(1, parent, group))
                .then(Mono.defer(() -> children.encode(child, CREATE)))
                .doOnNext(group::insert)
                .then());
  }

  /**
   * Deletes a child and decrements the count of its parent: three requests.
   *
   * @return whether the child existed
   */
  public Mono<Boolean> deleteChildIfExists(EntityKey key) {
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            group
                .find(key.rowKey())
                .flatMap(
                    stored -> {
                      group.delete(key.rowKey());
                      return children.decode(stored);
                    })
                .flatMap(child -> group.require(parentRow.apply(child)))
                .doOnNext(parent -> add(-1, parent, group))
                .hasElement());
  }

  /**
   * Changes a child: two requests. If the change gives the child another parent in the partition,
   * the same transaction writes both parents: four requests.
   *
   * @param change may be called several times; it must not change the key
   * @return the child as it was written; the error {@link NotFound} if the child or the new parent
   *     does not exist
   */
  public Mono<C> updateChild(EntityKey key, UnaryOperator<C> change) {
    return EntityGroup.transact(
        table,
        key.partitionKey(),
        group ->
            group
                .existing(key.rowKey())
                .flatMap(children::decode)
                .flatMap(
                    old -> {
                      C next = change.apply(old);
                      key.checkKept(children.key(next));
                      return group
                          .update(children, next)
                          .then(adopt(parentRow.apply(old), parentRow.apply(next), group))
                          .thenReturn(next);
                    }));
  }

  private Mono<Void> adopt(String oldParent, String newParent, EntityGroup group) {
    return oldParent.equals(newParent)
        ? Mono.empty()
        : group
            .existing(newParent)
            .doOnNext(parent -> add(1, parent, group))
            .then(Mono.defer(() -> group.require(oldParent)))
            .doOnNext(parent -> add(-1, parent, group))
            .then();
  }

  /**
   * Changes the count and keeps the parent's other stored properties, including those that its Java
   * type does not have.
   */
  private void add(long more, TableEntity parent, EntityGroup group) {
    TableEntity copy = group.copy(parent, parent.getRowKey());
    group.put(counting(copy, counted(parent) + more));
  }

  private TableEntity counting(TableEntity parent, long number) {
    return parent.addProperty(count, number);
  }

  private long counted(TableEntity parent) {
    return parent.getProperty(count) instanceof Number number ? number.longValue() : 0;
  }

  private void checkChild(EntityKey key) {
    if (!key.rowKey().startsWith(childPrefix)) {
      throw new IllegalArgumentException("a child's row key must begin with " + childPrefix);
    }
  }
}
