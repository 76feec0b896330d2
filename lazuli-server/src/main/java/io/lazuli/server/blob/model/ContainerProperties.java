package io.lazuli.server.blob.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The properties of a container, apart from its name and policies.
 *
 * @param changedTicks the time of the last change, from which the ETag and Last-Modified are made
 */
public record ContainerProperties(
    long changedTicks, Map<String, String> metadata, PublicAccess publicAccess, Lease lease) {
  public ContainerProperties {
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
  }

  public ContainerProperties withChangedTicks(long ticks) {
    return new ContainerProperties(ticks, metadata, publicAccess, lease);
  }

  public ContainerProperties withMetadata(Map<String, String> newMetadata, long ticks) {
    return new ContainerProperties(ticks, newMetadata, publicAccess, lease);
  }

  public ContainerProperties withPublicAccess(PublicAccess newAccess, long ticks) {
    return new ContainerProperties(ticks, metadata, newAccess, lease);
  }

  /** Returns the properties with another lease; the ETag does not change. */
  public ContainerProperties withLease(Lease newLease) {
    return new ContainerProperties(changedTicks, metadata, publicAccess, newLease);
  }
}
