package io.lazuli.client.entity;

/**
 * A type cannot be mapped, or an entity does not fit its type. The message names the member and
 * says what to do. A retry does not help.
 */
public final class MappingFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  MappingFailure(String message) {
    super(message);
  }

  MappingFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
