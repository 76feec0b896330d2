package io.lazuli.server.event;

/**
 * The effect of an operation on stored data. The owner of a service chooses by kind which
 * operations are logged.
 */
public enum OperationKind {
  READ,
  WRITE,
  DELETE
}
