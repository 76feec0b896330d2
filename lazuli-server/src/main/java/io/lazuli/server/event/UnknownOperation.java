package io.lazuli.server.event;

/** Stands in for the operation of a request that matches no operation of the service. */
public record UnknownOperation(OperationKind kind) implements OperationType {
  /** Guesses the kind from the verb of the request. */
  public static UnknownOperation of(String method) {
    return new UnknownOperation(
        switch (method) {
          case "GET", "HEAD", "OPTIONS" -> OperationKind.READ;
          case "DELETE" -> OperationKind.DELETE;
          default -> OperationKind.WRITE;
        });
  }

  @Override
  public String documentedName() {
    return "Unknown";
  }
}
