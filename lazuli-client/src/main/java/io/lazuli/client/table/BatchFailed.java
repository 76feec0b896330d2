package io.lazuli.client.table;

import io.lazuli.client.entity.EntityKey;

/**
 * A batch of which one write was refused, so that none happened. The cause is what that write alone
 * would have failed with: {@link NotFound}, {@link AlreadyExists}, {@link ConditionNotMet}, or the
 * SDK's exception.
 */
public final class BatchFailed extends TableFailure {
  private static final long serialVersionUID = 1;

  private final int index;
  private final transient Write<?> write;

  BatchFailed(int index, Write<?> write, EntityKey key, Throwable cause) {
    super(key, "write " + index + " of the batch, " + key + ", was refused", cause);
    this.index = index;
    this.write = write;
  }

  /** Which write was refused, from 0; of writes in chunks, in the list that was given. */
  public int index() {
    return index;
  }

  /** The write that was refused, with the entity as it was given. */
  public Write<?> write() {
    return write;
  }
}
