package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;

/**
 * Others changed the entity again and again between reading and writing it. Nothing was written.
 */
public final class ContentionFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  ContentionFailure(EntityKey key) {
    super("changed by others at every attempt: " + key);
  }
}
