package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import java.util.Set;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads and writes known types with their codec, and leaves entities of other types as they are.
 */
final class FoundCodec<T> extends DerivedCodec<Found<T>, T> {
  /** The maximum number of entities that wait to be decrypted at the same time. */
  private static final int CONCURRENCY = 16;

  private final EntityCodec<TableEntity> dynamic;

  FoundCodec(EntityCodec<T> codec) {
    super(codec);
    this.dynamic = codec.forSameTable(EntityCodec.dynamic());
  }

  @Override
  public TableEntity write(Found<T> found) {
    return on(found, codec::write, dynamic::write);
  }

  @Override
  public TableEntity write(Found<T> found, TableTransactionActionType kind) {
    return on(found, value -> codec.write(value, kind), entity -> dynamic.write(entity, kind));
  }

  @Override
  public Mono<TableEntity> encode(Found<T> found, TableTransactionActionType kind) {
    return on(found, value -> codec.encode(value, kind), entity -> dynamic.encode(entity, kind));
  }

  @Override
  public Mono<TableEntity> encodeOver(TableEntity stored, Found<T> found) {
    return on(
        found,
        value -> codec.encodeOver(stored, value),
        entity -> dynamic.encodeOver(stored, entity));
  }

  @Override
  public Found<T> withETag(Found<T> found, String eTag) {
    return on(
        found,
        value -> new Found.Typed<>(codec.withETag(value, eTag)),
        entity -> new Found.Dynamic<>(dynamic.withETag(entity, eTag)));
  }

  private <R> R on(Found<T> found, Function<T, R> typed, Function<TableEntity, R> other) {
    return found instanceof Found.Typed<T> known
        ? typed.apply(known.value())
        : other.apply(((Found.Dynamic<T>) found).entity());
  }

  @Override
  public Found<T> read(TableEntity entity) {
    return codec.knows(entity)
        ? new Found.Typed<>(codec.read(entity))
        : new Found.Dynamic<>(dynamic.read(entity));
  }

  @Override
  public Flux<Found<T>> decode(Flux<TableEntity> entities, Set<String> selected) {
    return entities.flatMapSequential(entity -> decode(entity, selected), CONCURRENCY, 1);
  }

  private Flux<Found<T>> decode(TableEntity entity, Set<String> selected) {
    Flux<TableEntity> one = Flux.just(entity);
    return codec.knows(entity)
        ? codec.decode(one, selected).map(Found.Typed::new)
        : dynamic.decode(one, selected).map(Found.Dynamic::new);
  }

  @Override
  public EntityKey key(Found<T> found) {
    return on(found, codec::key, EntityKey::of);
  }

  /** Returns true, because an entity of an unknown type may have any property. */
  @Override
  public boolean knowsProperty(String property) {
    return true;
  }

  /** Returns true, because entities of unknown types are values too. */
  @Override
  public boolean knows(TableEntity entity) {
    return true;
  }

  @Override
  public EntityCodec<Found<T>> unencrypted() {
    return new FoundCodec<>(codec.unencrypted());
  }
}
