package io.lazuli.cluster;

import org.jspecify.annotations.Nullable;

/** The cluster cannot be started or asked; the message says which process and what it logged. */
public final class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ClusterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
