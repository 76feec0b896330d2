package io.lazuli.server.event;

/** An operation of a service as request logs describe it (logs-and-metrics 4). */
public interface OperationType {
  /** The name in log lines, such as {@code InsertEntity}. */
  String documentedName();

  /** The effect that the operation may have. */
  OperationKind kind();

  /**
   * The effect that one request had.
   *
   * @param returned the number of items in the answer
   */
  default OperationKind kind(long returned) {
    return kind();
  }
}
