package io.lazuli.storage;

import org.jspecify.annotations.Nullable;

/** Thrown when an engine cannot carry out a call. The kind says what is known about the outcome. */
public final class StorageException extends RuntimeException {
  /** The kinds of failure that a caller must distinguish. */
  public enum Kind {
    /**
     * The engine cannot carry out the call now, for example because it is overloaded or read-only:
     * nothing was written.
     */
    UNAVAILABLE,
    /** The deadline passed: nothing was written. */
    TIMEOUT,
    /** The write may or may not have taken place. */
    UNKNOWN_OUTCOME,
    /** The space was dropped before or during the call. */
    SPACE_GONE,
    /** Stored data is damaged or missing, such as a record that does not match its checksum. */
    CORRUPT,
    /** The engine is closed. */
    CLOSED
  }

  private static final long serialVersionUID = 1;

  private final Kind kind;

  public StorageException(Kind kind, String message) {
    this(kind, message, null);
  }

  public StorageException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
