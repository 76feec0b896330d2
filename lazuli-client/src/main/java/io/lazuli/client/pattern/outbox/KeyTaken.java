package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;

/**
 * A copy or a moved entity needs a key that is not free. The current owner keeps it; the message
 * goes to the poison queue.
 */
public final class KeyTaken extends RuntimeException {
  private static final long serialVersionUID = 1;

  KeyTaken(String name, EntityKey key, Row holder, EntityKey claimant) {
    super(
        "%s %s belongs to %s, so %s cannot have this key"
            .formatted(name, key, holder.isCopy() ? holder.primary() : "an entity", claimant));
  }
}
