package io.lazuli.server.table.protocol;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Entity group transactions on the wire: a batch is a list of the same operations that come alone,
 * so it needs no second path below this class.
 */
final class TableBatch {
  /** What the live service writes into answers with a body or a link. */
  private static final String NEW_VERSION = "3.0;";

  /** What it writes into all others. */
  private static final String OLD_VERSION = "1.0;";

  private final TableService service;

  TableBatch(TableService service) {
    this.service = service;
  }

  CompletionStage<Response> handle(Request request, Caller caller, Deadline deadline) {
    BatchRequest batch = BatchRequest.parse(request.body(), request.header("Content-Type"));
    requireAllowed(request, batch, caller);
    List<TableRequest> requests = new ArrayList<>(batch.operations().size());
    TableOperation operation;
    try {
      operation = decode(request, batch, requests);
    } catch (OperationFailure failure) {
      return CompletableFuture.completedFuture(failed(request, batch, requests, failure));
    }
    if (batch.reading()) {
      request.details().operation("QueryEntity");
    }
    return service
        .execute(operation, caller, deadline)
        .handleAsync(
            (outcome, failure) -> answer(request, batch, requests, operation, outcome, failure),
            request.loop());
  }

  /**
   * Refuses all of it if one operation is not allowed; what is wrong with an operation otherwise is
   * found later.
   */
  private void requireAllowed(Request request, BatchRequest batch, Caller caller) {
    if (caller.access() instanceof Access.Full) {
      return;
    }
    for (InnerRequest operation : batch.operations()) {
      RequestedAction asked = asked(request, operation);
      if (asked != null) {
        service.requireAllowed(asked.action(), asked.table(), caller);
      }
    }
  }

  private static @Nullable RequestedAction asked(Request request, InnerRequest operation) {
    try {
      return RequestedAction.of(inner(request, operation));
    } catch (ServiceException unreadable) {
      return null;
    }
  }

  /** One operation of the batch cannot be done; the others therefore neither. */
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

  private static TableOperation decode(
      Request request, BatchRequest batch, List<TableRequest> requests) throws OperationFailure {
    List<EntityWrite> writes = new ArrayList<>();
    TableName table = null;
    for (int i = 0; i < batch.operations().size(); i++) {
      try {
        TableRequest inner = inner(request, batch.operations().get(i));
        requests.add(inner);
        TableOperation operation = OperationDecoder.decode(inner);
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

  private static TableRequest inner(Request request, InnerRequest operation) {
    return operation.addressed(request.address().account(), request.address().base());
  }

  private Response answer(
      Request request,
      BatchRequest batch,
      List<TableRequest> requests,
      TableOperation operation,
      @Nullable TableOutcome outcome,
      @Nullable Throwable failure) {
    if (failure != null) {
      ServiceException reason = requireClientError(failure);
      return failed(request, batch, requests, new OperationFailure(0, true, reason));
    }
    if (outcome instanceof Refused refused) {
      boolean bare = refused.atCommit() && requests.size() == 1;
      return failed(
          request, batch, requests, new OperationFailure(refused.index(), !bare, refused.reason()));
    }
    BatchResponse response = new BatchResponse(batch.reading());
    if (outcome instanceof EntityFound found) {
      Response answer = OutcomeEncoder.entity(requests.get(0), found);
      response.add(answer, NEW_VERSION, batch.operations().get(0).contentId());
    } else if (outcome instanceof Written written) {
      addAll(response, batch, requests, (WriteEntities) operation, written);
    }
    return response.build();
  }

  private static void addAll(
      BatchResponse response,
      BatchRequest batch,
      List<TableRequest> requests,
      WriteEntities operation,
      Written written) {
    for (int i = 0; i < requests.size(); i++) {
      EntityWrite write = operation.writes().get(i);
      Response answer =
          OutcomeEncoder.written(
              requests.get(i), write, written.table(), written.entities().get(i));
      String version = write instanceof EntityWrite.Insert ? NEW_VERSION : OLD_VERSION;
      response.add(answer, version, batch.operations().get(i).contentId());
    }
  }

  /**
   * What fails in the server, or is not allowed to the caller, is the answer to the whole, unlike
   * what one operation cannot do (table-rest 8.5).
   */
  private static ServiceException requireClientError(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof ServiceException reason) {
      int status = reason.error().status();
      if (status < 500 && status != 403) {
        return reason;
      }
    }
    throw cause instanceof RuntimeException e ? e : new CompletionException(cause);
  }

  private static Response failed(
      Request request, BatchRequest batch, List<TableRequest> requests, OperationFailure failure) {
    String text = failure.reason.text();
    String applied =
        failure.index < requests.size() ? requests.get(failure.index).preference().applied() : null;
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
