package io.lazuli.server.catalog;

import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;

/**
 * Everything that the catalogue stores for a name. Policies and metadata are in the form in which
 * their owner encoded them, and empty if there are none. Nobody may write to the arrays.
 *
 * @param name the name as it was created
 * @param space the number of its space
 */
public record CatalogRow(String name, long space, byte[] policies, byte[] metadata) {
  private static final byte[] NOTHING = new byte[0];

  /** Makes the row of a new name. */
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
