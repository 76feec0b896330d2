package io.lazuli.server.event;

/** The effect of an operation on stored data; owners of a service choose by it what is logged. */
public enum OperationKind {
  READ,
  WRITE,
  DELETE
}
