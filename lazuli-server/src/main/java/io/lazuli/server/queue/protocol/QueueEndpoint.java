package io.lazuli.server.queue.protocol;

import io.lazuli.server.access.Caller;
import io.lazuli.server.delegation.DelegationKeyEndpoint;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.Invariant;
import io.lazuli.server.event.KeyUse;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.AnswerBudget;
import io.lazuli.server.http.AnswerBuffer;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.protocol.MetadataHeaders;
import io.lazuli.server.protocol.RequestDeadline;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.server.queue.model.QueueName;
import io.lazuli.server.queue.protocol.QueuePath.Queue;
import io.lazuli.server.queue.service.QueueAction;
import io.lazuli.server.queue.service.QueueOperation;
import io.lazuli.server.queue.service.QueueOutcome;
import io.lazuli.server.queue.service.QueueOutcome.Done;
import io.lazuli.server.queue.service.QueueOutcome.MessagePut;
import io.lazuli.server.queue.service.QueueOutcome.MessageUpdated;
import io.lazuli.server.queue.service.QueueOutcome.MessagesSeen;
import io.lazuli.server.queue.service.QueueOutcome.MessagesTaken;
import io.lazuli.server.queue.service.QueueOutcome.MetadataFound;
import io.lazuli.server.queue.service.QueueOutcome.QueueCreated;
import io.lazuli.server.queue.service.QueueOutcome.QueuePage;
import io.lazuli.server.queue.service.QueueService;
import io.lazuli.server.settings.SettingsEndpoint;
import io.lazuli.server.settings.SettingsRoute;
import io.lazuli.server.settings.SettingsService;
import io.lazuli.storage.Deadline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The HTTP endpoint of the queue service: decodes a request into an operation, executes it and
 * encodes the outcome. {@link SettingsEndpoint} answers requests about settings.
 */
public final class QueueEndpoint implements Endpoint {
  /** The permissions that a stored access policy of a queue may grant. */
  public static final String POLICY_LETTERS = "raup";

  /** A message that was handed out more often is probably one that no consumer can handle. */
  private static final int WORN_AFTER = 5;

  private final QueueService service;
  private final DelegationKeyEndpoint delegationKeys;
  private final SettingsEndpoint settings;
  private final WorkerPool workers;
  private final WorkerPool listings;

  /**
   * @param workers the threads that answer requests
   * @param listings the threads that list queues
   */
  public QueueEndpoint(
      QueueService service,
      SettingsService settings,
      WorkerPool workers,
      WorkerPool listings,
      DelegationKeyEndpoint delegationKeys) {
    this.service = service;
    this.delegationKeys = delegationKeys;
    this.workers = workers;
    this.listings = listings;
    this.settings =
        new SettingsEndpoint(
            settings, POLICY_LETTERS, CommonErrors.UNSUPPORTED_HTTP_VERB, false, false);
  }

  /** Finds the operation of an addressed request; throws if the service has no such operation. */
  public static OperationType operation(Request request) {
    return request.method().equals("OPTIONS")
        ? QueueRoute.QUEUE_PREFLIGHT_REQUEST
        : QueueRequest.of(request).route();
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    Deadline deadline = RequestDeadline.of(request);
    QueueRequest routed = QueueRequest.of(request);
    QueueRoute route = routed.route();
    request.details().operation(route);
    if (!routed.path().queue().isEmpty()) {
      request.details().keys(KeyUse.of(routed.path().queue()));
    }
    CompletionStage<Response> answer = route.handle(this, routed, deadline);
    return route.isGet() ? answer.thenApply(QueueEndpoint::uncached) : answer;
  }

  private static Response uncached(Response answer) {
    return answer.toBuilder().header("Cache-Control", "no-cache").build();
  }

  CompletionStage<Response> delegationKey(QueueRequest routed, Deadline deadline) {
    return delegationKeys.handle(routed.request(), routed.request().body());
  }

  /** Answers a request about properties, statistics or the access list of a queue. */
  CompletionStage<Response> settings(QueueRequest routed, SettingsRoute route, Deadline deadline) {
    QueuePath path = routed.path();
    String resource = path instanceof Queue ? QueueName.require(path.queue()).text() : "";
    return settings.handle(route, routed.request(), resource, deadline);
  }

