package io.lazuli.transfer.http;

/** An answer of the service that reports an error. */
public final class ServiceFailure extends TransferException {
  private final int status;
  private final String code;

  public ServiceFailure(int status, String code, String text) {
    super(text.isEmpty() ? "the service answered " + status + " " + code : code + ": " + text);
    this.status = status;
    this.code = code;
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }

  /** Returns whether the same request may succeed later. */
  boolean isPassing() {
    return switch (status) {
      case 408, 429, 500, 502, 503, 504 -> true;
      default -> false;
    };
  }
}
