package io.lazuli.client.table;

import io.lazuli.client.entity.EntityKey;
import org.jspecify.annotations.Nullable;

/** The stored entity does not have the expected ETag: somebody changed it meanwhile. */
public final class ConditionNotMet extends TableFailure {
  private static final long serialVersionUID = 1;

  /** For those who find out without the service, or from its answer. */
  public ConditionNotMet(EntityKey key, @Nullable Throwable cause) {
    super(key, key + " has changed meanwhile", cause);
  }
}
