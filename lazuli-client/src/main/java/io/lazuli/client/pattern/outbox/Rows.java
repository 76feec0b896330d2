package io.lazuli.client.pattern.outbox;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Filter;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.TableFailure;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A table in which every write is conditioned on what was read before. */
record Rows(AsyncTable<TableEntity> table) {
  static Rows of(TableAsyncClient client) {
    return new Rows(AsyncTable.of(client, EntityCodec.dynamic()));
  }

  Mono<Optional<Row>> find(EntityKey key) {
    return table.find(key).map(Row::new).map(Optional::of).defaultIfEmpty(Optional.empty());
  }

  /** Writes the entity if the one of its key is still as it was read; false if it is not. */
  Mono<Boolean> swap(Optional<Row> before, TableEntity after) {
    return isDone(
        before
            .map(row -> table.replace(after, row.unchanged()))
            .orElseGet(() -> table.insert(after)));
  }

  /** Merges the properties into the entity if it is still as it was read. */
  Mono<Boolean> merge(Row before, TableEntity some) {
    return isDone(table.merge(some, before.unchanged()));
  }

  /** Deletes markers that are older and satisfy the condition. */
  Mono<Long> sweep(Instant deletedBefore, Predicate<Row> condition) {
    Instant toTheMilli = deletedBefore.truncatedTo(ChronoUnit.MILLIS);
    return query(Query.where(Filter.property(Row.DELETED_AT).lt(toTheMilli)), Set.of())
        .filter(condition)
        .concatMap(row -> isDone(table.delete(row.key(), row.unchanged())))
        .filter(gone -> gone)
        .count();
  }

  /**
   * What tells copies and markers from values comes along even if it was not asked for.
   *
   * @param needed the properties without which no value can be read
   */
  Flux<Row> query(Query query, Set<String> needed) {
    String[] selected =
        Stream.of(query.selected(), Row.TELLING, needed)
            .flatMap(Collection::stream)
            .toArray(String[]::new);
    return table.query(query.selected().isEmpty() ? query : query.select(selected)).map(Row::new);
  }

  private static Mono<Boolean> isDone(Mono<?> write) {
    return write.thenReturn(true).onErrorResume(TableFailure.class, refused -> Mono.just(false));
  }
}
