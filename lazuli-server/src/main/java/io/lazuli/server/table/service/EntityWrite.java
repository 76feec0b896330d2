package io.lazuli.server.table.service;

import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.IfMatch;
import io.lazuli.server.table.model.Property;
import java.util.List;

/** A change of one entity, alone or as part of a transaction. */
public sealed interface EntityWrite {
  EntityKey key();

  /** Returns the action that the caller must be allowed to perform. */
  TableAction action();

  /** Adds an entity that must not exist yet. */
  record Insert(EntityKey key, List<Property> properties) implements EntityWrite {
    @Override
    public TableAction action() {
      return TableAction.INSERT;
    }
  }

  /** Stores exactly these properties. Without a condition, the entity need not exist. */
  record Replace(EntityKey key, List<Property> properties, IfMatch condition)
      implements EntityWrite {
    @Override
    public TableAction action() {
      return condition.present() ? TableAction.UPDATE : TableAction.UPSERT;
    }
  }

  /** Adds or overwrites these properties. Without a condition, the entity need not exist. */
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
