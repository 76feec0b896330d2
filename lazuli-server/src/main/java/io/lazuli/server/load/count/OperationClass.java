package io.lazuli.server.load.count;

import io.lazuli.server.event.OperationType;

/** The classes of operations that are counted apart. */
public enum OperationClass {
  /** Reads one thing by its key. */
  READ(true),
  /** Reads what matches a condition, or a list. */
  QUERY(true),
  /** Changes one thing. */
  WRITE(false),
  /** Adds one thing: an entity or a message. */
  INSERT(false),
  /** Changes several entities in one transaction. */
  BATCH(false),
  DELETE(false),
  /** Hands out messages. */
  TAKE(false);

  private final boolean read;

  OperationClass(boolean read) {
    this.read = read;
  }

  public boolean isRead() {
    return read;
  }

  static OperationClass of(OperationType operation) {
    return switch (operation.documentedName()) {
      case "QueryEntities" -> QUERY;
      case "InsertEntity", "PutMessage" -> INSERT;
      case "EntityGroupTransaction" -> BATCH;
      case "GetMessage", "GetMessages" -> TAKE;
      default -> byKind(operation);
    };
  }

  private static OperationClass byKind(OperationType operation) {
    return switch (operation.kind()) {
      case READ -> operation.documentedName().startsWith("List") ? QUERY : READ;
      case WRITE -> WRITE;
      case DELETE -> DELETE;
    };
  }
}
