package io.lazuli.server.identity;

/** The keys of an issuer cannot be used. The message is the end of a line for an operator. */
final class KeysException extends Exception {
  private static final long serialVersionUID = 1;

  KeysException(String message) {
    super(message, null, false, false);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
