package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import java.util.Map;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A codec that does everything like another one, except what a subclass changes. */
abstract class ForwardingCodec<T> implements EntityCodec<T> {
  final EntityCodec<T> codec;

  ForwardingCodec(EntityCodec<T> codec) {
    this.codec = codec;
  }

  @Override
  public TableEntity write(T value) {
    return codec.write(value);
  }

  @Override
  public TableEntity write(T value, TableTransactionActionType kind) {
    return codec.write(value, kind);
  }

  @Override
  public Mono<TableEntity> encode(T value, TableTransactionActionType kind) {
    return codec.encode(value, kind);
  }

  @Override
  public Mono<TableEntity> encodeOver(TableEntity stored, T value) {
    return codec.encodeOver(stored, value);
  }

  @Override
  public boolean knowsProperty(String property) {
    return codec.knowsProperty(property);
  }

  @Override
  public T withETag(T value, String eTag) {
    return codec.withETag(value, eTag);
  }

  @Override
  public T read(TableEntity entity) {
    return codec.read(entity);
  }

  @Override
  public Flux<T> decode(Flux<TableEntity> entities, Set<String> selected) {
    return codec.decode(entities, selected);
  }

  @Override
  public Mono<T> decode(TableEntity entity) {
    return codec.decode(entity);
  }

  @Override
  public <S> EntityCodec<S> forSameTable(EntityCodec<S> other) {
    return codec.forSameTable(other);
  }

  @Override
  public EntityKey key(T value) {
    return codec.key(value);
  }

  @Override
  public Map<String, MappedProperty> properties() {
    return codec.properties();
  }

  @Override
  public Set<String> encryptedProperties() {
    return codec.encryptedProperties();
  }

  @Override
  public Set<String> alwaysSelected() {
    return codec.alwaysSelected();
  }

  @Override
  public void checkSelected(Set<String> selected) {
    codec.checkSelected(selected);
  }

  @Override
  public void checkWritable() {
    codec.checkWritable();
  }

  @Override
  public abstract EntityCodec<T> unencrypted();

  @Override
  public boolean knows(TableEntity entity) {
    return codec.knows(entity);
  }
}
