package io.lazuli.client.table;

import io.lazuli.client.entity.EntityKey;
import org.jspecify.annotations.Nullable;

/** The entity to change or delete does not exist. */
public final class NotFound extends TableFailure {
  private static final long serialVersionUID = 1;

  /** Creates the failure; the cause is null if the client detected it without the service. */
  public NotFound(EntityKey key, @Nullable Throwable cause) {
    super(key, key + " does not exist", cause);
  }
}
