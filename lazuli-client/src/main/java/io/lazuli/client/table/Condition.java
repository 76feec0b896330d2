package io.lazuli.client.table;

/**
 * A condition that a stored entity must meet for a write to happen. Every condition requires that
 * the entity exists. Immutable.
 */
public sealed interface Condition {
  /**
   * Returns the condition that every existing entity meets, even if it has changed since it was
   * read: the last writer wins.
   */
  static Condition any() {
    return Any.INSTANCE;
  }

  /**
   * Returns the condition that the entity has this ETag, so that it has not changed since it was
   * read.
   */
  static Condition eTag(String eTag) {
    return new HasETag(eTag);
  }

  /** True for every existing entity. */
  enum Any implements Condition {
    /** The only instance. */
    INSTANCE
  }

  /**
   * True while the entity has the ETag.
   *
   * @param eTag the ETag as the service returned it
   */
  record HasETag(String eTag) implements Condition {}
}
