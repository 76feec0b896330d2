package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * The codec of a sealed type whose classes share a table. It identifies the class of an entity by
 * the entity's type name or, without one, by the longest matching prefix of its row key.
 */
final class FamilyCodec<T> implements EntityCodec<T> {
  private final Class<?> family;
  private final Map<Class<?>, MappedCodec<?>> byClass = new LinkedHashMap<>();
  private final Map<String, MappedCodec<?>> byTypeName = new HashMap<>();
  private final List<MappedCodec<?>> byPrefix;
  private final Map<String, MappedProperty> properties = new LinkedHashMap<>();

  private FamilyCodec(Class<?> family) {
    this.family = family;
    classes(family).forEach(this::add);
    byPrefix =
        byClass.values().stream()
            .filter(codec -> codec.rowKeyPrefix() != null)
            .sorted(
                Comparator.comparing((MappedCodec<?> codec) -> prefix(codec).length()).reversed())
            .toList();
    if (byPrefix.stream().map(FamilyCodec::prefix).distinct().count() < byPrefix.size()) {
      throw new MappingFailure(
          family.getName() + ": two of its classes have the same @RowKeyPrefix");
    }
  }

  static FamilyCodec<?> of(Class<?> family) {
    return new FamilyCodec<>(family);
  }

  private static Stream<Class<?>> classes(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(FamilyCodec::classes)
        : Stream.of(type);
  }

  private void add(Class<?> type) {
    if (byClass.containsKey(type)) {
      return;
    }
    MappedCodec<?> codec = (MappedCodec<?>) CodecCache.of(type).unencrypted();
    if (codec.tag() == null && codec.rowKeyPrefix() == null) {
      throw new MappingFailure(
          type.getName()
              + " needs a @TypeName or a @RowKeyPrefix, as a class of "
              + family.getName());
    }
    byClass.put(type, codec);
    if (codec.tag() != null && byTypeName.put(codec.tag().name(), codec) != null) {
      throw new MappingFailure(
          family.getName() + ": two of its classes have the @TypeName " + codec.tag().name());
    }
    codec.properties().forEach((member, property) -> add(type, member, property));
  }

  /** Two classes may map members of the same name to properties of different names. */
  private void add(Class<?> type, String member, MappedProperty property) {
    MappedProperty other = properties.putIfAbsent(member, property);
    if (other != null && !other.name().equals(property.name())) {
      properties.put(type.getSimpleName() + "." + member, property);
    }
  }

  private static String prefix(MappedCodec<?> codec) {
    String prefix = codec.rowKeyPrefix();
    return prefix == null ? "" : prefix;
  }

  @Override
  public TableEntity write(T value) {
    return codecOf(value).write(value);
  }

  @Override
  public EntityKey key(T value) {
    return codecOf(value).key(value);
  }

  @SuppressWarnings("unchecked") // The map's keys are the classes of the codecs' values.
  private MappedCodec<T> codecOf(T value) {
    MappedCodec<?> codec = byClass.get(value.getClass());
    if (codec == null) {
      throw new MappingFailure(
          value.getClass().getName() + " is not a class of " + family.getName());
    }
    return (MappedCodec<T>) codec;
  }

  @Override
  @SuppressWarnings("unchecked") // All classes belong to the family.
  public T read(TableEntity entity) {
    MappedCodec<?> codec = codecOf(entity);
    if (codec == null) {
      throw new MappingFailure(
          "%s: neither its %s (%s) nor its row key identifies a class of %s"
              .formatted(
                  EntityKey.of(entity),
                  TypeTag.PROPERTY,
                  entity.getProperty(TypeTag.PROPERTY),
                  family.getName()));
    }
    return (T) codec.read(entity);
  }

  /**
   * Returns the values of entities. A projection needs the members of the classes that it finds,
   * and only those.
   */
  @Override
  public Flux<T> decode(Flux<TableEntity> entities, Set<String> selected) {
    return entities.map(
        entity -> {
          MappedCodec<?> codec = codecOf(entity);
          if (codec != null) {
            codec.checkSelected(selected);
          }
          return read(entity);
        });
  }

  /** Refuses a projection from which no class can be read. */
  @Override
  public void checkSelected(Set<String> selected) {
    if (byClass.values().stream().noneMatch(codec -> codec.leftOut(selected).isEmpty())) {
      byClass.values().forEach(codec -> codec.checkSelected(selected));
    }
  }

  @Override
  public boolean knows(TableEntity entity) {
    return codecOf(entity) != null;
  }

  private @Nullable MappedCodec<?> codecOf(TableEntity entity) {
    TypeTag tag = TypeTag.of(entity);
    if (tag != null && byTypeName.containsKey(tag.name())) {
      return byTypeName.get(tag.name());
    }
    for (MappedCodec<?> codec : byPrefix) {
      if (entity.getRowKey().startsWith(prefix(codec))) {
        return codec;
      }
    }
    return null;
  }

  @Override
  public T withETag(T value, String eTag) {
    return codecOf(value).withETag(value, eTag);
  }

  /** Knows the properties of all classes, because an update may replace one class by another. */
  @Override
  public boolean knowsProperty(String property) {
    return byClass.values().stream().anyMatch(codec -> codec.knowsProperty(property));
  }

  @Override
  public Map<String, MappedProperty> properties() {
    return Map.copyOf(properties);
  }

  @Override
  public Set<String> encryptedProperties() {
    return byClass.values().stream()
        .flatMap(codec -> codec.encryptedProperties().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public Set<String> alwaysSelected() {
    return Set.of(TypeTag.PROPERTY);
  }
}
