package io.lazuli.cluster;

import org.jspecify.annotations.Nullable;

/** The cluster cannot be started or queried. The message names the process and quotes its log. */
public final class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ClusterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
