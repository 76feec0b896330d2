package io.lazuli.server.queue.protocol;

import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.queue.protocol.QueuePath.Queue;
import io.lazuli.server.queue.protocol.QueuePath.Service;
import io.lazuli.server.queue.service.QueueAction;

/** Operations of the queue service by the names that request logs use (logs-and-metrics.md 4). */
final class OperationName {
  private OperationName() {}

  /** Refuses what is no operation of the service. */
  static String of(Request request) {
    String method = request.method();
    if (method.equals("OPTIONS")) {
      return "QueuePreflightRequest";
    }
    QueuePath path = QueuePath.parse(request.address().path());
    QueryParameters parameters = new QueryParameters(request.query());
    String component = parameters.text("comp");
    if (path instanceof Service && !component.equals("list")) {
      return onService(method, component);
    } else if (path instanceof Queue && component.equals("acl")) {
      return onPolicies(method);
    }
    return of(RequestedAction.of(path, method, parameters), parameters);
  }

  static String of(QueueAction action, QueryParameters parameters) {
    return switch (action) {
      case LIST_QUEUES -> "ListQueues";
      case CREATE_QUEUE -> "CreateQueue";
      case DELETE_QUEUE -> "DeleteQueue";
      case READ_METADATA -> "GetQueueMetadata";
      case REPLACE_METADATA -> "SetQueueMetadata";
      case PUT_MESSAGE -> "PutMessage";
      case GET_MESSAGES -> asksForOne(parameters) ? "GetMessage" : "GetMessages";
      case PEEK_MESSAGES -> asksForOne(parameters) ? "PeekMessage" : "PeekMessages";
      case UPDATE_MESSAGE -> "UpdateMessage";
      case DELETE_MESSAGE -> "DeleteMessage";
      case CLEAR_MESSAGES -> "ClearMessages";
    };
  }

  static String onPolicies(String method) {
    return method.equals("PUT") ? "SetQueueACL" : "GetQueueACL";
  }

  static String onService(String method, String component) {
    if (component.equals("stats")) {
      return "GetQueueServiceStats";
    }
    return method.equals("PUT") ? "SetQueueServiceProperties" : "GetQueueServiceProperties";
  }

  private static boolean asksForOne(QueryParameters parameters) {
    String number = parameters.text("numofmessages");
    return number.isEmpty() || number.equals("1");
  }
}
