package io.lazuli.server.requestlog;

import io.lazuli.server.event.LogSelection;
import java.util.Locale;

/** What an operation does with what is stored: by this the owner chooses what is logged. */
enum OperationKind {
  READ,
  WRITE,
  DELETE;

  /**
   * @param operation by its documented name
   * @param method for an operation that nobody could name
   * @param returned how many items were answered: messages that were handed out were changed
   */
  static OperationKind of(String operation, String method, long returned) {
    if (operation.startsWith("Delete") || operation.startsWith("Clear")) {
      return DELETE;
    } else if (operation.startsWith("GetMessage")) {
      return returned > 0 ? WRITE : READ;
    } else if (operation.equals("Unknown") || operation.isEmpty()) {
      return byMethod(method);
    }
    return isRead(operation) ? READ : WRITE;
  }

  private static boolean isRead(String operation) {
    return operation.startsWith("Get")
        || operation.startsWith("Query")
        || operation.startsWith("List")
        || operation.startsWith("Peek")
        || operation.startsWith("Find")
        || operation.endsWith("PreflightRequest");
  }

  private static OperationKind byMethod(String method) {
    return switch (method) {
      case "GET", "HEAD", "OPTIONS" -> READ;
      case "DELETE" -> DELETE;
      default -> WRITE;
    };
  }

  boolean isIn(LogSelection selection) {
    return switch (this) {
      case READ -> selection.read();
      case WRITE -> selection.write();
      case DELETE -> selection.delete();
    };
  }

  /** As the metadata of a log blob names it. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
