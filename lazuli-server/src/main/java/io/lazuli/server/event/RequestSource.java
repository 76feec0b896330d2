package io.lazuli.server.event;

/**
 * A request and its answer as they were on the wire, for listeners that need more than the event.
 * Valid only during the call of a listener, on its thread. Target and headers contain credentials.
 */
public interface RequestSource {
  String method();

  /** Returns {@code http} or {@code https}. */
  String scheme();

  /** Returns host and port as the client sent them; empty if it sent none. */
  String host();

  /** Returns path and query as sent. */
  String target();

  /** Returns the peer's IP address. */
  String peerAddress();

  int peerPort();

  /** Returns the announced length; 0 without a body, -1 if the body had no length. */
  long contentLength();

  void visitHeaders(HeaderVisitor visitor);

  void visitAnswerHeaders(HeaderVisitor visitor);

  /**
   * Returns the operation that the request line describes, for a request that was refused early.
   */
  OperationType operationByLine();
}
