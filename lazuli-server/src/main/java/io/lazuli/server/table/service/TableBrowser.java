package io.lazuli.server.table.service;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.explain.Look;
import io.lazuli.server.table.explain.TableSizes;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.SystemProperties;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.query.Filter.And;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Operator;
import io.lazuli.server.table.query.QueryPlan;
import io.lazuli.server.table.query.QueryPlanner;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads tables for the console: short pages, keys by seeks, and looks at the first entities of a
 * query. It belongs to the server itself, so it checks no access; the console checks the role. A
 * local engine reads on the calling thread.
 */
public final class TableBrowser {
  /** How many entities a look reads at most. */
  public static final int LOOK_ENTITIES_MAX = 1_000;

  /** How long a look takes at most. */
  public static final Duration LOOK_TIME_MAX = Duration.ofMillis(20);

  private final StorageEngine engine;
  private final Catalog catalog;
  private final TableSizes sizes;

  public TableBrowser(StorageEngine engine, Catalog catalog, TableSizes sizes) {
    this.engine = engine;
    this.catalog = catalog;
    this.sizes = sizes;
  }

  /**
   * A page to read.
   *
   * @param contains a text that a key or a text of the entity must contain; null for any
   * @param from the position at which the page begins; null for the first page
   * @param rows the maximum number of entities
   * @param bytes the stored bytes after which the page ends
   * @param time the time after which the page ends
   */
  public record PageRequest(
      Filter filter,
      @Nullable String contains,
      @Nullable Position from,
      int rows,
      long bytes,
      Duration time) {}

  /**
   * A page that was read.
   *
   * @param next the position of the next page; null after the last one
   * @param look what was read
   */
  public record Page(
      String table,
      QueryPlan plan,
      List<StoredEntity> entities,
      @Nullable Position next,
      Look look) {}

  /**
   * The figures of a query that are known before it runs.
   *
   * @param size the size of what it reads, if somebody has read it before
   */
  public record Glance(
      String table, QueryPlan plan, @Nullable Look look, TableSizes.@Nullable Size size) {}

  /** Reads one page. */
  public CompletionStage<Page> page(
      String account, TableName table, PageRequest asked, Deadline deadline) {
    QueryPlan whole = QueryPlanner.plan(asked.filter);
    Position from = asked.from;
    QueryPlan plan = from == null ? whole : whole.from(from);
    return onTable(
        account,
        table,
        deadline,
        entry -> {
          PageVisitor page = new PageVisitor(plan, asked, System::nanoTime);
          return scan(entry.space(), plan.ranges(), deadline, page)
              .thenApply(
                  done -> {
                    Look look = page.look();
                    if (page.next() == null) {
                      look.end();
                      if (from == null) {
                        sizes.noteQuery(entry.space(), plan, look.readCount());
                      }
                    }
                    return new Page(entry.name(), plan, page.entities(), page.next(), look);
                  });
        });
  }

  private CompletableFuture<@Nullable Void> scan(
      Space space, List<KeyRange> ranges, Deadline deadline, RecordVisitor visitor) {
    return ranges.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : engine.scan(space, ranges, Direction.FORWARD, deadline, visitor);
  }

  /** Looks at the first entities of a query: at most 1,000, and for at most 20 ms. */
  public CompletionStage<Glance> glance(
      String account,
      TableName table,
      Filter filter,
      @Nullable String contains,
      Deadline deadline) {
    QueryPlan plan = QueryPlanner.plan(filter);
    PageRequest asked = new PageRequest(filter, contains, null, 0, Long.MAX_VALUE, LOOK_TIME_MAX);
    return onTable(
        account,
        table,
        deadline,
        entry -> {
          PageVisitor page = new PageVisitor(plan, asked, System::nanoTime);
          return scan(entry.space(), plan.ranges(), deadline, page)
              .thenApply(
                  done -> {
                    Look look = page.look();
                    if (page.next() == null) {
                      look.end();
                      sizes.noteQuery(entry.space(), plan, look.readCount());
                    }
                    return new Glance(entry.name(), plan, look, sizes.find(entry.space(), plan));
                  });
        });
  }

  /**
   * A part of a count.
   *
   * @param partitions the number of partitions with a match, without the one that was given
   * @param last the partition of the last match; null if there is none
   * @param bytes the stored bytes of the matches
   * @param next where to go on; null at the end
   */
  public record Tally(
      long matches, long partitions, @Nullable Bytes last, long bytes, @Nullable Position next) {}

  /**
   * Counts entities for a time.
   *
   * @param from where to begin; null for the start
   * @param lastSeen the partition of the last match so far; null if there is none
   */
  public CompletionStage<Tally> tally(
      String account,
      TableName table,
      Filter filter,
      @Nullable Position from,
      @Nullable Bytes lastSeen,
      Duration time,
      Deadline deadline) {
    QueryPlan whole = QueryPlanner.plan(filter);
    QueryPlan plan = from == null ? whole : whole.from(from);
    return onTable(
        account,
        table,
        deadline,
        entry -> {
          TallyVisitor visitor = new TallyVisitor(plan, lastSeen, time, System::nanoTime);
          return scan(entry.space(), plan.ranges(), deadline, visitor)
              .thenApply(done -> visitor.tally());
        });
  }

