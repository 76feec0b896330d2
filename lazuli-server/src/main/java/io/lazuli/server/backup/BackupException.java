package io.lazuli.server.backup;

import org.jspecify.annotations.Nullable;

/** A backup or a restore that cannot be done. The message is one line for operators. */
public final class BackupException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public BackupException(String message) {
    this(message, null);
  }

  public BackupException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
