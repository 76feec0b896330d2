package io.lazuli.server.queue.protocol;

import static io.lazuli.server.event.OperationKind.DELETE;
import static io.lazuli.server.event.OperationKind.READ;
import static io.lazuli.server.event.OperationKind.WRITE;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.queue.protocol.QueuePath.Message;
import io.lazuli.server.queue.protocol.QueuePath.Messages;
import io.lazuli.server.queue.protocol.QueuePath.Queue;
import io.lazuli.server.queue.protocol.QueuePath.Service;
import io.lazuli.server.queue.service.QueueAction;
import io.lazuli.server.queue.service.QueueOperation;
import io.lazuli.server.settings.SettingsRoute;
import io.lazuli.storage.Deadline;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The table of operations of the queue service (queue-rest 2.2): the documented name, kind,
 * permission and decoder of each. {@link #of} finds the operation of a request.
 */
enum QueueRoute implements OperationType {
  LIST_QUEUES("ListQueues", READ, QueueAction.LIST_QUEUES, OperationDecoder::listQueues),
  CREATE_QUEUE("CreateQueue", WRITE, QueueAction.CREATE_QUEUE, OperationDecoder::createQueue),
  DELETE_QUEUE("DeleteQueue", DELETE, QueueAction.DELETE_QUEUE, OperationDecoder::deleteQueue),
  GET_QUEUE_METADATA(
      "GetQueueMetadata", READ, QueueAction.READ_METADATA, OperationDecoder::readMetadata),
  SET_QUEUE_METADATA(
      "SetQueueMetadata", WRITE, QueueAction.REPLACE_METADATA, OperationDecoder::replaceMetadata),
  PUT_MESSAGE("PutMessage", WRITE, QueueAction.PUT_MESSAGE, OperationDecoder::putMessage),
  /** The request asks for one message. */
  GET_MESSAGE("GetMessage", WRITE, QueueAction.GET_MESSAGES, OperationDecoder::getMessages),
  GET_MESSAGES("GetMessages", WRITE, QueueAction.GET_MESSAGES, OperationDecoder::getMessages),
  /** The request asks for one message. */
  PEEK_MESSAGE("PeekMessage", READ, QueueAction.PEEK_MESSAGES, OperationDecoder::peekMessages),
  PEEK_MESSAGES("PeekMessages", READ, QueueAction.PEEK_MESSAGES, OperationDecoder::peekMessages),
  UPDATE_MESSAGE(
      "UpdateMessage", WRITE, QueueAction.UPDATE_MESSAGE, OperationDecoder::updateMessage),
  DELETE_MESSAGE(
      "DeleteMessage", DELETE, QueueAction.DELETE_MESSAGE, OperationDecoder::deleteMessage),
  CLEAR_MESSAGES(
      "ClearMessages", DELETE, QueueAction.CLEAR_MESSAGES, OperationDecoder::clearMessages),
  GET_QUEUE_ACL("GetQueueACL", SettingsRoute.READ_POLICIES),
  SET_QUEUE_ACL("SetQueueACL", SettingsRoute.REPLACE_POLICIES),
  /**
   * Not an operation. It is refused after the checks of the queue's name and of the caller's
   * permission.
   */
  OTHER_QUEUE_ACL("Unknown", SettingsRoute.REFUSE_POLICIES),
  GET_QUEUE_SERVICE_PROPERTIES("GetQueueServiceProperties", SettingsRoute.READ_PROPERTIES),
  SET_QUEUE_SERVICE_PROPERTIES("SetQueueServiceProperties", SettingsRoute.CHANGE_PROPERTIES),
  GET_QUEUE_SERVICE_STATS("GetQueueServiceStats", SettingsRoute.READ_STATS),
  GET_USER_DELEGATION_KEY("GetUserDelegationKey", READ, QueueEndpoint::delegationKey),
  /** The pipeline answers preflight requests, so they never reach the endpoint. */
  QUEUE_PREFLIGHT_REQUEST(
      "QueuePreflightRequest",
      READ,
      (endpoint, request, deadline) -> {
        throw new IllegalStateException("the pipeline answers preflight requests");
      });

  /** Answers a request once its operation is known. */
  private interface Handler {
    CompletionStage<Response> handle(
        QueueEndpoint endpoint, QueueRequest request, Deadline deadline);
  }

  private final String documentedName;
  private final OperationKind kind;

  @SuppressWarnings("ImmutableEnumChecker") // No handler has state.
  private final Handler handler;

  QueueRoute(String documentedName, OperationKind kind, Handler handler) {
    this.documentedName = documentedName;
    this.kind = kind;
    this.handler = handler;
  }

  /** Creates an operation that the queue service executes. */
  QueueRoute(
      String documentedName,
      OperationKind kind,
      QueueAction action,
      Function<OperationDecoder, QueueOperation> decoder) {
    this(
        documentedName,
        kind,
        (endpoint, request, deadline) -> endpoint.execute(request, action, decoder, deadline));
  }

  /** Creates an operation that every service has. */
  QueueRoute(String documentedName, SettingsRoute settings) {
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

  /**
   * Returns {@code READ} for a Get Messages that returned no message, because it changed nothing
   * (logs-and-metrics 2.3).
   */
  @Override
  public OperationKind kind(long returned) {
    return isGetMessages() && returned == 0 ? READ : kind;
  }

  /** Returns true also for user delegation keys: they give access, although they change no data. */
  @Override
  public boolean isAudited() {
    return kind != READ || this == GET_USER_DELEGATION_KEY;
  }

  @Override
  public boolean changed(long returned) {
    return this == GET_USER_DELEGATION_KEY || kind(returned) != READ;
  }

  /** Returns true if the requests of the operation use GET or HEAD. */
  boolean isGet() {
    return (kind == READ && this != GET_USER_DELEGATION_KEY) || isGetMessages();
  }

  private boolean isGetMessages() {
    return this == GET_MESSAGE || this == GET_MESSAGES;
  }

  CompletionStage<Response> handle(
      QueueEndpoint endpoint, QueueRequest request, Deadline deadline) {
    return handler.handle(endpoint, request, deadline);
  }

  /** Finds the operation that a request asks for; throws if the service has no such operation. */
  static QueueRoute of(Request request, QueuePath path, QueryParameters parameters) {
    String method = request.method();
    String component = parameters.text("comp");
    if (path instanceof Messages || path instanceof Message) {
      if (!component.isEmpty()) {
        throw parameters.invalid("comp", "");
      }
      return path instanceof Message ? onMessage(method) : onMessages(method, parameters);
    } else if (path instanceof Queue) {
      return switch (component) {
        case "" -> onQueue(method);
        case "metadata" -> onMetadata(method);
        case "acl" -> onPolicies(method);
        default -> throw parameters.invalid("comp", "");
      };
    } else if (path instanceof Service) {
      return component.equals("list") ? onList(method) : onService(request, parameters);
    }
    throw new IllegalStateException("unknown path: " + path.getClass());
  }

  private static QueueRoute onList(String method) {
    if (!method.equals("GET")) {
      throw wrongMethod();
    }
    return LIST_QUEUES;
  }

  private static QueueRoute onService(Request request, QueryParameters parameters) {
    if (parameters.text("comp").equals("userdelegationkey")) {
      if (!request.method().equals("POST")) {
        throw wrongMethod();
      }
      return GET_USER_DELEGATION_KEY;
    }
    return of(SettingsRoute.ofService(request, parameters, CommonErrors.UNSUPPORTED_HTTP_VERB));
  }

  private static QueueRoute onPolicies(String method) {
    return of(SettingsRoute.ofPolicies(method.equals("HEAD") ? "GET" : method));
  }

  private static QueueRoute of(SettingsRoute settings) {
    return switch (settings) {
      case READ_PROPERTIES -> GET_QUEUE_SERVICE_PROPERTIES;
      case CHANGE_PROPERTIES -> SET_QUEUE_SERVICE_PROPERTIES;
      case READ_STATS -> GET_QUEUE_SERVICE_STATS;
      case READ_POLICIES -> GET_QUEUE_ACL;
      case REPLACE_POLICIES -> SET_QUEUE_ACL;
      case REFUSE_POLICIES -> OTHER_QUEUE_ACL;
    };
  }

  private static QueueRoute onQueue(String method) {
    return switch (method) {
      case "PUT" -> CREATE_QUEUE;
      case "DELETE" -> DELETE_QUEUE;
      default -> throw wrongMethod();
    };
  }

  private static QueueRoute onMetadata(String method) {
    return switch (method) {
      case "GET", "HEAD" -> GET_QUEUE_METADATA;
      case "PUT" -> SET_QUEUE_METADATA;
      default -> throw wrongMethod();
    };
  }

  /**
   * Finds the operation on the messages of a queue. Refuses HEAD, which would hand out messages
   * without returning them.
   */
  private static QueueRoute onMessages(String method, QueryParameters parameters) {
    return switch (method) {
      case "POST" -> PUT_MESSAGE;
      case "GET" -> onGet(parameters);
      case "DELETE" -> CLEAR_MESSAGES;
      default -> throw wrongMethod();
    };
  }

  private static QueueRoute onGet(QueryParameters parameters) {
    String number = parameters.text("numofmessages");
    boolean one = number.isEmpty() || number.equals("1");
    if (parameters.text("peekonly").equalsIgnoreCase("true")) {
      return one ? PEEK_MESSAGE : PEEK_MESSAGES;
    }
    return one ? GET_MESSAGE : GET_MESSAGES;
  }

  private static QueueRoute onMessage(String method) {
    return switch (method) {
      case "PUT" -> UPDATE_MESSAGE;
      case "DELETE" -> DELETE_MESSAGE;
      default -> throw wrongMethod();
    };
  }

  private static ServiceException wrongMethod() {
    return CommonErrors.UNSUPPORTED_HTTP_VERB.exception();
  }
}
