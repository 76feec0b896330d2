package io.lazuli.server.table.service;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.KeyLimits;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.service.TableOperation.CreateTable;
import io.lazuli.server.table.service.TableOperation.DeleteTable;
import io.lazuli.server.table.service.TableOperation.FindEntity;
import io.lazuli.server.table.service.TableOperation.FindTable;
import io.lazuli.server.table.service.TableOperation.QueryEntities;
import io.lazuli.server.table.service.TableOperation.QueryTables;
import io.lazuli.server.table.service.TableOperation.WriteEntities;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import org.jspecify.annotations.Nullable;

/**
 * Judges every operation against what its caller may do (auth.md 4.5, 5 and 6.2), before anything
 * is read. A transaction is judged write by write; one that is not allowed refuses all. Queries
 * outside the caller's keys are not refused: {@link #range} narrows them.
 */
final class TableAccess {
  private TableAccess() {}

  /** Passes if the operation is allowed; throws what to answer otherwise. */
  static void check(TableOperation operation, Access access) {
    if (access instanceof Access.Full) {
      return;
    }
    if (operation instanceof FindEntity find) {
      require(access, TableAction.READ, find.table().key());
      requireVisible(find.key(), access);
    } else if (operation instanceof WriteEntities write) {
      write.writes().forEach(each -> checkWrite(write.table(), each, access));
    } else if (operation instanceof QueryEntities query) {
      require(access, TableAction.READ, query.table().key());
    } else {
      checkBeyondEntities(operation, access);
    }
  }

  private static void checkBeyondEntities(TableOperation operation, Access access) {
    if (operation instanceof QueryTables) {
      require(access, TableAction.QUERY_TABLES, "");
    } else if (operation instanceof FindTable find) {
      require(access, TableAction.FIND_TABLE, find.table().key());
    } else if (operation instanceof CreateTable create) {
      require(access, TableAction.CREATE_TABLE, create.table().key());
    } else {
      require(access, TableAction.DELETE_TABLE, ((DeleteTable) operation).table().key());
    }
  }

  /**
   * Passes if the caller may do that with the table, whatever the keys.
   *
   * @param table as the catalogue knows it; empty if the action has none
   */
  static void require(Access access, TableAction action, String table) {
    access.require(action.permission(), table);
  }

  /** The keys that the caller may see. */
  static KeyRange range(Access access) {
    KeyLimits keys = access.keys();
    return keys.equals(KeyLimits.NONE) ? KeyRange.ALL : new KeyRange(first(keys), end(keys));
  }

  private static void checkWrite(TableName table, EntityWrite write, Access access) {
    require(access, action(write), table.key());
    if (!isWithin(write.key(), access)) {
      throw CommonErrors.AUTHORIZATION_FAILURE.exception();
    }
  }

  /** An entity that the caller may not see is not there. */
  private static void requireVisible(EntityKey key, Access access) {
    if (!isWithin(key, access)) {
      throw CommonErrors.RESOURCE_NOT_FOUND.exception();
    }
  }

  /** Without a condition a replacement or a merge may insert. */
  private static TableAction action(EntityWrite write) {
    if (write instanceof EntityWrite.Insert) {
      return TableAction.INSERT;
    } else if (write instanceof EntityWrite.Replace replace) {
      return replace.condition().present() ? TableAction.UPDATE : TableAction.UPSERT;
    } else if (write instanceof EntityWrite.Merge merge) {
      return merge.condition().present() ? TableAction.UPDATE : TableAction.UPSERT;
    }
    return TableAction.DELETE;
  }

  private static boolean isWithin(EntityKey key, Access access) {
    KeyRange range = range(access);
    Position at = position(key.partitionKey(), key.rowKey());
    Position end = range.to();
    return at.compareTo(range.from()) >= 0 && (end == null || at.compareTo(end) < 0);
  }

  private static Position first(KeyLimits keys) {
    String partition = keys.firstPartition();
    String row = keys.firstRow();
    return partition == null ? Position.START : position(partition, row == null ? "" : row);
  }

  private static @Nullable Position end(KeyLimits keys) {
    String partition = keys.lastPartition();
    String row = keys.lastRow();
    if (partition == null) {
      return null;
    }
    return row == null
        ? Position.endOf(Bytes.of(Utf8.encodeKey(partition)))
        : position(partition, row).successor();
  }

  private static Position position(String partition, String row) {
    return new Position(Bytes.of(Utf8.encodeKey(partition)), Bytes.of(Utf8.encodeKey(row)));
  }
}
