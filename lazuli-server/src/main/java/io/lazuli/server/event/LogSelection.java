package io.lazuli.server.event;

/**
 * Which requests to a service its owner wants in the request log.
 *
 * @param version of the lines
 */
public record LogSelection(String version, boolean read, boolean write, boolean delete) {
  /** True if the owner wants operations of the kind. */
  public boolean includes(OperationKind kind) {
    return switch (kind) {
      case READ -> read;
      case WRITE -> write;
      case DELETE -> delete;
    };
  }
}
