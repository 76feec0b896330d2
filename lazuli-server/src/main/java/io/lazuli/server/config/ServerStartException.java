package io.lazuli.server.config;

/** A server cannot run as configured. The message is one line for an operator. */
public final class ServerStartException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ServerStartException(String message) {
    super(message);
  }
}
