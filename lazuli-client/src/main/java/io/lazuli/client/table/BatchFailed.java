package io.lazuli.client.table;

import io.lazuli.client.entity.EntityKey;

/**
 * A batch in which one write was rejected, so that none was made. The cause is the failure of that
 * write: {@link NotFound}, {@link AlreadyExists}, {@link ConditionNotMet}, or the SDK's exception.
 */
public final class BatchFailed extends TableFailure {
  private static final long serialVersionUID = 1;

  private final int index;
  private final transient Write<?> write;

  BatchFailed(int index, Write<?> write, EntityKey key, Throwable cause) {
    super(key, "write " + index + " of the batch, " + key + ", was rejected", cause);
    this.index = index;
    this.write = write;
  }

  /**
   * Returns the index of the rejected write, from 0. After {@link AsyncTable#inChunks} it is the
   * index in the whole list.
   */
  public int index() {
    return index;
  }

  /** Returns the rejected write with the entity as the caller gave it. */
  public Write<?> write() {
    return write;
  }
}
