package io.lazuli.server.queue.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.MetadataHeaders;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.queue.model.QueueName;
import io.lazuli.server.queue.protocol.QueuePath.Message;
import io.lazuli.server.queue.service.QueueAction;
import io.lazuli.server.queue.service.QueueOperation;
import io.lazuli.server.queue.service.QueueOperation.ClearMessages;
import io.lazuli.server.queue.service.QueueOperation.CreateQueue;
import io.lazuli.server.queue.service.QueueOperation.DeleteMessage;
import io.lazuli.server.queue.service.QueueOperation.DeleteQueue;
import io.lazuli.server.queue.service.QueueOperation.GetMessages;
import io.lazuli.server.queue.service.QueueOperation.ListQueues;
import io.lazuli.server.queue.service.QueueOperation.PeekMessages;
import io.lazuli.server.queue.service.QueueOperation.PutMessage;
import io.lazuli.server.queue.service.QueueOperation.ReadMetadata;
import io.lazuli.server.queue.service.QueueOperation.ReplaceMetadata;
import io.lazuli.server.queue.service.QueueOperation.UpdateMessage;
import java.time.Duration;

/** Turns what came over the wire into operations; all text formats of requests end here. */
final class OperationDecoder {
  private static final int LISTED_MAX = 5000;
  private static final int TAKEN_MAX = 32;
  private static final int INVISIBLE_SECONDS_MAX = 604_800;
  private static final int INVISIBLE_SECONDS_DEFAULT = 30;
  private static final long TTL_SECONDS_DEFAULT = 604_800;

  /** Longer than until the year 9999, and short of what arithmetic on it could overflow. */
  private static final long TTL_SECONDS_MAX = 1L << 39;

  private final Request request;
  private final QueryParameters parameters;

  OperationDecoder(Request request, QueryParameters parameters) {
    this.request = request;
    this.parameters = parameters;
  }

  QueueOperation decode(QueueAction action, QueuePath path) {
    return action == QueueAction.LIST_QUEUES
        ? list()
        : decode(action, QueueName.require(path.queue()), path);
  }

  private QueueOperation decode(QueueAction action, QueueName queue, QueuePath path) {
    String id = path instanceof Message message ? message.id() : "";
    return switch (action) {
      case CREATE_QUEUE -> new CreateQueue(queue, MetadataHeaders.read(request.headers()));
      case DELETE_QUEUE -> new DeleteQueue(queue);
      case READ_METADATA -> new ReadMetadata(queue);
      case REPLACE_METADATA -> new ReplaceMetadata(queue, MetadataHeaders.read(request.headers()));
      case PUT_MESSAGE -> put(queue);
      case GET_MESSAGES -> get(queue);
      case PEEK_MESSAGES -> new PeekMessages(queue, taken());
      case UPDATE_MESSAGE -> update(queue, id);
      case DELETE_MESSAGE -> new DeleteMessage(queue, id, receipt());
      case CLEAR_MESSAGES -> new ClearMessages(queue);
      case LIST_QUEUES -> list();
    };
  }

  private QueueOperation list() {
    String prefix = parameters.text("prefix");
    boolean sent = parameters.has("maxresults");
    long max = parameters.number("maxresults", LISTED_MAX);
    if (sent && max <= 0) {
      throw parameters.outOfRange("maxresults", 1, LISTED_MAX);
    }
    String include = parameters.text("include");
    if (!include.isEmpty() && !include.equals("metadata")) {
      throw parameters.invalid("include", "");
    }
    return new ListQueues(prefix, marker(), (int) Math.min(max, LISTED_MAX));
  }

  /** Ours are {@code /account/name}, as the live service's (queue-rest 4.1). */
  private String marker() {
    String marker = parameters.text("marker");
    String head = "/" + request.address().account() + "/";
    if (!marker.isEmpty() && !marker.startsWith(head)) {
      throw CommonErrors.OUT_OF_RANGE_INPUT.exception();
    }
    return marker.isEmpty() ? "" : marker.substring(head.length());
  }

  private int taken() {
    return parameters.number("numofmessages", 1, 1, TAKEN_MAX);
  }

  private QueueOperation get(QueueName queue) {
    int max = taken();
    int seconds =
        parameters.number("visibilitytimeout", INVISIBLE_SECONDS_DEFAULT, 1, INVISIBLE_SECONDS_MAX);
    return new GetMessages(queue, max, Duration.ofSeconds(seconds));
  }

  private QueueOperation put(QueueName queue) {
    long ttl = parameters.number("messagettl", TTL_SECONDS_DEFAULT);
    if (ttl == 0 || ttl < -1) {
      throw parameters.invalid(
          "messagettl",
          "Value must be greater than or equal to 1, or -1 to indicate an infinite TTL.");
    }
    int invisible = parameters.number("visibilitytimeout", 0, 0, INVISIBLE_SECONDS_MAX);
    if (parameters.has("messagettl") && ttl != -1 && invisible >= ttl) {
      throw parameters.invalid(
          "visibilitytimeout", "messagettl must be greater than visibilitytimeout");
    }
    return new PutMessage(
        queue,
        MessageXml.text(request.body()),
        ttl == -1 ? null : Duration.ofSeconds(Math.min(ttl, TTL_SECONDS_MAX)),
        Duration.ofSeconds(invisible));
  }

  private QueueOperation update(QueueName queue, String id) {
    String receipt = receipt();
    parameters.require("visibilitytimeout");
    int invisible = parameters.number("visibilitytimeout", 0, 0, INVISIBLE_SECONDS_MAX);
    byte[] body = request.body();
    return new UpdateMessage(
        queue,
        id,
        receipt,
        Duration.ofSeconds(invisible),
        body.length == 0 ? null : MessageXml.text(body));
  }

  /** A plus sign that was sent raw came as a space, which Base64 does not have. */
  private String receipt() {
    return parameters.require("popreceipt").replace(' ', '+');
  }
}
