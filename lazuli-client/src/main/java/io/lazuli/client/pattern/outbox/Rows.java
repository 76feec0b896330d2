package io.lazuli.client.pattern.outbox;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Filter;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.MarkedWrite;
import io.lazuli.client.table.OutcomeUnknown;
import io.lazuli.client.table.TableFailure;
import io.lazuli.client.table.WriteMark;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;

/** A table in which every write requires that the row has not changed since it was read. */
record Rows(AsyncTable<TableEntity> table) {
  static Rows of(TableAsyncClient client) {
    return new Rows(AsyncTable.of(client, EntityCodec.dynamic()));
  }

  Mono<Optional<Row>> find(EntityKey key) {
    return table.find(key).map(Row::new).map(Optional::of).defaultIfEmpty(Optional.empty());
  }

  /**
   * Writes the entity if the stored one has not changed since it was read. Returns false if it has
   * changed.
   */
  Mono<Boolean> swap(Optional<Row> before, TableEntity after) {
    return isDone(written(before, after));
  }

  private Mono<TableEntity> written(Optional<Row> before, TableEntity after) {
    return before
        .map(row -> table.replace(after, row.unchanged()))
        .orElseGet(() -> table.insert(after));
  }

  /**
   * Merges the properties into the entity if it has not changed since it was read. Returns false if
   * it has changed.
   */
  Mono<Boolean> merge(Row before, TableEntity some) {
    return isDone(table.merge(some, before.unchanged()));
  }

  /** Deletes tombstones that are older than a time and match the condition. */
  Mono<Long> sweep(Instant deletedBefore, Predicate<Row> condition) {
    Instant toTheMilli = deletedBefore.truncatedTo(ChronoUnit.MILLIS);
    return table
        .query(Query.where(Filter.property(Row.DELETED_AT).lt(toTheMilli)))
        .map(Row::new)
        .filter(condition)
        .concatMap(row -> isDone(table.delete(row.key(), row.unchanged())))
        .filter(gone -> gone)
        .count();
  }

  /**
   * Like {@link #swap}, but recognises its own write after a lost answer; fails with {@link
   * OutcomeUnknown} if the entity does not reveal whether it was written.
   */
  Mono<Boolean> swapOnce(Optional<Row> before, TableEntity after, WriteMark mark) {
    EntityKey key = EntityKey.of(after);
    MarkedWrite write = mark.over(key, before.map(Row::entity));
    Mono<TableEntity> sent = written(before, write.mark(after));
    return isDone(write.send(sent.thenReturn(true), table.find(key), true));
  }

  private static Mono<Boolean> isDone(Mono<?> write) {
    return write
        .thenReturn(true)
        .onErrorResume(
            failure -> failure instanceof TableFailure && !(failure instanceof OutcomeUnknown),
            refused -> Mono.just(false));
  }
}
