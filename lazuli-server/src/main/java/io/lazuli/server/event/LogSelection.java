package io.lazuli.server.event;

/**
 * The requests to a service that its owner wants in the request log.
 *
 * @param version the version of the log lines
 */
public record LogSelection(String version, boolean read, boolean write, boolean delete) {
  /** Returns true if the owner wants operations of the kind. */
  public boolean includes(OperationKind kind) {
    return switch (kind) {
      case READ -> read;
      case WRITE -> write;
      case DELETE -> delete;
    };
  }
}
