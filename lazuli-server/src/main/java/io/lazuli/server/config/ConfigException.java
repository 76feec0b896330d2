package io.lazuli.server.config;

/** Something was set wrongly; the message is one line that tells an operator where and what. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ConfigException(String message) {
    super(message);
  }
}
