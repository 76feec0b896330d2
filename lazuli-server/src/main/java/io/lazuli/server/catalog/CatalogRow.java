package io.lazuli.server.catalog;

import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;

/**
 * All that the catalogue keeps of a name. Policies and metadata are as their owner encoded them,
 * empty if there are none; nobody may write to the arrays.
 *
 * @param name as it was given at creation
 * @param space number of the space that it stands for
 */
public record CatalogRow(String name, long space, byte[] policies, byte[] metadata) {
  private static final byte[] NOTHING = new byte[0];

  /** A new name. */
  CatalogRow(String name, long space, byte[] metadata) {
    this(name, space, NOTHING, metadata);
  }

  CatalogEntry entry(Partition home) {
    return new CatalogEntry(name, new Space(space, home));
  }

  CatalogRow withSpace(long newSpace) {
    return new CatalogRow(name, newSpace, policies, metadata);
  }

  public CatalogRow withPolicies(byte[] newPolicies) {
    return new CatalogRow(name, space, newPolicies, metadata);
  }

  public CatalogRow withMetadata(byte[] newMetadata) {
    return new CatalogRow(name, space, policies, newMetadata);
  }
}
