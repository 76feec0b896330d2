package io.lazuli.client.table;

/**
 * What must be true of a stored entity for a write to happen. It must exist in any case. Immutable.
 */
public sealed interface Condition {
  /** It may have changed since it was read: the last writer wins. */
  static Condition any() {
    return Any.INSTANCE;
  }

  /** It has this ETag, so it has not changed since it was read. */
  static Condition eTag(String eTag) {
    return new HasETag(eTag);
  }

  /** Always true. */
  enum Any implements Condition {
    /** The only one. */
    INSTANCE
  }

  /**
   * True while the entity has the ETag.
   *
   * @param eTag as the service gave it
   */
  record HasETag(String eTag) implements Condition {}
}
