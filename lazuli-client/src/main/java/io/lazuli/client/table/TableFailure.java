package io.lazuli.client.table;

import io.lazuli.client.entity.EntityKey;
import org.jspecify.annotations.Nullable;

/**
 * A refusal by the service that a caller can act on. It stands in place of the SDK's exception,
 * which is its cause; all other failures are thrown as the SDK throws them.
 */
public abstract sealed class TableFailure extends RuntimeException
    permits NotFound, AlreadyExists, ConditionNotMet, BatchFailed {
  private static final long serialVersionUID = 1;

  private final transient EntityKey key;

  TableFailure(EntityKey key, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.key = key;
  }

  /** The key of the entity that was to be written. */
  public EntityKey key() {
    return key;
  }
}
