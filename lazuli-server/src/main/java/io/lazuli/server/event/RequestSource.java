package io.lazuli.server.event;

/**
 * A request and its answer as they were on the wire, for listeners that want to know more than the
 * event tells. Good while a listener is told, on its thread, and no longer. Target and headers hold
 * what proves who is calling.
 */
public interface RequestSource {
  String method();

  /** {@code http} or {@code https}. */
  String scheme();

  /** Host and port as the client wrote them; empty if it did not. */
  String host();

  /** Path and query as sent. */
  String target();

  /** The peer's IP address. */
  String peerAddress();

  int peerPort();

  /** As announced; 0 without a body, -1 if it came without a length. */
  long contentLength();

  void visitHeaders(HeaderVisitor visitor);

  void visitAnswerHeaders(HeaderVisitor visitor);

  /** What the request's line says about its operation, for one that was refused early. */
  OperationType operationByLine();
}
