package io.lazuli.server.http;

/** A port cannot be listened on; the message is one line for an operator. */
public final class ListenException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ListenException(String message, Throwable cause) {
    super(message, cause);
  }
}
