package io.lazuli.client.entity;

import static java.lang.invoke.MethodType.methodType;

import com.azure.data.tables.models.TableEntity;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The codec of one record or class. */
final class MappedCodec<T> implements EntityCodec<T> {
  /** The service's limit, not counting the keys and the timestamp. */
  private static final int PROPERTIES_MAX = 252;

  private static final MethodHandle BEGUN =
      Handles.of(
          MethodHandles.lookup(),
          MappedCodec.class,
          "begun",
          methodType(TableEntity.class, Object.class));

  private final Class<?> type;
  private final Slot[] properties;
  private final Map<String, MappedProperty> byMember;
  private final Slot partitionKey;
  private final Slot rowKey;
  private final @Nullable Slot eTag;
  private final @Nullable TypeTag tag;
  private final @Nullable String rowKeyPrefix;
  private final Function<Object, Object> reader;
  private final Function<Object, Object> writer;
  private final Set<String> names;
  private final @Nullable ETagSetter eTagSetter;

  private MappedCodec(Class<?> type, Shape shape) {
    this.type = type;
    List<Slot> all = shape.members().stream().map(Slot::of).toList();
    properties =
        all.stream().filter(slot -> slot.part() == Slot.Part.PROPERTY).toArray(Slot[]::new);
    partitionKey = key(all, Slot.Part.PARTITION_KEY);
    rowKey = key(all, Slot.Part.ROW_KEY);
    eTag = atMostOne(all, Slot.Part.E_TAG);
    atMostOne(all, Slot.Part.TIMESTAMP);
    tag = TypeTag.of(type);
    RowKeyPrefix prefix = type.getAnnotation(RowKeyPrefix.class);
    rowKeyPrefix = prefix == null ? null : prefix.value();
    checkNames();
    byMember = byMember();
    reader = shape.reader(all);
    writer = Shape.writer(BEGUN.bindTo(this), List.of(properties));
    names = Stream.of(properties).map(Slot::name).collect(Collectors.toUnmodifiableSet());
    eTagSetter = eTag == null ? null : ETagSetter.of(shape, eTag);
  }

  static MappedCodec<?> of(Class<?> type) {
    return new MappedCodec<>(type, Shape.of(type));
  }

  private Map<String, MappedProperty> byMember() {
    Map<String, MappedProperty> found = new LinkedHashMap<>();
    for (Slot slot : properties) {
      found.put(slot.member().name(), slot.property());
    }
    return Map.copyOf(found);
  }

  private Slot key(List<Slot> all, Slot.Part part) {
    Slot found = atMostOne(all, part);
    if (found == null) {
      String name = part == Slot.Part.ROW_KEY ? "RowKey" : "PartitionKey";
      throw new MappingFailure(
          type.getName() + " has no " + name + "; mark a String member with @" + name);
    }
    return found;
  }

  private @Nullable Slot atMostOne(List<Slot> all, Slot.Part part) {
    List<Slot> found = all.stream().filter(slot -> slot.part() == part).toList();
    if (found.size() > 1) {
      throw found
          .get(1)
          .member()
          .failure("is the same part of the entity as " + found.get(0).member().qualifiedName());
    }
    return found.isEmpty() ? null : found.get(0);
  }

  private void checkNames() {
    Set<String> names = new HashSet<>();
    if (tag != null) {
      names.add(TypeTag.PROPERTY);
    }
    for (Slot slot : properties) {
      if (!names.add(slot.name())) {
        throw slot.member()
            .failure(
                "would be the property "
                    + slot.name()
                    + ", which exists already; give it another @Name");
      }
    }
    if (names.size() > PROPERTIES_MAX) {
      throw new MappingFailure(
          type.getName()
              + " has more than 252 properties; store several of them in one @Json member");
    }
  }

  @Nullable TypeTag tag() {
    return tag;
  }

  @Nullable String rowKeyPrefix() {
    return rowKeyPrefix;
  }

  @Override
  public TableEntity write(T value) {
    return (TableEntity) writer.apply(value);
  }

