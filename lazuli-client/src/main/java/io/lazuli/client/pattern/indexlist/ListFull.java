package io.lazuli.client.pattern.indexlist;

import io.lazuli.client.entity.EntityKey;

/** A list does not fit in its entity, and there is no container for it. Nothing was written. */
public final class ListFull extends RuntimeException {
  private static final long serialVersionUID = 1;

  ListFull(EntityKey list, int bytes) {
    super(
        "the list %s has %d bytes, but an entity can contain %d; configure a container with overflowingTo"
            .formatted(list, bytes, ListEntities.BYTES_MAX));
  }
}
