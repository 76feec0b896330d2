package io.lazuli.server.table.service;

import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.query.Filter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything that can be asked of the table service. */
public sealed interface TableOperation {
  /** The table it is about; null if it is about none. */
  @Nullable TableName table();

  /** An operation that needs one permission; a transaction needs one for each of its writes. */
  sealed interface Single extends TableOperation {
    /** What the caller must be allowed to do. */
    TableAction action();
  }

  /** Lists tables, by page. */
  record QueryTables(Filter filter, int top, String fromKey) implements Single {
    @Override
    public @Nullable TableName table() {
      return null;
    }

    @Override
    public TableAction action() {
      return TableAction.QUERY_TABLES;
    }
  }

  /** Looks up one table. */
  record FindTable(TableName table) implements Single {
    @Override
    public TableAction action() {
      return TableAction.FIND_TABLE;
    }
  }

  record CreateTable(TableName table) implements Single {
    @Override
    public TableAction action() {
      return TableAction.CREATE_TABLE;
    }
  }

  record DeleteTable(TableName table) implements Single {
    @Override
    public TableAction action() {
      return TableAction.DELETE_TABLE;
    }
  }

  /**
   * Reads one entity.
   *
   * @param filter what it must match besides
   */
  record FindEntity(TableName table, EntityKey key, Filter filter) implements Single {
    @Override
    public TableAction action() {
      return TableAction.READ;
    }
  }

  /**
   * Reads entities, by page.
   *
   * @param from first key of this page; null for the first page
   */
  record QueryEntities(TableName table, Filter filter, int top, @Nullable EntityKey from)
      implements Single {
    @Override
    public TableAction action() {
      return TableAction.READ;
    }
  }

  /** Changes entities of one partition, all or none. */
  record WriteEntities(TableName table, List<EntityWrite> writes) implements TableOperation {
    public WriteEntities {
      writes = List.copyOf(writes);
    }
  }
}
