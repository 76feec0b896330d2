package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The codec of one record or class. */
abstract class MappedCodec<T> implements EntityCodec<T> {
  private final Mapping mapping;
  private final Map<String, MappedProperty> byMember;
  private final Set<String> names;
  private final @Nullable ETagSetter eTagSetter;

  MappedCodec(Shape shape, Mapping mapping) {
    this.mapping = mapping;
    this.byMember = mapping.byMember();
    this.names =
        mapping.properties().stream().map(Slot::name).collect(Collectors.toUnmodifiableSet());
    this.eTagSetter = mapping.eTag() == null ? null : ETagSetter.of(shape, mapping.eTag());
  }

  static MappedCodec<?> of(Class<?> type) {
    Shape shape = Shape.of(type);
    return CompiledCodec.Maker.of(shape, Mapping.of(shape));
  }

  @Nullable TypeTag tag() {
    return mapping.tag();
  }

  @Nullable String rowKeyPrefix() {
    return mapping.rowKeyPrefix();
  }

  @Override
  @SuppressWarnings("unchecked") // A copy has the class of its original.
  public T withETag(T value, String newETag) {
    return eTagSetter == null ? value : (T) eTagSetter.set(value, newETag);
  }

  @Override
  public boolean knowsProperty(String property) {
    return names.contains(property) || (tag() != null && property.equals(TypeTag.PROPERTY));
  }

  @Override
  public EntityKey key(T value) {
    return mapping.key(value);
  }

  @Override
  public Map<String, MappedProperty> properties() {
    return byMember;
  }

  @Override
  public Set<String> encryptedProperties() {
    return mapping.properties().stream()
        .filter(slot -> slot.member().has(Encrypted.class))
        .map(Slot::name)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the properties that a projection leaves out although their members need a value. */
  List<Slot> leftOut(Set<String> selected) {
    return mapping.properties().stream()
        .filter(slot -> !slot.mayBeAbsent() && !selected.contains(slot.name()))
        .toList();
  }

  @Override
  public void checkSelected(Set<String> selected) {
    List<Slot> leftOut = selected.isEmpty() ? List.of() : leftOut(selected);
    if (!leftOut.isEmpty()) {
      throw leftOut
          .get(0)
          .member()
          .failure(
              "is missing: the query selects only %s; select %s too, or read a smaller type with as(…)"
                  .formatted(
                      new TreeSet<>(selected),
                      leftOut.stream().map(Slot::name).collect(Collectors.joining(", "))));
    }
  }

  @Override
  public boolean knows(TableEntity entity) {
    TypeTag expected = tag();
    TypeTag found = expected == null ? null : TypeTag.of(entity);
    return expected == null || found == null || expected.name().equals(found.name());
  }

  @Override
  public Set<String> alwaysSelected() {
    return tag() == null ? Set.of() : Set.of(TypeTag.PROPERTY);
  }
}
