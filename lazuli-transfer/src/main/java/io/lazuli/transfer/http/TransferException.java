package io.lazuli.transfer.http;

/** A failure that ends a transfer. The message is for the user. */
public class TransferException extends RuntimeException {
  public TransferException(String message) {
    super(message);
  }

  public TransferException(String message, Throwable cause) {
    super(message, cause);
  }
}
