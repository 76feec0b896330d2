package io.lazuli.client.query;

import static io.lazuli.client.query.Filter.partitionKey;
import static io.lazuli.client.query.Filter.rowKey;

import io.lazuli.client.entity.EntityKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Which entities of a table to fetch, which of their properties, and how many. Immutable: each
 * method answers another query.
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

  /** All entities of the table. */
  public static Query all() {
    return ALL;
  }

  /** The entities for which a condition is true. */
  public static Query where(Filter condition) {
    return ALL.and(condition);
  }

  /** The one entity with a key. */
  public static Query point(EntityKey key) {
    return where(partitionKey().eq(key.partitionKey()).and(rowKey().eq(key.rowKey())));
  }

  /** All entities of a partition. */
  public static Query partition(String partitionKey) {
    return where(partitionKey().eq(partitionKey));
  }

  /** The entities of a partition whose row keys begin with a prefix. */
  public static Query prefix(String partitionKey, String rowKeyPrefix) {
    return where(partitionKey().eq(partitionKey).and(rowKey().startsWith(rowKeyPrefix)));
  }

  /** This query with one more condition. */
  public Query and(Filter condition) {
    Filter both = filter == null ? condition : filter.and(condition);
    return new Query(both, selected, top, segmentSize);
  }

  /**
   * This query, which fetches only these properties, by their names in the table. The keys always
   * come along. The type that the entities are read as must allow the others to be absent.
   */
  public Query select(String... properties) {
    return new Query(filter, List.of(properties), top, segmentSize);
  }

  /** This query, which ends after so many entities. Of a single segment it limits the size. */
  public Query top(int count) {
    return new Query(filter, selected, positive(count), segmentSize);
  }

  /** This query, which fetches at most so many entities at once; the service's limit is 1,000. */
  public Query segmentSize(int count) {
    return new Query(filter, selected, top, Math.min(positive(count), SEGMENT_MAX));
  }

  private static int positive(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("at least 1 entity, not " + count);
    }
    return count;
  }

  /** The condition, if there is one. */
  public Optional<Filter> filter() {
    return Optional.ofNullable(filter);
  }

  /** The names of the properties to fetch; empty for all. */
  public List<String> selected() {
    return selected;
  }

  /** After how many entities the query ends. */
  public OptionalInt top() {
    return top == 0 ? OptionalInt.empty() : OptionalInt.of(top);
  }

  /** How many entities to fetch at once, if not as many as the service likes. */
  public OptionalInt segmentSize() {
    int size = Math.min(top == 0 ? SEGMENT_MAX : top, segmentSize == 0 ? SEGMENT_MAX : segmentSize);
    return top == 0 && segmentSize == 0 ? OptionalInt.empty() : OptionalInt.of(size);
  }

  /** Of which kind the query is, and what the design guide says of it. Nothing is sent. */
  public Explanation explain() {
    return Explanation.of(KeyBox.kindOf(filter));
  }

  /** The condition, for messages. */
  @Override
  public String toString() {
    return filter == null ? "all" : filter.text();
  }
}
