package io.lazuli.client.pattern.logtail;

import static io.lazuli.client.query.Filter.rowKey;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.Batch;
import io.lazuli.client.table.BatchFailed;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.table.Write;
import java.time.Instant;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads partitions whose row keys come from {@link LogKeys}, newest entity first, and deletes old
 * entities. Entities are written through the table itself. Immutable and thread-safe.
 *
 * @param <T> the type of the entities
 */
public final class AsyncLogTail<T> {
  private static final int BATCH_MAX = 100;

  /** Returned instead of the number of deleted entities when none is left to delete. */
  private static final long LAST = -1;

  private final AsyncTable<T> table;

  private AsyncLogTail(AsyncTable<T> table) {
    this.table = table;
  }

  /** Returns the log tails in the partitions of a table. */
  public static <T> AsyncLogTail<T> of(AsyncTable<T> table) {
    return new AsyncLogTail<>(table);
  }

  /** Returns these log tails with blocking calls. */
  public LogTail<T> blocking() {
    return new LogTail<>(this);
  }

  /** Returns the newest entities of a partition, newest first: one request for up to 1,000. */
  public Flux<T> latest(String partitionKey, int count) {
    return table.query(Query.partition(partitionKey).top(count));
  }

  /** Returns the entities of a partition at or after a time, newest first. */
  public Flux<T> since(String partitionKey, Instant time) {
    return table.query(from(partitionKey, time));
  }

  /**
   * Returns the entities of a partition from one time, inclusive, to another, exclusive; newest
   * first.
   */
  public Flux<T> between(String partitionKey, Instant from, Instant to) {
    return table.query(from(partitionKey, from).and(rowKey().ge(InvertedTicks.before(to))));
  }

  private static Query from(String partitionKey, Instant time) {
    return Query.partition(partitionKey).and(rowKey().lt(InvertedTicks.before(time)));
  }

  /**
   * Deletes the entities of a partition that are older than a time, the newest of them first: two
   * requests for each 100. The call can be interrupted and repeated, and several processes may make
   * it at the same time.
   *
   * @return the number of entities that this call deleted
   */
  public Mono<Long> expire(String partitionKey, Instant time) {
    AsyncTable<TableEntity> entities = table.stored();
    Query old =
        Query.partition(partitionKey)
            .and(rowKey().ge(InvertedTicks.before(time)))
            .select("RowKey")
            .top(BATCH_MAX);
    return entities
        .query(old)
        .collectList()
        .flatMap(found -> deleted(entities, found))
        .repeat()
        .takeUntil(count -> count == LAST)
        .filter(count -> count > 0)
        .reduce(0L, Long::sum);
  }

  /**
   * Deletes the entities and returns their number. Returns {@link #LAST} if there was nothing to
   * delete, or 0 if somebody else deleted some of the entities first.
   */
  private static Mono<Long> deleted(AsyncTable<TableEntity> entities, List<TableEntity> old) {
    if (old.isEmpty()) {
      return Mono.just(LAST);
    }
    List<Write<TableEntity>> deletes =
        old.stream()
            .map(entity -> Write.<TableEntity>delete(EntityKey.of(entity), Condition.any()))
            .toList();
    return entities
        .batch(new Batch<>(deletes))
        .thenReturn((long) deletes.size())
        .onErrorResume(
            BatchFailed.class,
            failed -> failed.getCause() instanceof NotFound ? Mono.just(0L) : Mono.error(failed));
  }
}
