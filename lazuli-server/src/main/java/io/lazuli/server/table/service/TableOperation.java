package io.lazuli.server.table.service;

import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.query.Filter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operations of the table service. */
public sealed interface TableOperation {
  /** Returns the table of the operation; null if it has none. */
  @Nullable TableName table();

  /** An operation that needs one permission; a transaction needs one for each of its writes. */
  sealed interface Single extends TableOperation {
    /** Returns the action that the caller must be allowed to perform. */
    TableAction action();
  }

  /** Lists tables, one page at a time. */
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
   * @param filter an additional condition on the entity
   */
  record FindEntity(TableName table, EntityKey key, Filter filter) implements Single {
    @Override
    public TableAction action() {
      return TableAction.READ;
    }
  }

  /**
   * Reads entities, one page at a time.
   *
   * @param from the first key of this page; null for the first page
   */
  record QueryEntities(TableName table, Filter filter, int top, @Nullable EntityKey from)
      implements Single {
    @Override
    public TableAction action() {
      return TableAction.READ;
    }
  }

  /**
   * Explains a query without running it. It needs the permission of the query.
   *
   * @param byAddress true if the request names both keys in its path
   */
  record ExplainQuery(TableName table, Filter filter, boolean byAddress) implements Single {
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