  /**
   * Creates the entity of a value with its keys, type name and ETag, but without its properties.
   * Called through a method handle.
   */
  TableEntity begun(Object value) {
    EntityKey key = keyOf(value);
    TableEntity entity = new TableEntity(key.partitionKey(), key.rowKey());
    if (tag != null) {
      entity.addProperty(TypeTag.PROPERTY, tag.text());
    }
    String version = eTag == null ? null : eTag.text(value);
    if (version != null) {
      entity.addProperty("odata.etag", version);
    }
    return entity;
  }

  @Override
  @SuppressWarnings("unchecked") // A copy has the class of its original.
  public T withETag(T value, String newETag) {
    return eTagSetter == null ? value : (T) eTagSetter.set(value, newETag);
  }

  @Override
  public boolean knowsProperty(String property) {
    return names.contains(property) || (tag != null && property.equals(TypeTag.PROPERTY));
  }

  @Override
  public EntityKey key(T value) {
    return keyOf(value);
  }

  private EntityKey keyOf(Object value) {
    EntityKey key = new EntityKey(key(partitionKey, value), key(rowKey, value));
    if (rowKeyPrefix != null && !key.rowKey().startsWith(rowKeyPrefix)) {
      throw rowKey.member().failure("must begin with " + rowKeyPrefix + ", but is " + key.rowKey());
    }
    return key;
  }

  private static String key(Slot slot, Object value) {
    String text = slot.text(value);
    if (text == null) {
      throw slot.member().failure("is null; a key must have a value");
    }
    return text;
  }

  @Override
  @SuppressWarnings("unchecked") // The reader calls a constructor of this class.
  public T read(TableEntity entity) {
    checkType(entity);
    try {
      return (T) reader.apply(entity);
    } catch (NullPointerException e) {
      throw refusedNull(entity, e);
    }
  }

  /**
   * Returns the failure of a constructor that refuses null. The code that Kotlin and Lombok
   * generate names only the parameter.
   */
  private RuntimeException refusedNull(TableEntity entity, NullPointerException thrown) {
    List<String> absent =
        Stream.of(properties)
            .map(Slot::name)
            .filter(name -> entity.getProperty(name) == null)
            .toList();
    return type.isRecord() || absent.isEmpty()
        ? thrown
        : new MappingFailure(
            "%s refuses null, and %s has no properties %s"
                .formatted(type.getName(), EntityKey.of(entity), absent),
            thrown);
  }

  private void checkType(TableEntity entity) {
    if (tag == null) {
      return;
    }
    Object text = entity.getProperty(TypeTag.PROPERTY);
    if (text instanceof String found
        && !tag.text().equals(found)
        && !tag.equals(TypeTag.parse(found))) {
      throw new MappingFailure(mismatch(tag, TypeTag.parse(found)) + EntityKey.of(entity));
    }
  }

  private String mismatch(TypeTag expected, TypeTag found) {
    String advice =
        !expected.name().equals(found.name())
            ? ""
            : found.version() < expected.version()
                ? " (use EntityCodec.upcasting so that its codec can read that version)"
                : " (a newer version of this program wrote it)";
    return "%s reads %s, not %s%s: "
        .formatted(type.getName(), expected.text(), found.text(), advice);
  }

  @Override
  public Map<String, MappedProperty> properties() {
    return byMember;
  }

  @Override
  public Set<String> encryptedProperties() {
    return List.of(properties).stream()
        .filter(slot -> slot.member().has(Encrypted.class))
        .map(Slot::name)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the properties that a projection leaves out although their members need a value. */
  List<Slot> leftOut(Set<String> selected) {
    return Stream.of(properties)
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
    TypeTag found = tag == null ? null : TypeTag.of(entity);
    return tag == null || found == null || tag.name().equals(found.name());
  }

  @Override
  public Set<String> alwaysSelected() {
    return tag == null ? Set.of() : Set.of(TypeTag.PROPERTY);
  }
}
