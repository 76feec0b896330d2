package io.lazuli.client.table;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import java.util.ArrayList;
import java.util.List;

/** A write with the entity that is sent for it, and its place in what the caller gave. */
record PlannedWrite(int index, Write<?> write, EntityKey key, TableTransactionAction action) {

  static <T> List<PlannedWrite> of(List<Write<T>> writes, EntityCodec<T> codec) {
    List<PlannedWrite> planned = new ArrayList<>();
    for (Write<T> write : writes) {
      planned.add(of(planned.size(), write, codec));
    }
    return planned;
  }

  private static <T> PlannedWrite of(int index, Write<T> write, EntityCodec<T> codec) {
    TableEntity entity = write.entity(codec);
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
