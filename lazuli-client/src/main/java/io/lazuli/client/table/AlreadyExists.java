package io.lazuli.client.table;

import io.lazuli.client.entity.EntityKey;
import org.jspecify.annotations.Nullable;

/** An insert found an entity with the same key. */
public final class AlreadyExists extends TableFailure {
  private static final long serialVersionUID = 1;

  /** Creates the failure; the cause is null if the client detected it without the service. */
  public AlreadyExists(EntityKey key, @Nullable Throwable cause) {
    super(key, key + " exists already", cause);
  }
}
