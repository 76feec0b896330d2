package io.lazuli.client.pattern.relation;

import io.lazuli.client.entity.EntityKey;

/** A parent cannot be deleted because it has children. Nothing was written. */
public final class HasChildren extends RuntimeException {
  private static final long serialVersionUID = 1;

  HasChildren(EntityKey parent, long children) {
    super(parent + " has " + children + " children");
  }
}
