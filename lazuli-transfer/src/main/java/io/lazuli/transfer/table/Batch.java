package io.lazuli.transfer.table;

import io.lazuli.transfer.entity.EdmType;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.Property;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects entities for one transaction, within its limits (table-rest 8.1). Mutable. */
final class Batch {
  private static final int ENTITIES_MAX = 100;

  /** A transaction may have 4 MiB. Each operation also has a head, with its key in the URL. */
  private static final long BYTES_MAX = 3_500_000;

  private static final int HEAD_BYTES = 512;

  private final List<Entity> entities = new ArrayList<>();
  private final Set<String> rows = new HashSet<>();
  private long bytes;

  boolean isEmpty() {
    return entities.isEmpty();
  }

  /** Returns whether an entity may be added. The first one always may. */
  boolean accepts(Entity entity) {
    return entities.isEmpty()
        || (entities.size() < ENTITIES_MAX
            && bytes + size(entity) <= BYTES_MAX
            && entities.get(0).key().partition().equals(entity.key().partition())
            && !rows.contains(entity.key().row()));
  }

  void add(Entity entity) {
    entities.add(entity);
    rows.add(entity.key().row());
    bytes += size(entity);
  }

  /** Returns an upper bound of the bytes of an operation: a character has at most six as JSON. */
  private static long size(Entity entity) {
    long size =
        HEAD_BYTES + 18L * (entity.key().partition().length() + entity.key().row().length());
    for (Property property : entity.properties()) {
      size += 64 + 6L * property.name().length();
      size += property.type() == EdmType.STRING ? bytes(property.text()) : property.text().length();
    }
    return size;
  }

  private static long bytes(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c >= 0x20 && c < 0x7f ? (c == '"' || c == '\\' ? 2 : 1) : 6;
    }
    return bytes;
  }

  List<Entity> take() {
    List<Entity> taken = List.copyOf(entities);
    entities.clear();
    rows.clear();
    bytes = 0;
    return taken;
  }
}
