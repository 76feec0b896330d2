package io.lazuli.server.table.service;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.rehearsal.Dice;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.explain.TableSizes;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.query.QueryPlan;
import io.lazuli.server.table.query.QueryPlanner;
import io.lazuli.server.table.service.TableOperation.QueryEntities;
import io.lazuli.server.table.service.TableOutcome.EntityPage;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import io.lazuli.storage.StorageEngine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs queries, one page at a time. Point and range queries begin on the calling thread. A local
 * engine scans on the thread that begins. Its partition and table scans therefore begin on a
 * separate, bounded pool, so that many scans do not delay a point read. If the pool is full, the
 * query fails with 503.
 *
 * <p>A remote engine scans on its own threads, and many queries can then wait for it at the same
 * time. Their number and the bytes of their pages are bounded.
 */
public final class EntityQueries {
  /** The maximum number of queries that wait for a remote engine. Further ones fail with 503. */
  private static final int WAITING_MAX = 256;

  /**
   * A page with at most so many bytes is encoded on the thread of a remote engine that read it: a
   * change of thread costs more. A longer one would delay the other answers of the engine.
   */
  private static final long SHORT_BYTES_MAX = 64 << 10;

  private final StorageEngine engine;
  private final Catalog catalog;
  private final PartitionRates rates;
  private final Executor scans;
  private final Executor answers;
  private final Duration budget;
  private final PageMemory memory;
  private final @Nullable Dice dice;
  private final TableSizes sizes = new TableSizes(System::nanoTime);

  /** The number of queries that wait for a remote engine, or whose page is not encoded yet. */
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * Builds the queries of a service.
   *
   * @param answers the threads that continue after a scan of a remote engine that found a long
   *     page; never refuses
   * @param budget how long one page may take before it ends with a continuation token
   * @param pageBytesMax the bytes of all pages of a remote engine; threads bound those of a local
   *     one
   * @param dice decides in a rehearsal which pages end early; null if none do
   */
  public EntityQueries(
      StorageEngine engine,
      Catalog catalog,
      PartitionRates rates,
      Executor scans,
      Executor answers,
      Duration budget,
      long pageBytesMax,
      @Nullable Dice dice) {
    this.engine = engine;
    this.catalog = catalog;
    this.rates = rates;
    this.scans = scans;
    this.answers = answers;
    this.budget = budget;
    this.memory = new PageMemory(engine.isShared() ? pageBytesMax : Long.MAX_VALUE);
    this.dice = dice;
  }

  /**
   * Reads one page.
   *
   * @param visible the keys that the caller may see; others are not read, whatever the filter and
   *     the token say
   */
  CompletableFuture<TableOutcome> page(
      ServiceHome home, QueryEntities query, KeyRange visible, Deadline deadline) {
    QueryPlan all = QueryPlanner.plan(query.filter());
    QueryPlan whole = visible.equals(KeyRange.ALL) ? all : all.within(visible);
    EntityKey from = query.from();
    QueryPlan plan = from == null ? whole : whole.from(position(from));
    rates.charge(home, query.table(), plan);
    if (waiting.get() >= WAITING_MAX) {
      throw CommonErrors.SERVER_BUSY.exception();
    }
    if (!isLong(plan) || engine.isShared()) {
      return run(home, query, plan, deadline);
    }
    try {
      return CompletableFuture.<CompletionStage<TableOutcome>>supplyAsync(
              () -> run(home, query, plan, deadline), scans)
          .thenCompose(page -> page);
    } catch (RejectedExecutionException e) {
      throw CommonErrors.SERVER_BUSY.exception();
    }
  }

  private CompletableFuture<TableOutcome> run(
      ServiceHome home, QueryEntities query, QueryPlan plan, Deadline deadline) {
    return catalog
        .onSpace(
            home,
            query.table().key(),
            deadline,
            TableErrors.TABLE_NOT_FOUND,
            table ->
                scan(table, plan, query.top(), deadline)
                    .thenApply(
                        page -> {
                          if (query.from() == null && page.next() == null) {
                            sizes.noteQuery(table.space(), plan, page.cost().entitiesRead());
                          }
                          return page;
                        }))
        .thenApply(
            page -> {
              rates.spend(home, query.table(), plan, page);
              return page;
            });
  }

  private CompletableFuture<EntityPage> scan(
      CatalogEntry table, QueryPlan plan, int top, Deadline deadline) {
    EntityPageBuilder page =
        new EntityPageBuilder(
            plan, trouble(plan, top), memory, System::nanoTime, budgetNanos(deadline));
    // A page of zero entities reads nothing and has no token. With a token, a client would ask
    // forever.
    if (top == 0 || plan.ranges().isEmpty()) {
      return CompletableFuture.completedFuture(page.page(table.name()));
    }
    CompletableFuture<@Nullable Void> scanned =
        engine.scan(table.space(), plan.ranges(), Direction.FORWARD, deadline, page);
    if (scanned.isDone()) {
      page.release();
      return scanned.thenApply(done -> page.page(table.name()));
    }
    waiting.incrementAndGet();
    CompletableFuture<EntityPage> answer = new CompletableFuture<>();
    CompletableFuture<@Nullable Void> unused =
        scanned.whenComplete(
            (done, failure) -> {
              Runnable end = () -> end(table, page, answer, failure);
              if (page.bytes() <= SHORT_BYTES_MAX) {
                end.run();
              } else {
                answers.execute(end);
              }
            });
    return answer;
  }

  /** Returns how many queries wait for a remote engine. */
  int waiting() {
    return waiting.get();
  }

  private void end(
      CatalogEntry table,
      EntityPageBuilder page,
      CompletableFuture<EntityPage> answer,
      @Nullable Throwable failure) {
    try {
      complete(answer, () -> page.page(table.name()), failure);
    } finally {
      waiting.decrementAndGet();
      page.release();
    }
  }

  /** Completes an answer. The page is encoded before this returns, by what follows the answer. */
  private static void complete(
      CompletableFuture<EntityPage> answer,
      Supplier<EntityPage> page,
      @Nullable Throwable failure) {
    if (failure == null) {
      answer.complete(page.get());
    } else {
      answer.completeExceptionally(Futures.cause(failure));
    }
  }

  /** Returns the sizes of tables and partitions that queries have read from start to end. */
  TableSizes sizes() {
    return sizes;
  }

  /** Returns the bytes of the pages that queries hold now. */
  long heldBytes() {
    return memory.heldBytes();
  }

  /**
   * Decides whether the page ends early in a rehearsal. As on Azure, the page of a point query
   * never does.
   */
  private PageTrouble trouble(QueryPlan plan, int top) {
    return dice == null || top == 0 || plan.kind() == QueryPlan.Kind.POINT
        ? PageTrouble.none(top)
        : PageTrouble.roll(dice, top);
  }

  /**
   * Returns the time for the page. If the client's deadline is shorter than the budget, the page
   * ends early enough for the answer to arrive in time.
   */
  private long budgetNanos(Deadline deadline) {
    return Math.min(budget.toNanos(), deadline.remaining().toNanos() / 2);
  }

  private static boolean isLong(QueryPlan plan) {
    return plan.kind() == QueryPlan.Kind.PARTITION_SCAN || plan.kind() == QueryPlan.Kind.TABLE_SCAN;
  }

  private static Position position(EntityKey key) {
    return new Position(
        Bytes.of(Utf8.encodeKey(key.partitionKey())), Bytes.of(Utf8.encodeKey(key.rowKey())));
  }
}
