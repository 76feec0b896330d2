package io.lazuli.server.event;

/** An operation of a service as request logs describe it (logs-and-metrics 4). */
public interface OperationType {
  /** Returns the name in log lines, such as {@code InsertEntity}. */
  String documentedName();

  /** Returns the effect that the operation may have. */
  OperationKind kind();

  /**
   * Returns the effect that one request had.
   *
   * @param returned the number of items in the answer
   */
  default OperationKind kind(long returned) {
    return kind();
  }

  /** Returns whether the audit has a line for each request that asks for the operation. */
  default boolean isAudited() {
    return kind() != OperationKind.READ;
  }

  /**
   * Returns whether one successful request changed data or access.
   *
   * @param returned the number of items in the answer
   */
  default boolean changed(long returned) {
    return isAudited() && kind(returned) != OperationKind.READ;
  }

  /** Returns whether a request for the operation may change nothing. */
  default boolean mayRead() {
    return kind() == OperationKind.READ;
  }
}
