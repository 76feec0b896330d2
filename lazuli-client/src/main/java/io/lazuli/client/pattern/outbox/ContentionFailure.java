package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;

/**
 * Other clients changed the entity in every attempt, after it was read and before it was written.
 * Nothing was written.
 */
public final class ContentionFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  ContentionFailure(EntityKey key) {
    super("other clients changed the entity at every attempt: " + key);
  }
}
