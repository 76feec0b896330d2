package io.lazuli.server.http;

/** A port cannot be opened. The message is one line for an operator. */
public final class ListenException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String address;
  private final boolean inUse;

  ListenException(String message, ListenerConfig config, boolean inUse, Throwable cause) {
    super(message, cause);
    this.address = config.host() + ":" + config.port();
    this.inUse = inUse;
  }

  /** Returns the host and port that could not be opened. */
  public String address() {
    return address;
  }

  /** Returns whether another process listens there. */
  public boolean isInUse() {
    return inUse;
  }
}