  /** Remembers what a count of a query from start to end has found. */
  public CompletionStage<Boolean> noteCount(
      String account,
      TableName table,
      Filter filter,
      long entities,
      long bytes,
      Deadline deadline) {
    return onTable(
        account,
        table,
        deadline,
        entry -> {
          if (filter.equals(Filter.ALL)) {
            sizes.note(entry.space(), null, entities, bytes);
          }
          return CompletableFuture.completedFuture(true);
        });
  }

  /** Returns the number of entities of a table, if somebody has counted them; null otherwise. */
  public CompletionStage<TableSizes.@Nullable Size> knownSize(
      String account, TableName table, Deadline deadline) {
    return onTable(
        account,
        table,
        deadline,
        entry -> CompletableFuture.completedFuture(sizes.find(entry.space(), (Bytes) null)));
  }

  /**
   * Returns keys that begin with a prefix, by seeks.
   *
   * @param partition the partition whose row keys are wanted; null for partition keys
   * @param max the maximum number of keys; one more is returned if there are more
   */
  public CompletionStage<List<String>> keys(
      String account,
      TableName table,
      @Nullable String partition,
      String prefix,
      int max,
      Deadline deadline) {
    Bytes start = Bytes.of(Utf8.encodeKey(prefix));
    Bytes in = partition == null ? null : Bytes.of(Utf8.encodeKey(partition));
    KeyRange range =
        in == null
            ? new KeyRange(Position.startOf(start), null)
            : new KeyRange(new Position(in, start), Position.endOf(in));
    List<String> keys = new ArrayList<>();
    return onTable(
        account,
        table,
        deadline,
        entry ->
            engine
                .scan(
                    entry.space(),
                    List.of(range),
                    Direction.FORWARD,
                    deadline,
                    record -> {
                      byte[] key = in == null ? record.partition().copy() : record.row().copy();
                      String text = Utf8.decode(key, 0, key.length);
                      if (!text.startsWith(prefix)) {
                        return Visit.STOP;
                      }
                      keys.add(text);
                      if (keys.size() > max) {
                        return Visit.STOP;
                      }
                      return in == null
                          ? Visit.skipTo(Position.endOf(Bytes.of(key)))
                          : Visit.CONTINUE;
                    })
                .thenApply(done -> keys));
  }

  /**
   * Returns the key of the first entity after about a share of the table, guessed from its first
   * and its last key; null if the table is empty.
   *
   * @param share 0 to 1
   */
  public CompletionStage<@Nullable Position> near(
      String account, TableName table, double share, Deadline deadline) {
    return onTable(
        account,
        table,
        deadline,
        entry ->
            first(entry.space(), KeyRange.ALL, Direction.FORWARD, deadline)
                .thenCombine(
                    first(entry.space(), KeyRange.ALL, Direction.BACKWARD, deadline),
                    (first, last) ->
                        first == null || last == null
                            ? null
                            : KeyMidpoint.between(first, last, share))
                .thenCompose(
                    at ->
                        at == null
                            ? CompletableFuture.<@Nullable Position>completedFuture(null)
                            : first(
                                    entry.space(),
                                    new KeyRange(at, null),
                                    Direction.FORWARD,
                                    deadline)
                                .thenCompose(
                                    found ->
                                        found == null
                                            ? first(
                                                entry.space(),
                                                KeyRange.ALL,
                                                Direction.BACKWARD,
                                                deadline)
                                            : CompletableFuture.completedFuture(found))));
  }

  private CompletableFuture<@Nullable Position> first(
      Space space, KeyRange range, Direction direction, Deadline deadline) {
    @Nullable Position[] found = new @Nullable Position[1];
    return engine
        .scan(
            space,
            List.of(range),
            direction,
            deadline,
            record -> {
              found[0] =
                  new Position(Bytes.of(record.partition().copy()), Bytes.of(record.row().copy()));
              return Visit.STOP;
            })
        .thenApply(done -> found[0]);
  }

  private <R extends @Nullable Object> CompletionStage<R> onTable(
      String account,
      TableName table,
      Deadline deadline,
      Function<CatalogEntry, CompletableFuture<R>> work) {
    return StorageFailures.translatingStage(
        () ->
            catalog.onSpace(
                ServiceHome.ofTables(account),
                table.text().toLowerCase(Locale.ROOT),
                deadline,
                TableErrors.TABLE_NOT_FOUND,
                work));
  }

  /** Returns the only comparison of a filter with a text of a property that is not a key. */
  static @Nullable Comparison textComparison(Filter filter) {
    if (filter instanceof And and) {
      return and.operands().stream()
          .map(TableBrowser::textComparison)
          .filter(each -> each != null)
          .findFirst()
          .orElse(null);
    }
    return filter instanceof Comparison comparison
            && comparison.operator() == Operator.EQ
            && comparison.literal() instanceof StringValue
            && !SystemProperties.isKey(comparison.property())
        ? comparison
        : null;
  }
}
