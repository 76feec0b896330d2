package io.lazuli.client.table;

import io.lazuli.client.entity.EntityKey;
import org.jspecify.annotations.Nullable;

/** An entity with the key of the one that was to be inserted is there. */
public final class AlreadyExists extends TableFailure {
  private static final long serialVersionUID = 1;

  /** For those who find out without the service, or from its answer. */
  public AlreadyExists(EntityKey key, @Nullable Throwable cause) {
    super(key, key + " exists already", cause);
  }
}
