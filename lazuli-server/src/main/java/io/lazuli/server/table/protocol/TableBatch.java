package io.lazuli.server.table.protocol;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.protocol.BatchRequest.InnerRequest;
import io.lazuli.server.table.service.EntityWrite;
import io.lazuli.server.table.service.TableOperation;
import io.lazuli.server.table.service.TableOperation.FindEntity;
import io.lazuli.server.table.service.TableOperation.WriteEntities;
import io.lazuli.server.table.service.TableOutcome;
import io.lazuli.server.table.service.TableOutcome.EntityFound;
import io.lazuli.server.table.service.TableOutcome.Refused;
import io.lazuli.server.table.service.TableOutcome.Written;
import io.lazuli.server.table.service.TableService;
import io.lazuli.storage.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Answers entity group transactions. The operations of a batch are decoded like operations that are
 * sent alone, so the service needs no other code for them.
 */
final class TableBatch {
  /** The data service version of answers with a body or a link, as the live service writes it. */
  private static final String NEW_VERSION = "3.0;";

  /** The data service version of all other answers. */
  private static final String OLD_VERSION = "1.0;";

  private final TableService service;

  TableBatch(TableService service) {
    this.service = service;
  }

  /**
   * Answers a batch.
   *
   * @param encoding the threads that encode the answer
   */
  CompletionStage<Response> handle(
      Request request, Caller caller, Deadline deadline, Executor encoding) {
    BatchRequest batch = BatchRequest.parse(request.body(), request.header("Content-Type"));
    if (caller.readOnly() && !batch.reading()) {
      throw CommonErrors.INSUFFICIENT_ACCOUNT_PERMISSIONS.exception();
    }
    List<Part> parts =
        batch.operations().stream().map(operation -> Part.of(request, operation)).toList();
    requireAllowed(parts, caller);
    TableOperation operation;
    try {
      operation = decode(batch, parts);
    } catch (OperationFailure failure) {
      return CompletableFuture.completedFuture(failed(request, batch, parts, failure));
    }
    TableEndpoint.note(request.details(), operation);
    if (batch.reading()) {
      request.details().operation(TableRoute.QUERY_ENTITY);
    }
    return service
        .execute(operation, caller, deadline)
        .handleAsync(
            (outcome, failure) -> answer(request, batch, parts, outcome, failure), encoding);
  }

  /**
   * One operation of a batch: its route, or the reason why it is refused.
   *
   * @param request null if the operation cannot be read
   * @param route null if the operation is refused
   * @param refusal null if there is a route
   */
  private record Part(
      @Nullable TableRequest request,
      @Nullable TableRoute route,
      @Nullable ServiceException refusal) {
    static Part of(Request batch, InnerRequest operation) {
      TableRequest request = null;
      try {
        request = operation.addressed(batch.address().account(), batch.address().base());
        return new Part(request, TableRoute.of(request), null);
      } catch (ServiceException e) {
        return new Part(request, null, e);
      }
    }

    TableRequest requireRequest() {
      return Objects.requireNonNull(request);
    }

    TableRoute requireRoute() {
      if (refusal != null) {
        throw refusal;
      }
      return Objects.requireNonNull(route);
    }

    /**
     * Returns the value of {@code Preference-Applied}; null if the operation has no preference or
     * cannot be read.
     */
    @Nullable String preferenceApplied() {
      return request == null ? null : request.preference().applied();
    }
  }

  /**
   * Refuses the batch if the caller may not perform one of its operations. Other errors of an
   * operation are found later.
   */
  private void requireAllowed(List<Part> parts, Caller caller) {
    if (caller.access() instanceof Access.Full) {
      return;
    }
    for (Part part : parts) {
      if (part.route() != null) {
        String table = part.requireRequest().path().table().toLowerCase(Locale.ROOT);
        service.requireAllowed(part.requireRoute().action(), table, caller);
      }
    }
  }

  /** Signals that one operation of the batch failed, so that no operation takes effect. */
  private static final class OperationFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final int index;
    private final boolean prefixed;
    private final transient ServiceException reason;

