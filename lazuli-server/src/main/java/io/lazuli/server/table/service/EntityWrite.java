package io.lazuli.server.table.service;

import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.IfMatch;
import io.lazuli.server.table.model.Property;
import java.util.List;

/** One change of one entity; the same alone and inside a transaction. */
public sealed interface EntityWrite {
  EntityKey key();

  /** Adds an entity that must not be there. */
  record Insert(EntityKey key, List<Property> properties) implements EntityWrite {}

  /** Stores exactly these properties; without a condition also when the entity is not there. */
  record Replace(EntityKey key, List<Property> properties, IfMatch condition)
      implements EntityWrite {}

  /** Adds or overwrites these properties; without a condition also when nothing is there. */
  record Merge(EntityKey key, List<Property> properties, IfMatch condition)
      implements EntityWrite {}

  /** Removes the entity. */
  record Delete(EntityKey key, IfMatch condition) implements EntityWrite {}
}
