package io.lazuli.server.watch;

/** Watched files cannot be used; the message is one line for an operator. */
public final class WatchException extends Exception {
  private static final long serialVersionUID = 1;

  public WatchException(String message, Throwable cause) {
    super(message, cause);
  }

  public WatchException(String message) {
    super(message);
  }

  /** Returns the line for the operator. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
