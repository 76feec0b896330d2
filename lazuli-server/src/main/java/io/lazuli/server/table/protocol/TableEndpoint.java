package io.lazuli.server.table.protocol;

import io.lazuli.server.account.Caller;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.RequestDetails;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
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
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP face of the table service: decodes a request into an operation, has it executed, encodes
 * what came of it.
 */
public final class TableEndpoint implements Endpoint {
  /** Default and maximum of the {@code timeout} parameter (table-rest 11). */
  private static final int TIMEOUT_SECONDS_MAX = 30;

  private final TableService service;
  private final TableBatch batch;

  public TableEndpoint(TableService service) {
    this.service = service;
    this.batch = new TableBatch(service);
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    Caller caller = request.caller(Caller.class);
    Deadline deadline = deadline(request);
    ResourcePath path = ResourcePath.parse(request.address().path(), caller.account());
    checkComponent(request, path);
    String method =
        TableRequest.effectiveMethod(request.method(), request.headers().all("X-HTTP-Method"));
    if (path instanceof Batch) {
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
    details.operation(operation.getClass().getSimpleName());
    if (operation instanceof QueryEntities query) {
      details.table(query.table().text());
    } else if (operation instanceof WriteEntities write) {
      details.table(write.table().text());
      details.partitionHash(write.writes().get(0).key().partitionKey().hashCode());
    }
  }

  /** The parameter {@code comp} goes with some paths only, and the service with nothing else. */
  private static void checkComponent(Request request, ResourcePath path) {
    String component = request.query().first("comp");
    boolean fits =
        path instanceof Service
            ? "service".equals(request.query().first("restype"))
                && ("properties".equals(component) || "stats".equals(component))
            : component == null || (path instanceof EntityCollection && component.equals("acl"));
    if (!fits) {
      throw CommonErrors.INVALID_QUERY_PARAMETER_VALUE.exception();
    }
  }

  private static Deadline deadline(Request request) {
    int seconds = timeoutSeconds(request.query().first("timeout"));
    Duration passed = Duration.ofNanos(System.nanoTime() - request.arrivedNanos());
    return Deadline.after(Duration.ofSeconds(seconds).minus(passed));
  }

  private static int timeoutSeconds(@Nullable String text) {
    if (text == null) {
      return TIMEOUT_SECONDS_MAX;
    }
    try {
      int seconds = Integer.parseInt(text.strip());
      if (seconds >= 0) {
        return seconds == 0 ? TIMEOUT_SECONDS_MAX : Math.min(seconds, TIMEOUT_SECONDS_MAX);
      }
    } catch (NumberFormatException e) {
      throw CommonErrors.INVALID_QUERY_PARAMETER_VALUE.exception();
    }
    throw CommonErrors.INVALID_QUERY_PARAMETER_VALUE.exception();
  }
}
