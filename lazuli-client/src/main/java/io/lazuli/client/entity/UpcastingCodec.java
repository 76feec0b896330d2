package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** A codec that also reads the entities of an older class and converts them. */
record UpcastingCodec<T, O>(
    EntityCodec<T> current,
    EntityCodec<O> old,
    TypeTag tag,
    Function<? super O, ? extends T> upcast)
    implements EntityCodec<T> {

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
    return tag.equals(TypeTag.of(entity)) ? upcast.apply(old.read(entity)) : current.read(entity);
  }

  @Override
  public TableEntity write(T value) {
    return current.write(value);
  }

  @Override
  public EntityKey key(T value) {
    return current.key(value);
  }

  @Override
  public Map<String, MappedProperty> properties() {
    return current.properties();
  }

  @Override
  public Set<String> encryptedProperties() {
    return current.encryptedProperties();
  }

  @Override
  public Set<String> alwaysSelected() {
    Set<String> names = new HashSet<>(current.alwaysSelected());
    names.add(TypeTag.PROPERTY);
    return Set.copyOf(names);
  }
}
