package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the entities of a type store its members. It is a record because the virtual machine treats
 * the fields of records as constants.
 *
 * @param slots the slots of all members, in their order
 * @param properties the slots of the members that are properties
 */
record Mapping(
    Class<?> type,
    List<Slot> slots,
    List<Slot> properties,
    Slot partitionKey,
    Slot rowKey,
    @Nullable Slot eTag,
    @Nullable TypeTag tag,
    @Nullable String typeName,
    @Nullable String rowKeyPrefix) {
  /** The service's limit, not counting the keys and the timestamp. */
  private static final int PROPERTIES_MAX = 252;

  static Mapping of(Shape shape) {
    Class<?> type = shape.type();
    List<Slot> slots = shape.members().stream().map(Slot::of).toList();
    List<Slot> properties =
        slots.stream().filter(slot -> slot.part() == Slot.Part.PROPERTY).toList();
    atMostOne(slots, Slot.Part.TIMESTAMP);
    TypeTag tag = TypeTag.of(type);
    RowKeyPrefix prefix = type.getAnnotation(RowKeyPrefix.class);
    Mapping mapping =
        new Mapping(
            type,
            slots,
            properties,
            key(type, slots, Slot.Part.PARTITION_KEY),
            key(type, slots, Slot.Part.ROW_KEY),
            atMostOne(slots, Slot.Part.E_TAG),
            tag,
            tag == null ? null : tag.text(),
            prefix == null ? null : prefix.value());
    mapping.checkNames();
    return mapping;
  }

  private static Slot key(Class<?> type, List<Slot> all, Slot.Part part) {
    Slot found = atMostOne(all, part);
    if (found == null) {
      String name = part == Slot.Part.ROW_KEY ? "RowKey" : "PartitionKey";
      throw new MappingFailure(
          type.getName() + " has no " + name + "; mark a String member with @" + name);
    }
    return found;
  }

  private static @Nullable Slot atMostOne(List<Slot> all, Slot.Part part) {
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

  Map<String, MappedProperty> byMember() {
    Map<String, MappedProperty> found = new LinkedHashMap<>();
    for (Slot slot : properties) {
      found.put(slot.member().name(), slot.property());
    }
    return Map.copyOf(found);
  }

  /**
   * Creates the entity of a value with its keys, type name and ETag, but without its properties.
   * Called through a method handle.
   */
  TableEntity begun(Object value) {
    TableEntity entity = new TableEntity(key(partitionKey, value), rowKey(value));
    if (typeName != null) {
      entity.addProperty(TypeTag.PROPERTY, typeName);
    }
    String version = eTag == null ? null : eTag.text(value);
    if (version != null) {
      entity.addProperty("odata.etag", version);
    }
    return entity;
  }

  EntityKey key(Object value) {
    return new EntityKey(key(partitionKey, value), rowKey(value));
  }

  private String rowKey(Object value) {
    String key = key(rowKey, value);
    if (rowKeyPrefix != null && !key.startsWith(rowKeyPrefix)) {
      throw rowKey.member().failure("must begin with " + rowKeyPrefix + ", but is " + key);
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

  /** Refuses an entity of another type or version. An entity without a type name is accepted. */
  void checkType(TableEntity entity) {
    if (typeName != null
        && entity.getProperty(TypeTag.PROPERTY) instanceof String found
        && !typeName.equals(found)) {
      checkType(entity, TypeTag.parse(found));
    }
  }

  private void checkType(TableEntity entity, TypeTag found) {
    if (tag != null && !tag.equals(found)) {
      throw new MappingFailure(mismatch(tag, found) + EntityKey.of(entity));
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

  /**
   * Returns the failure of a constructor that refuses null. The code that Kotlin and Lombok
   * generate names only the parameter.
   */
  RuntimeException refusedNull(TableEntity entity, NullPointerException thrown) {
    List<String> absent =
        properties.stream()
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
}
