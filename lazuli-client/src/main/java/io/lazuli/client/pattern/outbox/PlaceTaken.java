package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;

/** Two primaries claim one place. The first has it; the message of the other ends as poisoned. */
public final class PlaceTaken extends RuntimeException {
  private static final long serialVersionUID = 1;

  PlaceTaken(String name, EntityKey place, EntityKey holder, EntityKey claimant) {
    super("%s %s belongs to %s, so %s cannot have it".formatted(name, place, holder, claimant));
  }
}
