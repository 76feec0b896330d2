package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;

/** A place is claimed that is not free. Its holder keeps it; the message ends as poisoned. */
public final class PlaceTaken extends RuntimeException {
  private static final long serialVersionUID = 1;

  PlaceTaken(String name, EntityKey place, Row holder, EntityKey claimant) {
    super(
        "%s %s belongs to %s, so %s cannot have it"
            .formatted(name, place, holder.isCopy() ? holder.primary() : "an entity", claimant));
  }
}
