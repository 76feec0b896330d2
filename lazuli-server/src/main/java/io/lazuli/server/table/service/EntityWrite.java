package io.lazuli.server.table.service;

import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.IfMatch;
import io.lazuli.server.table.model.Property;
import java.util.List;

/** One change of one entity; the same alone and inside a transaction. */
public sealed interface EntityWrite {
  EntityKey key();

  /** What the caller must be allowed to do. */
  TableAction action();

  /** Adds an entity that must not be there. */
  record Insert(EntityKey key, List<Property> properties) implements EntityWrite {
    @Override
    public TableAction action() {
      return TableAction.INSERT;
    }
  }

  /** Stores exactly these properties; without a condition also when the entity is not there. */
  record Replace(EntityKey key, List<Property> properties, IfMatch condition)
      implements EntityWrite {
    @Override
    public TableAction action() {
      return condition.present() ? TableAction.UPDATE : TableAction.UPSERT;
    }
  }

  /** Adds or overwrites these properties; without a condition also when nothing is there. */
  record Merge(EntityKey key, List<Property> properties, IfMatch condition) implements EntityWrite {
    @Override
    public TableAction action() {
      return condition.present() ? TableAction.UPDATE : TableAction.UPSERT;
    }
  }

  /** Removes the entity. */
  record Delete(EntityKey key, IfMatch condition) implements EntityWrite {
    @Override
    public TableAction action() {
      return TableAction.DELETE;
    }
  }
}
