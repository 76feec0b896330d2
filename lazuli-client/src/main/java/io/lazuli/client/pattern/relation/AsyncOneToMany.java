package io.lazuli.client.pattern.relation;

import static com.azure.data.tables.models.TableTransactionActionType.CREATE;
import static com.azure.data.tables.models.TableTransactionActionType.UPDATE_REPLACE;

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
 * Parents and their children in one partition, with the number of children in the parent: a
 * department and its employees. Immutable and thread-safe.
 *
 * <pre>{@code
 * var staff = AsyncOneToMany.of(client, departments, employees, "EmployeeCount",
 *     "empid_", employee -> "department");
 * staff.insertParent(department);
 * staff.insertChild(employee);                      // the employee and the count, or neither
 * staff.count(department.key());
 * }</pre>
 *
 * <p>A child and the count of its parent are written by one transaction, on the condition that the
 * parent has not changed since it was read. So the count never disagrees with the children, no
 * child is without a parent, and no parent with children is deleted, as long as both kinds of
 * entities are written through this type. The parent is thereby written at every insertion and
 * deletion of a child: a partition takes few hundreds of these in a second at best.
 *
 * @param <P> the parents
 * @param <C> the children
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
    this.table = AsyncTable.of(client, EntityCodec.dynamic());
    this.parents = parents;
    this.children = children;
    this.count = count;
    this.childPrefix = childPrefix;
    this.parentRow = parentRow;
  }

  /**
   * Parents and children in one table.
   *
   * @param countProperty the {@code Int64} property of the parent that has the count, by its name
   *     in the table. The parents' type may have it as a {@code long}; what it has there when it is
   *     written does not matter
   * @param childPrefix what the row keys of children begin with, and no others
   * @param parentRow the row key of a child's parent, which is in the same partition
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

  /** The same; calls wait. */
  public OneToMany<P, C> blocking() {
    return new OneToMany<>(this);
  }

  /** The parent of this key: one request. */
  public Mono<P> parent(EntityKey key) {
    return table.as(parents).find(key);
  }

  /** The child of this key: one request. */
  public Mono<C> child(EntityKey key) {
    return table.as(children).find(key);
  }

  /** How many children a parent has; empty if there is no parent. One request. */
  public Mono<Long> count(EntityKey parent) {
    return table.find(parent).map(this::counted);
  }

  /** The children of a parent, in the order of their keys: a range query. */
  public Flux<C> children(EntityKey parent) {
    return table
        .as(children)
        .query(Query.prefix(parent.partitionKey(), childPrefix))
        .filter(child -> parentRow.apply(child).equals(parent.rowKey()));
  }

  /**
   * Inserts a parent without children: one request.
   *
   * @return when it is done; {@link AlreadyExists} if there is one of its key
   */
  public Mono<Void> insertParent(P parent) {
    return Mono.defer(() -> parents.encode(parent, CREATE))
        .flatMap(written -> table.insert(counting(written, 0)))
        .then();
  }

  /**
   * Changes a parent, but not its count: two requests, and two more for each time that others came
   * first.
   *
   * @param change may be called several times; it keeps the key
   * @return the parent as it was written; {@link NotFound} if there is none
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
        .flatMap(next -> parents.encode(next, UPDATE_REPLACE))
        .map(written -> counting(written, counted(stored)));
  }

  /**
   * Deletes a parent that has no children: two requests.
   *
   * @return whether it was there; {@link HasChildren} if it has some
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
   * Inserts a child, which its parent then counts: two requests, and two more for each time that
   * others came first.
   *
   * @return when it is done; {@link NotFound} if there is no parent, {@link AlreadyExists} if there
   *     is a child of its key
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
   * Deletes a child, which its parent then no longer counts: three requests.
   *
   * @return whether it was there
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
   * Changes a child: two requests. If it thereby gets another parent in the partition, both parents
   * are written with it: four requests.
   *
   * @param change may be called several times; it keeps the key
   * @return the child as it was written; {@link NotFound} if there is no child, or no such parent
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
                      return children
                          .encode(next, UPDATE_REPLACE)
                          .doOnNext(group::put)
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

  /** The parent's other properties stay as they are stored, also those that its type lacks. */
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
      throw new IllegalArgumentException("a child's row key begins with " + childPrefix);
    }
  }
}
