package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A codec that does everything like another one, except what a subclass changes. */
abstract class ForwardingCodec<T> extends DerivedCodec<T, T> {
  ForwardingCodec(EntityCodec<T> codec) {
    super(codec);
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
  public EntityKey key(T value) {
    return codec.key(value);
  }

  @Override
  public abstract EntityCodec<T> unencrypted();
}
