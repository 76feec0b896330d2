package io.lazuli.storage;

import org.jspecify.annotations.Nullable;

/** Thrown when an engine cannot be opened. The message is one line for an operator. */
public final class EngineOpenException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public EngineOpenException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
