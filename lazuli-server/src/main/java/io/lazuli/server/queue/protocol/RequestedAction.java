package io.lazuli.server.queue.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.queue.protocol.QueuePath.Message;
import io.lazuli.server.queue.protocol.QueuePath.Messages;
import io.lazuli.server.queue.protocol.QueuePath.Queue;
import io.lazuli.server.queue.service.QueueAction;

/**
 * What a request is about to do, as far as its line tells (queue-rest 2.2). Who may not do it
 * learns so before anything else about the request is judged.
 */
final class RequestedAction {
  private RequestedAction() {}

  /** Refuses what is no operation of the service. */
  static QueueAction of(QueuePath path, String method, QueryParameters parameters) {
    String component = parameters.text("comp");
    if (path instanceof Queue) {
      return switch (component) {
        case "" -> onQueue(method);
        case "metadata" -> onMetadata(method);
        default -> throw parameters.invalid("comp", "");
      };
    } else if (path instanceof Messages || path instanceof Message) {
      if (!component.isEmpty()) {
        throw parameters.invalid("comp", "");
      }
      return path instanceof Message ? onMessage(method) : onMessages(method, parameters);
    } else if (!component.equals("list")) {
      throw parameters.invalid("comp", "");
    } else if (!method.equals("GET")) {
      throw wrongMethod();
    }
    return QueueAction.LIST_QUEUES;
  }

  private static QueueAction onQueue(String method) {
    return switch (method) {
      case "PUT" -> QueueAction.CREATE_QUEUE;
      case "DELETE" -> QueueAction.DELETE_QUEUE;
      default -> throw wrongMethod();
    };
  }

  private static QueueAction onMetadata(String method) {
    return switch (method) {
      case "GET", "HEAD" -> QueueAction.READ_METADATA;
      case "PUT" -> QueueAction.REPLACE_METADATA;
      default -> throw wrongMethod();
    };
  }

  /** There is no HEAD of messages: it would hand some out to nobody. */
  private static QueueAction onMessages(String method, QueryParameters parameters) {
    return switch (method) {
      case "POST" -> QueueAction.PUT_MESSAGE;
      case "GET" ->
          parameters.text("peekonly").equalsIgnoreCase("true")
              ? QueueAction.PEEK_MESSAGES
              : QueueAction.GET_MESSAGES;
      case "DELETE" -> QueueAction.CLEAR_MESSAGES;
      default -> throw wrongMethod();
    };
  }

  private static QueueAction onMessage(String method) {
    return switch (method) {
      case "PUT" -> QueueAction.UPDATE_MESSAGE;
      case "DELETE" -> QueueAction.DELETE_MESSAGE;
      default -> throw wrongMethod();
    };
  }

  private static ServiceException wrongMethod() {
    return CommonErrors.UNSUPPORTED_HTTP_VERB.exception();
  }
}
