package io.lazuli.server.table.protocol;

import io.lazuli.server.http.Request;
import io.lazuli.server.table.protocol.ResourcePath.Batch;
import io.lazuli.server.table.protocol.ResourcePath.EntityEntry;
import io.lazuli.server.table.protocol.ResourcePath.Service;
import io.lazuli.server.table.protocol.ResourcePath.TableCollection;
import io.lazuli.server.table.protocol.ResourcePath.TableEntry;

/** Operations of the table service by the names that request logs use (logs-and-metrics.md 4). */
final class OperationName {
  private OperationName() {}

  /** Refuses what cannot be read. */
  static String of(Request request) {
    String method =
        TableRequest.effectiveMethod(request.method(), request.headers().all("X-HTTP-Method"));
    if (method.equals("OPTIONS")) {
      return "TablePreflightRequest";
    }
    String component = request.query().first("comp");
    return of(
        ResourcePath.parse(request.address().path(), request.address().account()),
        method,
        component == null ? "" : component,
        request);
  }

  /**
   * @param method the verb that counts
   */
  static String of(ResourcePath path, String method, String component, Request request) {
    if (path instanceof EntityEntry) {
      return onEntity(method, request);
    } else if (path instanceof Batch) {
      return "EntityGroupTransaction";
    } else if (path instanceof TableEntry) {
      return method.equals("DELETE") ? "DeleteTable" : "QueryTable";
    } else if (path instanceof TableCollection) {
      return method.equals("POST") ? "CreateTable" : "QueryTables";
    } else if (path instanceof Service) {
      return onService(method, component);
    } else if (component.equals("acl")) {
      return method.equals("PUT") ? "SetTableACL" : "GetTableACL";
    }
    return method.equals("POST") ? "InsertEntity" : "QueryEntities";
  }

  private static String onService(String method, String component) {
    if (component.equals("stats")) {
      return "GetTableServiceStats";
    }
    return method.equals("PUT") ? "SetTableServiceProperties" : "GetTableServiceProperties";
  }

  private static String onEntity(String method, Request request) {
    return switch (method) {
      case "GET", "HEAD" -> "QueryEntity";
      case "DELETE" -> "DeleteEntity";
      case "PUT" -> conditional(request) ? "UpdateEntity" : "InsertOrReplaceEntity";
      case "MERGE", "PATCH" -> conditional(request) ? "MergeEntity" : "InsertOrMergeEntity";
      default -> "Unknown";
    };
  }

  private static boolean conditional(Request request) {
    return request.header("If-Match") != null;
  }
}
