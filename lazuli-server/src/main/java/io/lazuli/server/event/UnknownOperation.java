package io.lazuli.server.event;

/** Stands for the operation of a request that asks for none that the service has. */
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
