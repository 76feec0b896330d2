package io.lazuli.client.pattern.indexlist;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
import io.lazuli.client.query.Filter;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.TableFailure;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** Stores lists in entities of a table, or in blobs if they do not fit in an entity. */
record TableKeyLists(
    AsyncTable<TableEntity> table, String index, ListEntities entities, Clock clock)
    implements KeyLists {
  @Override
  public Mono<Stored> read(EntityKey list) {
    return table
        .find(list)
        .flatMap(
            entity ->
                entities
                    .read(entity)
                    .switchIfEmpty(Mono.error(new ListChanged()))
                    .map(keys -> new Stored(keys, Optional.of(entity.getETag()))))
        .defaultIfEmpty(Stored.NONE);
  }

  @Override
  public Mono<Boolean> write(EntityKey list, Stored before, KeyList next) {
    return written(list, before, next)
        .thenReturn(true)
        .onErrorResume(TableFailure.class, refused -> Mono.empty());
  }

  private Mono<TableEntity> written(EntityKey list, Stored before, KeyList next) {
    if (before.eTag().isPresent() && next.equals(before.keys())) {
      TableEntity nothing = new TableEntity(list.partitionKey(), list.rowKey());
      return table.merge(nothing, Condition.eTag(before.eTag().get()));
    }
    return entities
        .write(list, next)
        .map(
            entity ->
                entity
                    .addProperty(ListEntities.INDEX, index)
                    .addProperty(AsyncPrimaryTable.HIDDEN, "list"))
        .flatMap(
            entity ->
                before
                    .eTag()
                    .map(eTag -> table.replace(entity, Condition.eTag(eTag)))
                    .orElseGet(() -> table.insert(entity)));
  }

  @Override
  public Mono<Long> sweep(Duration age) {
    Filter empty =
        Filter.property(ListEntities.INDEX)
            .eq(index)
            .and(Filter.property(ListEntities.COUNT).eq(0))
            .and(Filter.property("Timestamp").lt(clock.instant().minus(age)));
    return table
        .query(Query.where(empty))
        .concatMap(
            list ->
                table
                    .delete(EntityKey.of(list), Condition.eTag(list.getETag()))
                    .thenReturn(true)
                    .onErrorReturn(TableFailure.class, false))
        .filter(gone -> gone)
        .count();
  }

  @Override
  public Mono<Long> collect() {
    return entities.overflow().map(blobs -> blobs.collect(table)).orElseGet(() -> Mono.just(0L));
  }
}
