package io.lazuli.server.table.protocol;

import io.lazuli.server.table.encoding.Utf8;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which properties an answer shows. Names are taken as they come; what an entity lacks is shown as
 * null (table-rest 7.5).
 *
 * @param names in the order asked for; empty for everything
 */
record Projection(List<String> names, List<byte[]> ownNames) {
  /** Everything. */
  static final Projection ALL = new Projection(List.of(), List.of());

  private static final Set<String> SYSTEM = Set.of("PartitionKey", "RowKey", "Timestamp");

  /** Reads {@code $select}. */
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

  /** No property can have such a name; as null it would stand beside the annotation itself. */
  private static boolean isAnnotation(String name) {
    return name.startsWith("odata.") || name.contains("@");
  }

  boolean isAll() {
    return names.isEmpty();
  }

  boolean shows(String name) {
    return names.isEmpty() || names.contains(name);
  }

  /** What the metadata URL says of the projection. */
  String suffix() {
    return names.isEmpty() ? "" : "&$select=" + String.join(",", names);
  }
}
