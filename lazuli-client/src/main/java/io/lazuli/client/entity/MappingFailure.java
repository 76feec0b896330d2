package io.lazuli.client.entity;

/**
 * A type that cannot be mapped, or an entity and a type that do not fit. The message names the
 * member and says what to do. Trying again does not help.
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
