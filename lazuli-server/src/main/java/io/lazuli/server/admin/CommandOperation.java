package io.lazuli.server.admin;

import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.OperationType;

/** A command as the audit names it. Each one counts as a change: some give access. */
record CommandOperation(String name) implements OperationType {
  @Override
  public String documentedName() {
    return name;
  }

  @Override
  public OperationKind kind() {
    return OperationKind.WRITE;
  }
}
