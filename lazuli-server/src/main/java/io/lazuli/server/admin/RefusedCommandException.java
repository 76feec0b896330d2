package io.lazuli.server.admin;

/** A command that the server does not execute. The message says why, in one line for operators. */
public final class RefusedCommandException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public RefusedCommandException(String message) {
    super(message);
  }
}
