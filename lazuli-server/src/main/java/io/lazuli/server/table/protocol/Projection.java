package io.lazuli.server.table.protocol;

import io.lazuli.server.table.encoding.Utf8;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties that an answer shows. Names are not checked; a property that an entity lacks is
 * shown as null (table-rest 7.5).
 *
 * @param names the selected names in the order of the request; empty for all properties
 * @param ownNames the selected names in UTF-8, without system properties and annotations
 */
record Projection(List<String> names, List<byte[]> ownNames) {
  /** All properties. */
  static final Projection ALL = new Projection(List.of(), List.of());

  private static final Set<String> SYSTEM = Set.of("PartitionKey", "RowKey", "Timestamp");

  /** Parses the value of {@code $select}. */
  static Projection parse(@Nullable String select) {
    if (select == null || select.isBlank()) {
      return ALL;
    }
    Set<String> names = new LinkedHashSet<>();
    for (String name : select.split(",", -1)) {
      if (!name.isBlank()) {
        names.add(name.strip());
      }
    }
    if (names.isEmpty() || names.contains("*")) {
      return ALL;
    }
    List<byte[]> own = new ArrayList<>();
    for (String name : names) {
      if (!SYSTEM.contains(name) && !isAnnotation(name)) {
        own.add(Utf8.encodeValue(name));
      }
    }
    return new Projection(List.copyOf(names), List.copyOf(own));
  }

  /**
   * Returns true for names of annotations. A property cannot have such a name, and a null value for
   * it would clash with the annotation itself.
   */
  private static boolean isAnnotation(String name) {
    return name.startsWith("odata.") || name.contains("@");
  }

  boolean isAll() {
    return names.isEmpty();
  }

  boolean shows(String name) {
    return names.isEmpty() || names.contains(name);
  }

  /** Returns the projection's part of the metadata URL; empty for all properties. */
  String suffix() {
    return names.isEmpty() ? "" : "&$select=" + String.join(",", names);
  }
}
