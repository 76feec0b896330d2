package io.lazuli.client.pattern.outbox;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityCodec;
import java.util.LinkedHashSet;
import java.util.Set;
import reactor.core.publisher.Flux;

/** Reads values from rows that also have the properties of this library. */
record RowCodec<T>(EntityCodec<T> codec) implements EntityCodec<T> {
  @Override
  public TableEntity write(T value) {
    return codec.write(value);
  }

  @Override
  public T read(TableEntity entity) {
    return codec.read(new Row(entity).plain());
  }

  @Override
  public Flux<T> decode(Flux<TableEntity> entities, Set<String> selected) {
    return codec.decode(entities.map(entity -> new Row(entity).plain()), selected);
  }

  /** Returns the properties that the codec needs, and the key of the primary of a copy. */
  @Override
  public Set<String> alwaysSelected() {
    Set<String> names = new LinkedHashSet<>(codec.alwaysSelected());
    names.add(Row.PRIMARY_PARTITION);
    names.add(Row.PRIMARY_ROW);
    return names;
  }
}
