package io.lazuli.server.queue.protocol;

import io.lazuli.server.access.Caller;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.protocol.MetadataHeaders;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.protocol.RequestDeadline;
import io.lazuli.server.queue.model.QueueName;
import io.lazuli.server.queue.protocol.QueuePath.Queue;
import io.lazuli.server.queue.protocol.QueuePath.Service;
import io.lazuli.server.queue.service.QueueAction;
import io.lazuli.server.queue.service.QueueOperation;
import io.lazuli.server.queue.service.QueueOutcome;
import io.lazuli.server.queue.service.QueueOutcome.MessagePut;
import io.lazuli.server.queue.service.QueueOutcome.MessageUpdated;
import io.lazuli.server.queue.service.QueueOutcome.MessagesSeen;
import io.lazuli.server.queue.service.QueueOutcome.MessagesTaken;
import io.lazuli.server.queue.service.QueueOutcome.MetadataFound;
import io.lazuli.server.queue.service.QueueOutcome.QueueCreated;
import io.lazuli.server.queue.service.QueueOutcome.QueuePage;
import io.lazuli.server.queue.service.QueueService;
import io.lazuli.server.settings.SettingsEndpoint;
import io.lazuli.server.settings.SettingsService;
import io.lazuli.storage.Deadline;
import java.util.concurrent.CompletionStage;

/**
 * The HTTP face of the queue service: decodes a request into an operation, has it executed, encodes
 * what came of it. Requests about settings are handed over.
 */
public final class QueueEndpoint implements Endpoint {
  /** What a policy of a queue may permit. */
  private static final String POLICY_LETTERS = "raup";

  private final QueueService service;
  private final SettingsEndpoint settings;

  public QueueEndpoint(QueueService service, SettingsService settings) {
    this.service = service;
    this.settings =
        new SettingsEndpoint(
            settings, POLICY_LETTERS, CommonErrors.UNSUPPORTED_HTTP_VERB, false, false);
  }

  /** What a request is about to do, as request logs call it; refuses what cannot be read. */
  public static String operationName(Request request) {
    return OperationName.of(request);
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
    CompletionStage<Response> answer = answer(request, reads ? "GET" : request.method());
    return reads ? answer.thenApply(QueueEndpoint::uncached) : answer;
  }

  private static Response uncached(Response answer) {
    return answer.toBuilder().header("Cache-Control", "no-cache").build();
  }

  private CompletionStage<Response> answer(Request request, String method) {
    Deadline deadline = RequestDeadline.of(request);
    QueryParameters parameters = new QueryParameters(request.query());
    QueuePath path = QueuePath.parse(request.address().path());
    String component = parameters.text("comp");
    if (path instanceof Service && !component.equals("list")) {
      request.details().operation(OperationName.onService(method, component));
      return onSettings(request, method, parameters, deadline);
    } else if (path instanceof Queue && component.equals("acl")) {
      request.details().operation(OperationName.onPolicies(method));
      String queue = QueueName.require(path.queue()).text();
      return settings.onPolicies(request, method, queue, deadline);
    }
    QueueAction action = RequestedAction.of(path, request.method(), parameters);
    request.details().operation(OperationName.of(action, parameters));
    service.requireAllowed(action, path.queue(), request.caller(Caller.class));
    QueueOperation operation = new OperationDecoder(request, parameters).decode(action, path);
    return execute(request, operation, deadline);
  }

  private CompletionStage<Response> onSettings(
      Request request, String method, QueryParameters parameters, Deadline deadline) {
    // Only whoever shows a token may ask for it, and nobody can have one (auth.md 8).
    if (parameters.text("comp").equals("userdelegationkey")) {
      throw CommonErrors.AUTHENTICATION_FAILED.exception();
    }
    return settings.onService(request, method, parameters, deadline);
  }

  private CompletionStage<Response> execute(
      Request request, QueueOperation operation, Deadline deadline) {
    return service
        .execute(operation, request.caller(Caller.class), deadline)
        .thenApplyAsync(outcome -> encode(request, outcome), request.loop());
  }

  private static Response encode(Request request, QueueOutcome outcome) {
    if (outcome instanceof MessagesTaken taken) {
      int count = taken.messages().size();
      request.details().plan("", count, count);
      return xml(200, MessageXml.taken(taken.messages()));
    } else if (outcome instanceof MessagePut put) {
      return xml(201, MessageXml.put(put.message()));
    } else if (outcome instanceof MessageUpdated updated) {
      return Response.of(204)
          .header("x-ms-popreceipt", updated.message().receipt().text())
          .header("x-ms-time-next-visible", MessageXml.time(updated.message().visibleAt()))
          .build();
    } else if (outcome instanceof MessagesSeen seen) {
      return xml(200, MessageXml.seen(seen.messages()));
    } else if (outcome instanceof MetadataFound found) {
      Response.Builder answer =
          Response.of(200)
              .header("x-ms-approximate-messages-count", Long.toString(found.messages()));
      MetadataHeaders.write(answer, found.metadata());
      return answer.build();
    } else if (outcome instanceof QueuePage page) {
      QueryParameters asked = new QueryParameters(request.query());
      String account = request.address().account();
      return xml(200, QueueListXml.write(page, asked, account, request.address().base()));
    }
    boolean made = outcome instanceof QueueCreated created && created.made();
    return Response.of(made ? 201 : 204).build();
  }

  private static Response xml(int status, byte[] document) {
    return Response.of(status).body("application/xml", document).build();
  }
}
