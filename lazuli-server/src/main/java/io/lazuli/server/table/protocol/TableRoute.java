package io.lazuli.server.table.protocol;

import static io.lazuli.server.event.OperationKind.DELETE;
import static io.lazuli.server.event.OperationKind.READ;
import static io.lazuli.server.event.OperationKind.WRITE;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.http.Response;
import io.lazuli.server.settings.SettingsRoute;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.protocol.ResourcePath.Batch;
import io.lazuli.server.table.protocol.ResourcePath.EntityCollection;
import io.lazuli.server.table.protocol.ResourcePath.EntityEntry;
import io.lazuli.server.table.protocol.ResourcePath.Metadata;
import io.lazuli.server.table.protocol.ResourcePath.PartitionCollection;
import io.lazuli.server.table.protocol.ResourcePath.Service;
import io.lazuli.server.table.protocol.ResourcePath.TableCollection;
import io.lazuli.server.table.protocol.ResourcePath.TableEntry;
import io.lazuli.server.table.service.TableAction;
import io.lazuli.server.table.service.TableOperation;
import io.lazuli.storage.Deadline;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The table of operations of the table service (table-rest 6): the documented name, kind,
 * permission and decoder of each. {@link #of} finds the operation of a request or of a part of a
 * batch.
 */
enum TableRoute implements OperationType {
  QUERY_TABLES("QueryTables", READ, TableAction.QUERY_TABLES, OperationDecoder::queryTables),
  QUERY_TABLE("QueryTable", READ, TableAction.FIND_TABLE, OperationDecoder::findTable),
  CREATE_TABLE("CreateTable", WRITE, TableAction.CREATE_TABLE, OperationDecoder::createTable),
  DELETE_TABLE("DeleteTable", DELETE, TableAction.DELETE_TABLE, OperationDecoder::deleteTable),
  /** The request names both keys. */
  QUERY_ENTITY("QueryEntity", READ, TableAction.READ, OperationDecoder::findEntity),
  QUERY_ENTITIES("QueryEntities", READ, TableAction.READ, OperationDecoder::queryEntities),
  INSERT_ENTITY("InsertEntity", WRITE, TableAction.INSERT, OperationDecoder::insert),
  UPDATE_ENTITY("UpdateEntity", WRITE, TableAction.UPDATE, OperationDecoder::replace),
  INSERT_OR_REPLACE_ENTITY(
      "InsertOrReplaceEntity", WRITE, TableAction.UPSERT, OperationDecoder::replace),
  MERGE_ENTITY("MergeEntity", WRITE, TableAction.UPDATE, OperationDecoder::merge),
  INSERT_OR_MERGE_ENTITY("InsertOrMergeEntity", WRITE, TableAction.UPSERT, OperationDecoder::merge),
  DELETE_ENTITY("DeleteEntity", DELETE, TableAction.DELETE, OperationDecoder::delete),
  /** Each operation in the batch has its own route and permission. */
  ENTITY_GROUP_TRANSACTION("EntityGroupTransaction", WRITE, TableEndpoint::batch),
  GET_TABLE_ACL("GetTableACL", SettingsRoute.READ_POLICIES),
  SET_TABLE_ACL("SetTableACL", SettingsRoute.REPLACE_POLICIES),
  /**
   * Not an operation. It is refused after the checks of the table's name and of the caller's
   * permission.
   */
  OTHER_TABLE_ACL("Unknown", SettingsRoute.REFUSE_POLICIES),
  GET_TABLE_SERVICE_PROPERTIES("GetTableServiceProperties", SettingsRoute.READ_PROPERTIES),
  SET_TABLE_SERVICE_PROPERTIES("SetTableServiceProperties", SettingsRoute.CHANGE_PROPERTIES),
  GET_TABLE_SERVICE_STATS("GetTableServiceStats", SettingsRoute.READ_STATS),
  /** The pipeline answers preflight requests, so they never reach the endpoint. */
  TABLE_PREFLIGHT_REQUEST(
      "TablePreflightRequest",
      READ,
      (endpoint, request, deadline) -> {
        throw new IllegalStateException("the pipeline answers preflight requests");
      });

  /** Answers a request once its operation is known. */
  private interface Handler {
    CompletionStage<Response> handle(
        TableEndpoint endpoint, RoutedRequest request, Deadline deadline);
  }

  private final String documentedName;
  private final OperationKind kind;
  private final @Nullable TableAction action;

  @SuppressWarnings("ImmutableEnumChecker") // No decoder has state.
  private final @Nullable Function<TableRequest, TableOperation> decoder;

  @SuppressWarnings("ImmutableEnumChecker") // No handler has state.
  private final Handler handler;

  /**
   * Creates an operation that the table service executes. Operations on entities may be parts of a
   * batch.
   */
  TableRoute(
      String documentedName,
      OperationKind kind,
      TableAction action,
      Function<TableRequest, TableOperation> decoder) {
    this.documentedName = documentedName;
    this.kind = kind;
    this.action = action;
    this.decoder = decoder;
    this.handler = TableEndpoint::execute;
  }

  TableRoute(String documentedName, OperationKind kind, Handler handler) {
    this.documentedName = documentedName;
    this.kind = kind;
    this.action = null;
    this.decoder = null;
    this.handler = handler;
  }

  /** Creates an operation that every service has. */
  TableRoute(String documentedName, SettingsRoute settings) {
    this(
        documentedName,
        settings.kind(),
        (endpoint, request, deadline) -> endpoint.settings(request, settings, deadline));
  }

  @Override
  public String documentedName() {
    return documentedName;
  }

  @Override
  public OperationKind kind() {
    return kind;
  }

  /** Returns true also for a transaction, which may hold a single read instead of writes. */
  @Override
  public boolean mayRead() {
    return kind == READ || this == ENTITY_GROUP_TRANSACTION;
  }

  CompletionStage<Response> handle(
      TableEndpoint endpoint, RoutedRequest request, Deadline deadline) {
    return handler.handle(endpoint, request, deadline);
  }

  /**
   * Returns the action that the caller must be allowed to perform. Only operations that the table
   * service executes have one.
   */
  TableAction action() {
    return Objects.requireNonNull(action, documentedName);
  }

  /** Decodes a request. Only operations that the table service executes have a decoder. */
  TableOperation decode(TableRequest request) {
    return Objects.requireNonNull(decoder, documentedName).apply(request);
  }

  /**
   * Finds the operation that a request asks for; throws if the service has no such operation.
   *
   * @param component the parameter {@code comp}, already checked against the path; empty if there
   *     is none
   */
  static TableRoute of(TableRequest request, String component) {
    ResourcePath path = request.path();
    if (path instanceof Service) {
      return of(
          SettingsRoute.ofService(request.method(), component, CommonErrors.METHOD_NOT_ALLOWED));
    } else if (!component.isEmpty()) {
      return of(SettingsRoute.ofPolicies(request.method()));
    } else if (path instanceof Batch) {
      if (!request.method().equals("POST")) {
        throw wrongMethod();
      }
      return ENTITY_GROUP_TRANSACTION;
    }
    return of(request);
  }

  private static TableRoute of(SettingsRoute settings) {
    return switch (settings) {
      case READ_PROPERTIES -> GET_TABLE_SERVICE_PROPERTIES;
      case CHANGE_PROPERTIES -> SET_TABLE_SERVICE_PROPERTIES;
      case READ_STATS -> GET_TABLE_SERVICE_STATS;
      case READ_POLICIES -> GET_TABLE_ACL;
      case REPLACE_POLICIES -> SET_TABLE_ACL;
      case REFUSE_POLICIES -> OTHER_TABLE_ACL;
    };
  }

  /**
   * Finds the operation on tables or entities that a request asks for, whether it was sent alone or
   * in a batch.
   */
  static TableRoute of(TableRequest request) {
    ResourcePath path = request.path();
    if (path instanceof EntityEntry) {
      return onEntity(request);
    } else if (path instanceof EntityCollection) {
      return onEntities(request.method());
    } else if (path instanceof PartitionCollection) {
      return onPartition(request);
    } else if (path instanceof TableCollection) {
      return onTables(request.method());
    } else if (path instanceof TableEntry) {
      return onTable(request.method());
    } else if (path instanceof Service || path instanceof Batch || path instanceof Metadata) {
      throw CommonErrors.NOT_IMPLEMENTED.exception();
    }
    throw new IllegalStateException("unknown path: " + path.getClass());
  }

  private static TableRoute onEntity(TableRequest request) {
    boolean conditional = request.first("If-Match") != null;
    return switch (request.method()) {
      case "GET" -> QUERY_ENTITY;
      case "PUT" -> conditional ? UPDATE_ENTITY : INSERT_OR_REPLACE_ENTITY;
      case "MERGE", "PATCH" -> conditional ? MERGE_ENTITY : INSERT_OR_MERGE_ENTITY;
      case "DELETE" -> DELETE_ENTITY;
      default -> throw wrongMethod();
    };
  }

  private static TableRoute onEntities(String method) {
    return switch (method) {
      case "GET" -> QUERY_ENTITIES;
      case "POST" -> INSERT_ENTITY;
      default -> throw wrongMethod();
    };
  }

  /**
   * Routes a path that names one partition, a form that only the design guide uses (table-rest 2.2,
   * rule 7).
   */
  private static TableRoute onPartition(TableRequest request) {
    if (!request.method().equals("GET")) {
      throw TableErrors.WRONG_KEY_COUNT
          .exception()
          .with("resource", request.account() + "." + request.path().table());
    }
    return QUERY_ENTITIES;
  }

  private static TableRoute onTables(String method) {
    return switch (method) {
      case "GET" -> QUERY_TABLES;
      case "POST" -> CREATE_TABLE;
      default -> throw wrongMethod();
    };
  }

  private static TableRoute onTable(String method) {
    return switch (method) {
      case "GET" -> QUERY_TABLE;
      case "DELETE" -> DELETE_TABLE;
      default -> throw wrongMethod();
    };
  }

  private static ServiceException wrongMethod() {
    return CommonErrors.METHOD_NOT_ALLOWED.exception();
  }
}
