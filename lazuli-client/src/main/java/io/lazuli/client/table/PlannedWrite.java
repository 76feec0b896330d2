package io.lazuli.client.table;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A write, the entity to send for it, and its index in the caller's list. */
record PlannedWrite(int index, Write<?> write, EntityKey key, TableTransactionAction action) {

  private static final int CONCURRENCY = 16;

  static <T> Mono<List<PlannedWrite>> of(List<Write<T>> writes, EntityCodec<T> codec) {
    return Flux.range(0, writes.size())
        .flatMapSequential(index -> of(index, writes.get(index), codec), CONCURRENCY)
        .collectList();
  }

  private static <T> Mono<PlannedWrite> of(int index, Write<T> write, EntityCodec<T> codec) {
    return write.entity(codec).map(entity -> of(index, write, SentEntity.of(entity)));
  }

  private static PlannedWrite of(int index, Write<?> write, TableEntity entity) {
    boolean checked =
        switch (write.action()) {
          case CREATE, UPSERT_MERGE, UPSERT_REPLACE -> false;
          case UPDATE_MERGE, UPDATE_REPLACE, DELETE -> ETags.areSentFor(write.condition());
        };
    TableEntity sent = checked ? ETags.expecting(write.condition(), entity) : entity;
    TableTransactionAction action = new TableTransactionAction(write.action(), sent, checked);
    return new PlannedWrite(index, write, EntityKey.of(entity), action);
  }

  TableEntity entity() {
    return action.getEntity();
  }
}
