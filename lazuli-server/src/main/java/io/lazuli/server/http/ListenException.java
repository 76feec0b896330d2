package io.lazuli.server.http;

/** A port cannot be listened on; the message is one line for an operator. */
public final class ListenException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String address;
  private final boolean inUse;

  ListenException(String message, ListenerConfig config, boolean inUse, Throwable cause) {
    super(message, cause);
    this.address = config.host() + ":" + config.port();
    this.inUse = inUse;
  }

  /** Where it was to listen. */
  public String address() {
    return address;
  }

  /** True if somebody else listens there. */
  public boolean isInUse() {
    return inUse;
  }
}
