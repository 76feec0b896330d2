package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;

/** The entity is being moved: it can be changed once it has arrived. Nothing was written. */
public final class MovingFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  MovingFailure(EntityKey key) {
    super("the entity is being moved: " + key);
  }
}
