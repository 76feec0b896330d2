package io.lazuli.client.table;

import io.lazuli.client.entity.EntityKey;

/**
 * A change may or may not have been made: the answer to its write was lost, and the stored entity
 * does not reveal whether the write arrived. Read the entity and decide whether to repeat the
 * change. {@link WriteMark} says when this happens. The cause is the last failure of the write.
 */
public final class OutcomeUnknown extends TableFailure {
  private static final long serialVersionUID = 1;

  /** Creates the failure; the cause is the last failure of the write. */
  public OutcomeUnknown(EntityKey key, Throwable cause) {
    super(key, "it is not known whether " + key + " was changed", cause);
  }
}
