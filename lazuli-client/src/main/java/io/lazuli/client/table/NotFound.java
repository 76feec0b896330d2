package io.lazuli.client.table;

import io.lazuli.client.entity.EntityKey;
import org.jspecify.annotations.Nullable;

/** The entity that was to be changed or deleted is not there. */
public final class NotFound extends TableFailure {
  private static final long serialVersionUID = 1;

  /** For those who find out without the service, or from its answer. */
  public NotFound(EntityKey key, @Nullable Throwable cause) {
    super(key, key + " does not exist", cause);
  }
}
