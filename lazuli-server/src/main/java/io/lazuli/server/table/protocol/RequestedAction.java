package io.lazuli.server.table.protocol;

import io.lazuli.server.table.protocol.ResourcePath.EntityCollection;
import io.lazuli.server.table.protocol.ResourcePath.EntityEntry;
import io.lazuli.server.table.protocol.ResourcePath.PartitionCollection;
import io.lazuli.server.table.protocol.ResourcePath.TableCollection;
import io.lazuli.server.table.protocol.ResourcePath.TableEntry;
import io.lazuli.server.table.service.TableAction;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a request is about to do, as far as its line and its headers tell. Who may not do it learns
 * so before anything else about the request is judged (table-rest 14, step 5).
 *
 * @param table in lower case, whether it is a legal name or not; empty if the action has none
 */
record RequestedAction(TableAction action, String table) {
  /** Null if no operation of the service has this path and method. */
  static @Nullable RequestedAction of(TableRequest request) {
    ResourcePath path = request.path();
    if (path instanceof EntityEntry entry) {
      return named(onEntity(request), entry.table());
    } else if (path instanceof EntityCollection collection) {
      return named(onEntities(request), collection.table());
    } else if (path instanceof PartitionCollection partition) {
      return named(get(request, TableAction.READ), partition.table());
    } else if (path instanceof TableCollection) {
      return named(onTables(request.method()), "");
    } else if (path instanceof TableEntry entry) {
      return named(onTable(request.method()), entry.table());
    }
    return null;
  }

  private static @Nullable RequestedAction named(@Nullable TableAction action, String table) {
    return action == null ? null : new RequestedAction(action, table.toLowerCase(Locale.ROOT));
  }

  private static @Nullable TableAction onEntity(TableRequest request) {
    return switch (request.method()) {
      case "GET" -> TableAction.READ;
      case "PUT", "MERGE", "PATCH" ->
          request.first("If-Match") == null ? TableAction.UPSERT : TableAction.UPDATE;
      case "DELETE" -> TableAction.DELETE;
      default -> null;
    };
  }

  private static @Nullable TableAction onEntities(TableRequest request) {
    return request.method().equals("POST") ? TableAction.INSERT : get(request, TableAction.READ);
  }

  private static @Nullable TableAction onTables(String method) {
    return switch (method) {
      case "GET" -> TableAction.QUERY_TABLES;
      case "POST" -> TableAction.CREATE_TABLE;
      default -> null;
    };
  }

  private static @Nullable TableAction onTable(String method) {
    return switch (method) {
      case "GET" -> TableAction.FIND_TABLE;
      case "DELETE" -> TableAction.DELETE_TABLE;
      default -> null;
    };
  }

  private static @Nullable TableAction get(TableRequest request, TableAction action) {
    return request.method().equals("GET") ? action : null;
  }
}
