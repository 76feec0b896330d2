package io.lazuli.server.table.protocol;

import io.lazuli.server.access.Caller;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.RequestDetails;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.protocol.RequestDeadline;
import io.lazuli.server.settings.SettingsEndpoint;
import io.lazuli.server.settings.SettingsService;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.protocol.ResourcePath.Batch;
import io.lazuli.server.table.protocol.ResourcePath.EntityCollection;
import io.lazuli.server.table.protocol.ResourcePath.Service;
import io.lazuli.server.table.service.TableOperation;
import io.lazuli.server.table.service.TableOperation.QueryEntities;
import io.lazuli.server.table.service.TableOperation.WriteEntities;
import io.lazuli.server.table.service.TableOutcome;
import io.lazuli.server.table.service.TableOutcome.EntityPage;
import io.lazuli.server.table.service.TableService;
import io.lazuli.storage.Deadline;
import java.util.concurrent.CompletionStage;

/**
 * The HTTP face of the table service: decodes a request into an operation, has it executed, encodes
 * what came of it.
 */
public final class TableEndpoint implements Endpoint {
  /** What a policy of a table may permit. */
  private static final String POLICY_LETTERS = "raud";

  private final TableService service;
  private final TableBatch batch;
  private final SettingsEndpoint settings;
  private final boolean lenientPaths;

  /**
   * @param lenientPaths whether a path may name a partition alone
   */
  public TableEndpoint(TableService service, SettingsService settings, boolean lenientPaths) {
    this.service = service;
    this.lenientPaths = lenientPaths;
    this.batch = new TableBatch(service);
    this.settings =
        new SettingsEndpoint(
            settings, POLICY_LETTERS, CommonErrors.METHOD_NOT_ALLOWED, true, false);
  }

  /** What a request is about to do, as request logs call it; refuses what cannot be read. */
  public static String operationName(Request request) {
    return OperationName.of(request);
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    Caller caller = request.caller();
    Deadline deadline = RequestDeadline.of(request);
    ResourcePath path = ResourcePath.parse(request.address().path(), caller.account());
    if (!lenientPaths) {
      ResourcePath.requireNoPartition(path, caller.account());
    }
    String component = component(request, path);
    String method =
        TableRequest.effectiveMethod(request.method(), request.headers().all("X-HTTP-Method"));
    request.details().operation(OperationName.of(path, method, component, request));
    if (path instanceof Service) {
      return settings.onService(request, method, component, deadline);
    } else if (!component.isEmpty() && path instanceof EntityCollection collection) {
      String table = TableName.require(collection.table()).key();
      return settings.onPolicies(request, method, table, deadline);
    } else if (path instanceof Batch) {
      if (!method.equals("POST")) {
        throw CommonErrors.METHOD_NOT_ALLOWED.exception();
      }
      return batch.handle(request, caller, deadline);
    }
    TableRequest single = single(request, method, path);
    RequestedAction asked = RequestedAction.of(single);
    if (asked != null) {
      service.requireAllowed(asked.action(), asked.table(), caller);
    }
    TableOperation operation = decode(single, caller, deadline);
    note(request.details(), operation);
    CompletionStage<TableOutcome> outcome = service.execute(operation, caller, deadline);
    return operation instanceof WriteEntities
        ? outcome.thenApplyAsync(done -> encode(request, single, operation, done), request.loop())
        : outcome.thenApply(done -> encode(request, single, operation, done));
  }

  private static TableRequest single(Request request, String method, ResourcePath path) {
    return new TableRequest(
        method,
        path,
        request.query(),
        request.address().account(),
        request.address().base(),
        request.headers()::all,
        request.body());
  }

  /**
   * An insert that lacks its keys is judged after its table: the live service answers 404 for a
   * missing one (table-rest 2.2, rule 9).
   */
  private TableOperation decode(TableRequest request, Caller caller, Deadline deadline) {
    try {
      return OperationDecoder.decode(request);
    } catch (ServiceException e) {
      ServiceError error = e.error();
      if (error.equals(TableErrors.PROPERTIES_NEED_VALUE)
          && request.path() instanceof EntityCollection collection) {
        service.requireTable(TableName.require(collection.table()), caller, deadline);
      }
      throw e;
    }
  }

  private static Response encode(
      Request request, TableRequest single, TableOperation operation, TableOutcome outcome) {
    if (outcome instanceof EntityPage page) {
      request
          .details()
          .plan(page.cost().plan(), page.cost().entitiesRead(), page.entities().size());
    }
    return OutcomeEncoder.encode(single, operation, outcome);
  }

  private static void note(RequestDetails details, TableOperation operation) {
    if (operation instanceof QueryEntities query) {
      details.table(query.table().text());
    } else if (operation instanceof WriteEntities write) {
      details.table(write.table().text());
      details.partitionHash(write.writes().get(0).key().partitionKey().hashCode());
    }
  }

  /**
   * The parameter {@code comp}, empty if there is none. It goes with some paths only, and the
   * service with nothing else.
   */
  private static String component(Request request, ResourcePath path) {
    String component = request.query().first("comp");
    boolean fits =
        path instanceof Service
            ? "service".equals(request.query().first("restype"))
                && ("properties".equals(component) || "stats".equals(component))
            : component == null || (path instanceof EntityCollection && component.equals("acl"));
    if (!fits) {
      throw CommonErrors.INVALID_QUERY_PARAMETER_VALUE.exception();
    }
    return component == null ? "" : component;
  }
}
