package io.lazuli.server.table.explain;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lazuli.server.table.query.QueryPlan;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Space;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of entities of tables and partitions that somebody has read from start to end, in
 * bounded memory. A partition is known by a hash of its key: two that have the same hash would
 * share an estimate. Safe for use by many threads.
 */
public final class TableSizes {
  /** The maximum number of tables and partitions whose size is remembered. */
  static final int PLACES_MAX = 16_384;

  private static final long WHOLE = 0;

  /** A table, or one of its partitions. */
  private record Place(long space, long hash) {}

  /** A size, and when it was seen. */
  private record Seen(long entities, long bytes, long nanos) {}

  /**
   * A size that was seen.
   *
   * @param bytes -1 if they were not counted
   */
  public record Size(long entities, long bytes, long ageSeconds) {}

  private final LongSupplier nanoClock;
  private final Cache<Place, Seen> seen = Caffeine.newBuilder().maximumSize(PLACES_MAX).build();

  public TableSizes(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Remembers a size.
   *
   * @param partition null for the whole table
   * @param bytes -1 if they were not counted
   */
  public void note(Space table, @Nullable Bytes partition, long entities, long bytes) {
    seen.put(place(table, partition), new Seen(entities, bytes, nanoClock.getAsLong()));
  }

  /** Remembers the size of what a query has read, if that was a whole table or partition. */
  public void noteQuery(Space table, QueryPlan plan, long entities) {
    if (isWhole(plan)) {
      note(table, plan.onlyPartition().orElse(null), entities, -1);
    }
  }

  /** Returns the size of what a query reads; null if it is not known. */
  public @Nullable Size find(Space table, QueryPlan plan) {
    return isWhole(plan)
            || (plan.kind() == QueryPlan.Kind.RANGE && plan.onlyPartition().isPresent())
        ? find(table, plan.onlyPartition().orElse(null))
        : null;
  }

  private static boolean isWhole(QueryPlan plan) {
    if (plan.ranges().size() != 1 || plan.skipsRows()) {
      return false;
    }
    KeyRange range = plan.ranges().get(0);
    return range.equals(KeyRange.ALL)
        || range.equals(KeyRange.ofPartition(range.from().partition()));
  }

  /**
   * Returns the size of a table or partition; null if it is not known.
   *
   * @param partition null for the whole table
   */
  public @Nullable Size find(Space table, @Nullable Bytes partition) {
    Seen found = seen.getIfPresent(place(table, partition));
    return found == null
        ? null
        : new Size(
            found.entities, found.bytes, (nanoClock.getAsLong() - found.nanos) / 1_000_000_000);
  }

  private static Place place(Space table, @Nullable Bytes partition) {
    return new Place(table.number(), partition == null ? WHOLE : hash(partition));
  }

  private static long hash(Bytes key) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : key.array()) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    return hash == WHOLE ? 1 : hash;
  }
}
