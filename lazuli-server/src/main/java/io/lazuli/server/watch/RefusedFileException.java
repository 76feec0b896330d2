package io.lazuli.server.watch;

/**
 * A file that says who may do what cannot be read, or refuses an edit. The message is one line for
 * an operator and contains no secret.
 */
public final class RefusedFileException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public RefusedFileException(String message) {
    super(message);
  }

  public RefusedFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
