package io.lazuli.client.table;

import io.lazuli.client.entity.EntityKey;
import org.jspecify.annotations.Nullable;

/** The stored entity does not have the expected ETag: somebody else changed it. */
public final class ConditionNotMet extends TableFailure {
  private static final long serialVersionUID = 1;

  /** Creates the failure; the cause is null if the client detected it without the service. */
  public ConditionNotMet(EntityKey key, @Nullable Throwable cause) {
    super(key, key + " was changed by somebody else", cause);
  }
}
