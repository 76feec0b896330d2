package io.lazuli.server.blob.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is known of a container beside its name and policies.
 *
 * @param changedTicks what the ETag is made of; its whole seconds are Last-Modified
 */
public record ContainerProperties(
    long changedTicks, Map<String, String> metadata, PublicAccess publicAccess, Lease lease) {
  public ContainerProperties {
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
  }

  public ContainerProperties withMetadata(Map<String, String> newMetadata, long ticks) {
    return new ContainerProperties(ticks, newMetadata, publicAccess, lease);
  }

  public ContainerProperties withPublicAccess(PublicAccess newAccess, long ticks) {
    return new ContainerProperties(ticks, metadata, newAccess, lease);
  }

  /** The ETag stays. */
  public ContainerProperties withLease(Lease newLease) {
    return new ContainerProperties(changedTicks, metadata, publicAccess, newLease);
  }
}
