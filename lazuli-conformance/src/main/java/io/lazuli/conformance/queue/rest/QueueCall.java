package io.lazuli.conformance.queue.rest;

import io.lazuli.conformance.queue.QueueMessage;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireRequest;

/** The operations of the service, with the permissions that a signature needs (queue-rest 3). */
enum QueueCall {
  LIST_QUEUES("GET", "", 's', "l", 200),
  GET_SERVICE_PROPERTIES("GET", "", 's', "r", 200),
  SET_SERVICE_PROPERTIES("PUT", "", 's', "w", 202),
  CREATE_QUEUE("PUT", "", 'c', "cw", 201),
  DELETE_QUEUE("DELETE", "", 'c', "d", 204),
  GET_METADATA("GET", "r", 'c', "r", 200),
  SET_METADATA("PUT", "", 'c', "w", 204),
  GET_ACL("GET", "", '-', "", 200),
  SET_ACL("PUT", "", '-', "", 204),
  PUT_MESSAGE("POST", "a", 'o', "a", 201),
  GET_MESSAGES("GET", "p", 'o', "p", 200),
  PEEK_MESSAGES("GET", "r", 'o', "r", 200),
  UPDATE_MESSAGE("PUT", "u", 'o', "u", 204),
  DELETE_MESSAGE("DELETE", "p", 'o', "p", 204),
  CLEAR_MESSAGES("DELETE", "", 'o', "d", 204);

  final String method;

  /**
   * The permission letter in a signature for the queue; empty if no letter allows the operation.
   */
  final String letter;

  /** The resource type in an account signature; a dash if no type allows the operation. */
  final char type;

  /** The permission letters in an account signature; any one of them allows the operation. */
  final String accountLetters;

  final int success;

  QueueCall(String method, String letter, char type, String accountLetters, int success) {
    this.method = method;
    this.letter = letter;
    this.type = type;
    this.accountLetters = accountLetters;
    this.success = success;
  }

  /**
   * Returns true if the operation is not on the queue itself, so that a signature for the queue
   * cannot cover it.
   */
  boolean isElsewhere() {
    return type == 's' || this == CREATE_QUEUE;
  }

  /** Returns the request, which succeeds if it is allowed. The queue must exist. */
  WireRequest on(ScratchQueue queue) {
    WireRequest request = queue.wire().request(method, resource(queue));
    return switch (this) {
      case PUT_MESSAGE -> request.body(ScratchQueue.body("text"));
      case SET_SERVICE_PROPERTIES ->
          request.body(
              "<StorageServiceProperties><MinuteMetrics><Version>1.0</Version><Enabled>false"
                  + "</Enabled><RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>"
                  + "</MinuteMetrics></StorageServiceProperties>");
      default -> request;
    };
  }

  private String resource(ScratchQueue queue) {
    return switch (this) {
      case LIST_QUEUES -> "/?comp=list&prefix=" + queue.name();
      case GET_SERVICE_PROPERTIES, SET_SERVICE_PROPERTIES -> AccountProperties.RESOURCE;
      case CREATE_QUEUE -> ScratchQueue.named(ScratchQueue.freshName()).path();
      case DELETE_QUEUE -> queue.path();
      case GET_METADATA, SET_METADATA -> queue.path() + "?comp=metadata";
      case GET_ACL, SET_ACL -> queue.path() + "?comp=acl";
      case PUT_MESSAGE, GET_MESSAGES, CLEAR_MESSAGES -> queue.messages("");
      case PEEK_MESSAGES -> queue.messages("peekonly=true");
      case UPDATE_MESSAGE -> {
        QueueMessage message = queue.added("text");
        yield queue.message(message.id(), receipt(message) + "&visibilitytimeout=0");
      }
      case DELETE_MESSAGE -> {
        QueueMessage message = queue.added("text");
        yield queue.message(message.id(), receipt(message));
      }
    };
  }

  private static String receipt(QueueMessage message) {
    return "popreceipt=" + Keys.encode(message.receipt());
  }
}
