package io.lazuli.server.config;

/** A setting is invalid. The message is one line that tells an operator where and why. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ConfigException(String message) {
    super(message);
  }
}
