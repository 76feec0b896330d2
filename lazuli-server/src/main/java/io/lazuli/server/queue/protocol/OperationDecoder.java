package io.lazuli.server.queue.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.MetadataHeaders;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.queue.model.QueueName;
import io.lazuli.server.queue.protocol.QueuePath.Message;
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

/**
 * Decodes requests into operations. The layers below see only operations, never the text of a
 * request.
 */
final class OperationDecoder {
  static final int LISTED_MAX = 5000;
  private static final int TAKEN_MAX = 32;
  private static final int INVISIBLE_SECONDS_MAX = 604_800;
  private static final int INVISIBLE_SECONDS_DEFAULT = 30;
  private static final long TTL_SECONDS_DEFAULT = 604_800;

  /**
   * The maximum time to live. It reaches past the year 9999, and is small enough for arithmetic
   * without overflow.
   */
  private static final long TTL_SECONDS_MAX = 1L << 39;

  private final Request request;
  private final QueuePath path;
  private final QueryParameters parameters;

  OperationDecoder(QueueRequest request) {
    this.request = request.request();
    this.path = request.path();
    this.parameters = request.parameters();
  }

  QueueOperation createQueue() {
    return new CreateQueue(queue(), MetadataHeaders.read(request.headers()));
  }

  QueueOperation deleteQueue() {
    return new DeleteQueue(queue());
  }

  QueueOperation readMetadata() {
    return new ReadMetadata(queue());
  }

  QueueOperation replaceMetadata() {
    return new ReplaceMetadata(queue(), MetadataHeaders.read(request.headers()));
  }

  QueueOperation peekMessages() {
    return new PeekMessages(queue(), taken());
  }

  QueueOperation deleteMessage() {
    return new DeleteMessage(queue(), id(), receipt());
  }

  QueueOperation clearMessages() {
    return new ClearMessages(queue());
  }

  private QueueName queue() {
    return QueueName.require(path.queue());
  }

  private String id() {
    return ((Message) path).id();
  }

  QueueOperation listQueues() {
    String prefix = parameters.text("prefix");
    int max = parameters.pageSize(LISTED_MAX);
    String include = parameters.text("include");
    if (!include.isEmpty() && !include.equals("metadata")) {
      throw parameters.invalid("include", "");
    }
    return new ListQueues(prefix, marker(), max);
  }

  /**
   * Returns the name in the marker, which has the form {@code /account/name}, as in the live
   * service (queue-rest 4.1).
   */
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

  QueueOperation getMessages() {
    QueueName queue = queue();
    int max = taken();
    int seconds =
        parameters.number("visibilitytimeout", INVISIBLE_SECONDS_DEFAULT, 1, INVISIBLE_SECONDS_MAX);
    return new GetMessages(queue, max, Duration.ofSeconds(seconds));
  }

  QueueOperation putMessage() {
    QueueName queue = queue();
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

  QueueOperation updateMessage() {
    QueueName queue = queue();
    String receipt = receipt();
    parameters.require("visibilitytimeout");
    int invisible = parameters.number("visibilitytimeout", 0, 0, INVISIBLE_SECONDS_MAX);
    byte[] body = request.body();
    return new UpdateMessage(
        queue,
        id(),
        receipt,
        Duration.ofSeconds(invisible),
        body.length == 0 ? null : MessageXml.text(body));
  }

  /**
   * Returns the pop receipt with its plus signs. The query parser turned unescaped plus signs into
   * spaces, and Base64 contains no spaces.
   */
  private String receipt() {
    return parameters.require("popreceipt").replace(' ', '+');
  }
}
