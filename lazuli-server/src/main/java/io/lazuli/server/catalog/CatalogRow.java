package io.lazuli.server.catalog;

import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;

/**
 * Everything that the catalogue stores for a name. Policies and metadata are in the form in which
 * their owner encoded them, and empty if there are none. Nobody may write to the arrays.
 *
 * @param name the name as it was created
 * @param space the number of its space
 * @param stamp the number of the space that stands for the access rules of the name: its policies,
 *     and the public access of a container. Whoever changes them drops it. 0 if no server may keep
 *     the rules
 */
public record CatalogRow(String name, long space, long stamp, byte[] policies, byte[] metadata) {
  private static final byte[] NOTHING = new byte[0];

  /** Makes the row of a new name. */
  CatalogRow(String name, long space, long stamp, byte[] metadata) {
    this(name, space, stamp, NOTHING, metadata);
  }

  CatalogEntry entry(Partition home) {
    return new CatalogEntry(name, new Space(space, home));
  }

  CatalogRow withSpace(long newSpace) {
    return new CatalogRow(name, newSpace, stamp, policies, metadata);
  }

  /**
   * Returns the row with other access rules.
   *
   * @param newStamp from {@link Catalog#newStamp}
   */
  public CatalogRow withPolicies(byte[] newPolicies, long newStamp) {
    return new CatalogRow(name, space, newStamp, newPolicies, metadata);
  }

  public CatalogRow withMetadata(byte[] newMetadata) {
    return new CatalogRow(name, space, stamp, policies, newMetadata);
  }
}
