package io.lazuli.server.load.count;

import io.lazuli.server.event.OperationType;

/** The classes of operations that are counted apart. */
public enum OperationClass {
  /** Reads one thing by its key. */
  READ(0, true),
  /** Reads what matches a condition, or a list. */
  QUERY(1, true),
  /** Changes one thing. */
  WRITE(2, false),
  /** Adds one thing: an entity or a message. */
  INSERT(3, false),
  /** Changes several entities in one transaction. */
  BATCH(4, false),
  DELETE(5, false),
  /** Hands out messages. */
  TAKE(6, false);

  private final int place;
  private final boolean read;

  OperationClass(int place, boolean read) {
    this.place = place;
    this.read = read;
  }

  /** Returns the place among the counts of a space. It is stored, so it never changes. */
  int place() {
    return place;
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
