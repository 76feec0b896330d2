package io.lazuli.server.table.service;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.KeyLimits;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.SystemTables;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.service.TableOperation.FindEntity;
import io.lazuli.server.table.service.TableOperation.Single;
import io.lazuli.server.table.service.TableOperation.WriteEntities;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the caller may carry out an operation (auth 4.5, 5 and 6.2), before anything is
 * read. A transaction is checked write by write; one write that is not allowed refuses all of them.
 * A query outside the caller's keys is not refused: {@link #range} limits it.
 */
public final class TableAccess {
  /** The actions that clients may do with the server's own tables (logs-and-metrics 6). */
  private static final Set<TableAction> ON_SYSTEM_TABLES =
      EnumSet.of(TableAction.FIND_TABLE, TableAction.READ, TableAction.DELETE);

  private TableAccess() {}

  /** Throws if the operation is not allowed. */
  static void check(TableOperation operation, Access access) {
    TableName addressed = operation.table();
    if (access instanceof Access.Full && (addressed == null || !addressed.isSystem())) {
      return;
    }
    if (operation instanceof WriteEntities write) {
      write.writes().forEach(each -> checkWrite(write.table(), each, access));
    } else if (operation instanceof Single single) {
      require(access, single.action(), addressed == null ? "" : addressed.key());
      if (single instanceof FindEntity find) {
        requireVisible(find.key(), access);
      }
    } else {
      throw new IllegalStateException("unknown operation: " + operation.getClass());
    }
  }

  /**
   * Throws if the caller may not perform the action on the table, whatever the keys.
   *
   * @param table the key of the table in the catalogue; empty if the action has none
   */
  static void require(Access access, TableAction action, String table) {
    access.require(action.permission(), table);
    if (!ON_SYSTEM_TABLES.contains(action) && SystemTables.contains(table)) {
      throw CommonErrors.AUTHORIZATION_FAILURE.exception();
    }
  }

  /** Returns the keys that the caller may see. */
  static KeyRange range(Access access) {
    KeyLimits keys = access.keys();
    return keys.equals(KeyLimits.NONE) ? KeyRange.ALL : new KeyRange(first(keys), end(keys));
  }

  private static void checkWrite(TableName table, EntityWrite write, Access access) {
    require(access, write.action(), table.key());
    if (!isWithin(write.key(), access)) {
      throw CommonErrors.AUTHORIZATION_FAILURE.exception();
    }
  }

  /** Throws 404 if the caller may not see the entity. */
  private static void requireVisible(EntityKey key, Access access) {
    if (!isWithin(key, access)) {
      throw CommonErrors.RESOURCE_NOT_FOUND.exception();
    }
  }

  /** Returns whether a key is among those that the caller may see and change. */
  public static boolean isWithin(EntityKey key, Access access) {
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