    OperationFailure(int index, boolean prefixed, ServiceException reason) {
      super(reason.error().code(), reason, false, false);
      this.index = index;
      this.prefixed = prefixed;
      this.reason = reason;
    }
  }

  private static TableOperation decode(BatchRequest batch, List<Part> parts)
      throws OperationFailure {
    List<EntityWrite> writes = new ArrayList<>();
    TableName table = null;
    for (int i = 0; i < parts.size(); i++) {
      try {
        TableOperation operation =
            parts.get(i).requireRoute().decode(parts.get(i).requireRequest());
        if (batch.reading() && operation instanceof FindEntity) {
          return operation;
        }
        WriteEntities write = requireWrite(operation, table);
        table = table == null ? write.table() : table;
        writes.addAll(write.writes());
      } catch (ServiceException e) {
        throw new OperationFailure(i, true, e);
      }
    }
    if (table == null) {
      throw TableErrors.INVALID_INPUT.exception();
    }
    return new WriteEntities(table, writes);
  }

  private static WriteEntities requireWrite(TableOperation operation, @Nullable TableName table) {
    if (!(operation instanceof WriteEntities write)) {
      throw TableErrors.INVALID_INPUT.exception();
    }
    if (table != null && !table.key().equals(write.table().key())) {
      throw TableErrors.DIFFERENT_PARTITIONS.exception();
    }
    return write;
  }

  private Response answer(
      Request request,
      BatchRequest batch,
      List<Part> parts,
      @Nullable TableOutcome outcome,
      @Nullable Throwable failure) {
    if (failure != null) {
      ServiceException reason = requireClientError(failure);
      return failed(request, batch, parts, new OperationFailure(0, true, reason));
    }
    if (outcome instanceof Refused refused) {
      boolean bare = refused.atCommit() && parts.size() == 1;
      return failed(
          request, batch, parts, new OperationFailure(refused.index(), !bare, refused.reason()));
    }
    BatchResponse response = new BatchResponse(batch.reading());
    if (batch.reading()) {
      EntityFound found = (EntityFound) Objects.requireNonNull(outcome);
      Response answer = OutcomeEncoder.entity(parts.get(0).requireRequest(), found);
      response.add(answer, NEW_VERSION, batch.operations().get(0).contentId());
    } else {
      addAll(response, batch, parts, (Written) Objects.requireNonNull(outcome));
    }
    return response.build();
  }

  private static void addAll(
      BatchResponse response, BatchRequest batch, List<Part> parts, Written written) {
    for (int i = 0; i < parts.size(); i++) {
      TableRoute route = parts.get(i).requireRoute();
      Response answer =
          OutcomeEncoder.written(
              route, parts.get(i).requireRequest(), written.table(), written.entities().get(i));
      String version = route == TableRoute.INSERT_ENTITY ? NEW_VERSION : OLD_VERSION;
      response.add(answer, version, batch.operations().get(i).contentId());
    }
  }

  /**
   * Returns the error of one operation. Rethrows failures of the server and missing permissions,
   * because they are the answer to the whole batch (table-rest 8.5).
   */
  private static ServiceException requireClientError(Throwable failure) {
    Throwable cause = Futures.cause(failure);
    if (cause instanceof ServiceException reason) {
      int status = reason.error().status();
      if (status < 500 && status != 403) {
        return reason;
      }
    }
    throw cause instanceof RuntimeException e ? e : new CompletionException(cause);
  }

  private static Response failed(
      Request request, BatchRequest batch, List<Part> parts, OperationFailure failure) {
    String text = failure.reason.text();
    String applied =
        failure.index < parts.size() ? parts.get(failure.index).preferenceApplied() : null;
    Response answer =
        BatchResponse.failure(
            failure.reason,
            failure.prefixed ? failure.index + ":" + text : text,
            applied,
            request.id());
    BatchResponse response = new BatchResponse(batch.reading());
    int index = Math.min(failure.index, batch.operations().size() - 1);
    response.add(answer, NEW_VERSION, batch.operations().get(index).contentId());
    return response.build();
  }
}
