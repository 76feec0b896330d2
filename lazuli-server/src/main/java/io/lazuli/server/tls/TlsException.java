package io.lazuli.server.tls;

/**
 * A certificate or its key cannot be used. The message is one line for an operator and contains no
 * part of a key or password.
 */
public final class TlsException extends Exception {
  private static final long serialVersionUID = 1;

  public TlsException(String message) {
    super(message);
  }

  public TlsException(String message, Throwable cause) {
    super(message, cause);
  }
}
