package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A codec that also reads the entities of an older class and converts them. */
final class UpcastingCodec<T, O> extends ForwardingCodec<T> {
  private final EntityCodec<O> old;
  private final TypeTag tag;
  private final Function<? super O, ? extends T> upcast;

  private UpcastingCodec(
      EntityCodec<T> current,
      EntityCodec<O> old,
      TypeTag tag,
      Function<? super O, ? extends T> upcast) {
    super(current);
    this.old = old;
    this.tag = tag;
    this.upcast = upcast;
  }

  static <T, O> EntityCodec<T> of(
      EntityCodec<T> current, Class<O> old, Function<? super O, ? extends T> upcast) {
    TypeTag tag = TypeTag.of(old);
    if (tag == null) {
      throw new MappingFailure(
          old.getName() + " needs a @TypeName that distinguishes it from newer versions");
    }
    return new UpcastingCodec<>(current, EntityCodec.of(old), tag, upcast);
  }

  @Override
  public T read(TableEntity entity) {
    return isOld(entity) ? upcast.apply(old.read(entity)) : codec.read(entity);
  }

  private boolean isOld(TableEntity entity) {
    return tag.equals(TypeTag.of(entity));
  }

  @Override
  public Flux<T> decode(Flux<TableEntity> entities, Set<String> selected) {
    return entities.map(this::read);
  }

  @Override
  public Mono<T> decode(TableEntity entity) {
    return Mono.fromSupplier(() -> read(entity));
  }

  /** Knows the properties of both classes, because the newer one replaces the older one. */
  @Override
  public boolean knowsProperty(String property) {
    return codec.knowsProperty(property) || old.knowsProperty(property);
  }

  @Override
  public Mono<TableEntity> encodeOver(TableEntity stored, T value) {
    return encode(value, TableTransactionActionType.UPDATE_REPLACE)
        .map(next -> UnknownProperties.carry(stored, next, this::knowsProperty));
  }

  /** Returns the properties of both versions, so that a query can find both. */
  @Override
  public Map<String, MappedProperty> properties() {
    Map<String, MappedProperty> both = new LinkedHashMap<>(old.properties());
    both.putAll(codec.properties());
    return Map.copyOf(both);
  }

  @Override
  public Set<String> alwaysSelected() {
    Set<String> names = new HashSet<>(codec.alwaysSelected());
    names.add(TypeTag.PROPERTY);
    return Set.copyOf(names);
  }

  @Override
  public EntityCodec<T> unencrypted() {
    return new UpcastingCodec<>(codec.unencrypted(), old, tag, upcast);
  }

  @Override
  public boolean knows(TableEntity entity) {
    return isOld(entity) || codec.knows(entity);
  }
}
