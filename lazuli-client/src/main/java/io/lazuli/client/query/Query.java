package io.lazuli.client.query;

import static io.lazuli.client.query.Filter.partitionKey;
import static io.lazuli.client.query.Filter.rowKey;

import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query: which entities of a table to fetch, which of their properties, and how many. Immutable:
 * each method returns another query.
 *
 * <pre>{@code
 * Query.where(partitionKey().eq("Sales").and(rowKey().startsWith("empid_"))).top(10)
 * }</pre>
 */
public final class Query {
  private static final int SEGMENT_MAX = 1_000;

  private static final Query ALL = new Query(null, List.of(), 0, 0);

  private final @Nullable Filter filter;
  private final List<String> selected;
  private final int top;
  private final int segmentSize;

  private Query(@Nullable Filter filter, List<String> selected, int top, int segmentSize) {
    this.filter = filter;
    this.selected = selected;
    this.top = top;
    this.segmentSize = segmentSize;
  }

  /** Returns a query for all entities of the table. */
  public static Query all() {
    return ALL;
  }

  /** Returns a query for the entities for which a condition is true. */
  public static Query where(Filter condition) {
    return ALL.and(condition);
  }

  /** Returns a query for the one entity with a key. */
  public static Query point(EntityKey key) {
    return where(partitionKey().eq(key.partitionKey()).and(rowKey().eq(key.rowKey())));
  }

  /** Returns a query for all entities of a partition. */
  public static Query partition(String partitionKey) {
    return where(partitionKey().eq(partitionKey));
  }

  /** Returns a query for the entities of a partition whose row keys begin with a prefix. */
  public static Query prefix(String partitionKey, String rowKeyPrefix) {
    return where(partitionKey().eq(partitionKey).and(rowKey().startsWith(rowKeyPrefix)));
  }

  /** Returns a query for an entity and all entities after it in the order of the keys. */
  public static Query from(EntityKey first) {
    Filter later = partitionKey().gt(first.partitionKey()).or(rowKey().ge(first.rowKey()));
    return where(partitionKey().ge(first.partitionKey()).and(later));
  }

  /** Returns this query with one more condition. */
  public Query and(Filter condition) {
    Filter both = filter == null ? condition : filter.and(condition);
    return new Query(both, selected, top, segmentSize);
  }

  /**
   * Returns this query restricted to these properties, by their names in the table. The keys are
   * always included. Other members that may be absent are empty, null, or as the constructor of the
   * bean set them; a table refuses the query if the type has others, see {@link #checkFor}.
   */
  public Query select(String... properties) {
    return new Query(filter, List.of(properties), top, segmentSize);
  }

  /**
   * Returns this query with a limit on the number of entities. If only a single segment is read,
   * the limit applies to that segment.
   */
  public Query top(int count) {
    return new Query(filter, selected, positive(count), segmentSize);
  }

  /** Returns this query with a limit on the entities per request; the service's limit is 1,000. */
  public Query segmentSize(int count) {
    return new Query(filter, selected, top, Math.min(positive(count), SEGMENT_MAX));
  }

  private static int positive(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("the number of entities must be at least 1, not " + count);
    }
    return count;
  }

  /** Returns the condition, if there is one. */
  public Optional<Filter> filter() {
    return Optional.ofNullable(filter);
  }

  /** Returns the names of the properties to fetch; empty means all. */
  public List<String> selected() {
    return selected;
  }

  /** Returns the maximum number of entities, if there is one. */
  public OptionalInt top() {
    return top == 0 ? OptionalInt.empty() : OptionalInt.of(top);
  }

  /** Returns the number of entities per request; empty leaves it to the service. */
  public OptionalInt segmentSize() {
    int size = Math.min(top == 0 ? SEGMENT_MAX : top, segmentSize == 0 ? SEGMENT_MAX : segmentSize);
    return top == 0 && segmentSize == 0 ? OptionalInt.empty() : OptionalInt.of(size);
  }

  /**
   * Checks that this query fits a type. Every table calls it. A codec that does not know its
   * properties, such as that of dynamic entities, fits every query.
   *
   * @throws IllegalArgumentException if the query names a property that the type does not have, or
   *     compares one that is encrypted. Properties that were created from a codec are not checked,
   *     so that a smaller type can be read by a condition on a larger one
   * @throws io.lazuli.client.entity.MappingFailure if the query does not select a property without
   *     which no value can be read
   */
  public void checkFor(EntityCodec<?> codec) {
    new QueryCheck(codec).check(filter, selected);
  }

  /**
   * Returns the partitions that the condition names; empty if the query may match in any partition.
   */
  public Set<String> partitionKeys() {
    return KeyBox.partitionsOf(filter);
  }

  /**
   * Returns the kind of this query, what Azure would do with it, and the design guide's advice.
   * Sends nothing.
   */
  public Explanation explain() {
    return KeyBox.explain(filter);
  }

  /** Returns the condition, for messages. */
  @Override
  public String toString() {
    return filter == null ? "all" : filter.text();
  }
}
