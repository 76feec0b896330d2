package io.lazuli.server.account;

/**
 * The accounts file cannot be read, or refuses an edit. The message is one line for an operator and
 * contains no key.
 */
public final class AccountFileException extends RuntimeException {
  private static final long serialVersionUID = 1;

  AccountFileException(String message) {
    super(message);
  }

  AccountFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
