package io.lazuli.client.pattern.large;

import io.lazuli.client.entity.EntityKey;

/**
 * An entity names a blob that does not exist. This happens only if blobs are deleted by other
 * means.
 */
public final class MissingBlob extends RuntimeException {
  private static final long serialVersionUID = 1;

  MissingBlob(EntityKey key, String address, Throwable cause) {
    super("the blob " + address + " of " + key + " does not exist", cause);
  }
}
