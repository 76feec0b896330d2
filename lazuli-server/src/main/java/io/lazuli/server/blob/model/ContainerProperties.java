package io.lazuli.server.blob.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The properties of a container, apart from its name and policies.
 *
 * @param changedTicks the time of the last change, from which the ETag and Last-Modified are made
 * @param guard 0 if nothing in the container was ever protected from removal; otherwise even while
 *     a deletion looks for protected blobs
 */
public record ContainerProperties(
    long changedTicks,
    Map<String, String> metadata,
    PublicAccess publicAccess,
    Lease lease,
    long guard) {
  /** Creates a container in which nothing is protected. */
  public ContainerProperties(
      long changedTicks, Map<String, String> metadata, PublicAccess publicAccess, Lease lease) {
    this(changedTicks, metadata, publicAccess, lease, 0);
  }

  public ContainerProperties {
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
  }

  public ContainerProperties withChangedTicks(long ticks) {
    return new ContainerProperties(ticks, metadata, publicAccess, lease, guard);
  }

  public ContainerProperties withMetadata(Map<String, String> newMetadata, long ticks) {
    return new ContainerProperties(ticks, newMetadata, publicAccess, lease, guard);
  }

  public ContainerProperties withPublicAccess(PublicAccess newAccess, long ticks) {
    return new ContainerProperties(ticks, metadata, newAccess, lease, guard);
  }

  /** Returns the properties with another lease; the ETag does not change. */
  public ContainerProperties withLease(Lease newLease) {
    return new ContainerProperties(changedTicks, metadata, publicAccess, newLease, guard);
  }

  /** Returns the properties with another guard; the ETag does not change. */
  public ContainerProperties withGuard(long newGuard) {
    return new ContainerProperties(changedTicks, metadata, publicAccess, lease, newGuard);
  }
}
