package io.lazuli.server.job.kind;

import io.lazuli.server.job.JobErrors;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.BinaryValue;
import io.lazuli.server.table.model.EntityLimits;
import io.lazuli.server.table.model.IfMatch;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.model.SystemProperties;
import io.lazuli.server.table.protocol.EdmReader;
import io.lazuli.server.table.service.EntityWrite;
import io.lazuli.server.table.service.StoredEntity;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a job does to each entity that it finds. A write is refused if the entity has changed. */
interface Change {
  /** Makes a change of the parameters of an order; throws 400. */
  @FunctionalInterface
  interface Factory {
    Change of(Map<String, String> parameters);
  }

  /** Returns a verb, such as {@code delete}. */
  String verb();

  /** Returns the verb of what has happened. */
  String past();

  /** Returns the write; null if the entity is already as wanted. */
  @Nullable EntityWrite write(StoredEntity entity);

  private static IfMatch unchanged(StoredEntity entity) {
    return IfMatch.timestamp(EntityCodec.ticks(entity.record()));
  }

  static Change delete(Map<String, String> parameters) {
    return new Change() {
      @Override
      public String verb() {
        return "delete";
      }

      @Override
      public String past() {
        return "deleted";
      }

      @Override
      public EntityWrite write(StoredEntity entity) {
        return new EntityWrite.Delete(Tables.key(entity), unchanged(entity));
      }
    };
  }

  /** Sets a property, or removes it if the order has no type. */
  static Change edit(Map<String, String> parameters) {
    String name = parameters.getOrDefault("property", "");
    if (SystemProperties.type(name) != null) {
      throw JobErrors.badOrder("Keys and Timestamp cannot be edited.");
    }
    String type = parameters.get("type");
    Property wanted = type == null ? null : new Property(name, value(name, type, parameters));
    Property named = wanted == null ? new Property(name, new EdmValue.BooleanValue(true)) : wanted;
    EntityLimits.checkNames(List.of(named));
    EntityLimits.checkValues(List.of(named), Integer.MAX_VALUE);
    return new Change() {
      @Override
      public String verb() {
        return "change";
      }

      @Override
      public String past() {
        return "changed";
      }

      @Override
      public @Nullable EntityWrite write(StoredEntity entity) {
        List<Property> stored = EntityCodec.properties(entity.record());
        Property old = find(stored, name);
        if (wanted == null) {
          return old == null
              ? null
              : new EntityWrite.Replace(
                  Tables.key(entity),
                  stored.stream().filter(each -> !each.name().equals(name)).toList(),
                  unchanged(entity));
        }
        return old != null && equal(old.value(), wanted.value())
            ? null
            : new EntityWrite.Merge(Tables.key(entity), List.of(wanted), unchanged(entity));
      }
    };
  }

  private static EdmValue value(String name, String type, Map<String, String> parameters) {
    EdmType known = EdmType.find("Edm." + type);
    String text = parameters.get("value");
    if (known == null || text == null) {
      throw JobErrors.badOrder("The order names no value of a known type.");
    }
    return EdmReader.read(name, known, text);
  }

  private static @Nullable Property find(List<Property> properties, String name) {
    return properties.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
  }

  private static boolean equal(EdmValue a, EdmValue b) {
    return (a instanceof BinaryValue one && b instanceof BinaryValue other)
        ? Arrays.equals(one.value(), other.value())
        : a.equals(b);
  }
}
