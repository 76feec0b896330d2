package io.lazuli.client.table;

import io.lazuli.client.entity.EntityKey;
import org.jspecify.annotations.Nullable;

/**
 * An error of the service that a caller can act on. It replaces the SDK's exception, which is its
 * cause. All other errors are thrown as the SDK throws them.
 */
public abstract sealed class TableFailure extends RuntimeException
    permits NotFound, AlreadyExists, ConditionNotMet, BatchFailed, OutcomeUnknown {
  private static final long serialVersionUID = 1;

  private final transient EntityKey key;

  TableFailure(EntityKey key, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.key = key;
  }

  /** Returns the key of the entity whose write failed. */
  public EntityKey key() {
    return key;
  }
}
