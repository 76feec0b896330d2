package io.lazuli.client.pattern.wide;

import io.lazuli.client.entity.EntityKey;

/**
 * The parts of an entity had different versions in every attempt to read them: it is written
 * constantly, or somebody wrote or deleted parts by other means.
 */
public final class TornRead extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient EntityKey key;

  TornRead(EntityKey key) {
    super("the parts of " + key + " do not belong together");
    this.key = key;
  }

  /** Returns the key of the entity. */
  public EntityKey key() {
    return key;
  }
}
