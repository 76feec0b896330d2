package io.lazuli.storage;

import org.jspecify.annotations.Nullable;

/** The data folder cannot be opened; the message is one line that tells an operator what to do. */
public final class EngineOpenException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public EngineOpenException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