  /** Answers a request that the queue service executes. */
  CompletionStage<Response> execute(
      QueueRequest routed,
      QueueAction action,
      Function<OperationDecoder, QueueOperation> decoder,
      Deadline deadline) {
    Request request = routed.request();
    Caller caller = request.caller();
    service.requireAllowed(action, routed.path().queue(), caller);
    QueueOperation operation = decoder.apply(new OperationDecoder(routed));
    if (routed.route() == QueueRoute.LIST_QUEUES) {
      return listings.callBounded(
          () -> encoded(service.execute(operation, caller, deadline), routed, listings),
          Runnable::run);
    }
    CompletionStage<QueueOutcome> outcome = service.execute(operation, caller, deadline);
    if (routed.route().kind() == OperationKind.READ) {
      return encoded(outcome, routed, workers);
    } else if (routed.route().isGet()) {
      return outcome.thenComposeAsync(done -> encodeTaken(routed, done), request.loop());
    }
    return outcome.thenApplyAsync(done -> encode(routed, done), request.loop());
  }

  /** Encodes the answer to a read, which may be long; not on a thread of the engine. */
  private static CompletionStage<Response> encoded(
      CompletionStage<QueueOutcome> outcome, QueueRequest routed, WorkerPool pool) {
    return Futures.thenApply(outcome, pool.orElse(Runnable::run), done -> encode(routed, done));
  }

  /** Encodes messages that were handed out; on a worker if they are long. */
  private CompletionStage<Response> encodeTaken(QueueRequest routed, QueueOutcome outcome) {
    long bytes = 0;
    for (QueueMessage message : ((MessagesTaken) outcome).messages()) {
      bytes += message.text().length;
    }
    return bytes <= AnswerBudget.SMALL_BYTES_MAX
        ? CompletableFuture.completedFuture(encode(routed, outcome))
        : CompletableFuture.supplyAsync(
            () -> encode(routed, outcome), workers.orElse(routed.request().loop()));
  }

  private static Response encode(QueueRequest routed, QueueOutcome outcome) {
    return switch (routed.route()) {
      case LIST_QUEUES -> page(routed, (QueuePage) outcome);
      case CREATE_QUEUE -> Response.of(((QueueCreated) outcome).made() ? 201 : 204).build();
      case DELETE_QUEUE, SET_QUEUE_METADATA, DELETE_MESSAGE, CLEAR_MESSAGES -> done(outcome);
      case GET_QUEUE_METADATA -> metadata((MetadataFound) outcome);
      case PUT_MESSAGE -> xml(201, MessageXml.put(((MessagePut) outcome).message()));
      case GET_MESSAGE, GET_MESSAGES -> taken(routed, (MessagesTaken) outcome);
      case PEEK_MESSAGE, PEEK_MESSAGES ->
          xml(routed.request(), out -> MessageXml.seen(((MessagesSeen) outcome).messages(), out));
      case UPDATE_MESSAGE -> updated(((MessageUpdated) outcome).message());
      case GET_QUEUE_ACL,
          SET_QUEUE_ACL,
          OTHER_QUEUE_ACL,
          GET_QUEUE_SERVICE_PROPERTIES,
          SET_QUEUE_SERVICE_PROPERTIES,
          GET_QUEUE_SERVICE_STATS,
          GET_USER_DELEGATION_KEY,
          QUEUE_PREFLIGHT_REQUEST ->
          throw new IllegalStateException(routed.route() + " is answered elsewhere");
    };
  }

  private static Response page(QueueRequest routed, QueuePage page) {
    Address address = routed.request().address();
    return xml(
        routed.request(),
        out ->
            QueueListXml.write(page, routed.parameters(), address.account(), address.base(), out));
  }

  private static Response done(QueueOutcome outcome) {
    Invariant.check(outcome instanceof Done, "the operation has an unexpected outcome");
    return Response.of(204).build();
  }

  private static Response metadata(MetadataFound found) {
    Response.Builder answer =
        Response.of(200).header("x-ms-approximate-messages-count", Long.toString(found.messages()));
    MetadataHeaders.write(answer, found.metadata());
    return answer.build();
  }

  private static Response taken(QueueRequest routed, MessagesTaken taken) {
    Request request = routed.request();
    int count = taken.messages().size();
    int worn = 0;
    for (QueueMessage message : taken.messages()) {
      worn += message.dequeueCount() > WORN_AFTER ? 1 : 0;
    }
    request.details().plan("", count, count);
    if (worn > 0) {
      String queue = routed.path().queue();
      request.details().keys(new KeyUse(queue, "", null, 0, 0, worn, null));
    }
    return xml(request, out -> MessageXml.taken(taken.messages(), out));
  }

  private static Response updated(QueueMessage message) {
    return Response.of(204)
        .header("x-ms-popreceipt", message.receipt().text())
        .header("x-ms-time-next-visible", MessageXml.time(message.visibleAt()))
        .build();
  }

  /** Encodes a document that may be long. */
  private static Response xml(Request request, Consumer<AnswerBuffer> document) {
    AnswerBuffer body = AnswerBuffer.encode(request.answers(), document);
    return Response.of(200).body("application/xml", body).build();
  }

  private static Response xml(int status, byte[] document) {
    return Response.of(status).body("application/xml", document).build();
  }
}
