package io.lazuli.server.catalog;

import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;

/**
 * Everything that the catalogue stores for a name. Policies and metadata are in the form in which
 * their owner encoded them, and empty if there are none. Nobody may write to the arrays.
 *
 * @param name the name as it was created
 * @param space the number of its space
 * @param stamp the number of the space that stands for the access rules of the name: its policies,
 *     and the public access of a container. Whoever changes them drops it. 0 if no server may keep
 *     the rules
 * @param gate the number of the space's gate, which the name loses when it is soft-deleted; 0 if
 *     names of this kind cannot be restored
 */
public record CatalogRow(
    String name, long space, long stamp, long gate, byte[] policies, byte[] metadata) {
  private static final byte[] NOTHING = new byte[0];

  /** Makes the row of a new name. */
  CatalogRow(String name, long space, long stamp, byte[] metadata) {
    this(name, space, stamp, firstGate(space), NOTHING, metadata);
  }

  /**
   * Returns the gate of a space that was never restored. It has the counter of the space, so it
   * needs neither a number of its own nor a field in the row.
   */
  static long firstGate(long space) {
    return SpaceKind.of(space) == SpaceKind.CONTAINER
        ? Space.number(SpaceKind.GATE, Space.counter(space))
        : 0;
  }

  CatalogEntry entry(Partition home) {
    return new CatalogEntry(name, new Space(space, home, gate));
  }

  CatalogRow withSpace(long newSpace) {
    return new CatalogRow(name, newSpace, stamp, firstGate(newSpace), policies, metadata);
  }

  /** Returns the row of a name that a soft-deleted one is restored to. */
  CatalogRow restored(String newName, long newGate, long newStamp, byte[] newMetadata) {
    return new CatalogRow(newName, space, newStamp, newGate, policies, newMetadata);
  }

  /**
   * Returns the row with other access rules.
   *
   * @param newStamp from {@link Catalog#newStamp}
   */
  public CatalogRow withPolicies(byte[] newPolicies, long newStamp) {
    return new CatalogRow(name, space, newStamp, gate, newPolicies, metadata);
  }

  public CatalogRow withMetadata(byte[] newMetadata) {
    return new CatalogRow(name, space, stamp, gate, policies, newMetadata);
  }
}
