package io.lazuli.server.settings;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.storage.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The properties of services, kept in the catalogue as the XML document that shows them. Every
 * request asks for them, so they are cached: a change made here is seen at once, one that another
 * server made within two seconds.
 */
public final class ServicePropertiesStore {
  private static final Duration CACHED_MAX = Duration.ofSeconds(2);
  private static final int CACHED_SERVICES_MAX = 10_000;

  private final Catalog catalog;
  private final Cache<ServiceHome, ServiceProperties> cache =
      Caffeine.newBuilder().maximumSize(CACHED_SERVICES_MAX).expireAfterWrite(CACHED_MAX).build();

  public ServicePropertiesStore(Catalog catalog) {
    this.catalog = catalog;
  }

  /** What is known without reading; null if nothing is. */
  public @Nullable ServiceProperties cached(ServiceHome home) {
    return cache.getIfPresent(home);
  }

  /** The properties of a service; may read from disk. */
  public ServiceProperties read(ServiceHome home, Deadline deadline) {
    return StorageFailures.translating(
        () -> cache.get(home, missing -> decode(catalog.properties(missing, deadline))));
  }

  /**
   * Changes the properties of a service. The cache forgets them after the commit, and waits for a
   * load that began before it, so that none is cached that is older; off the engine's thread,
   * because such a load reads.
   */
  public CompletableFuture<ServiceProperties> change(
      ServiceHome home, ServiceProperties.Change change, Deadline deadline) {
    return catalog
        .changeProperties(
            home, old -> ServicePropertiesXml.write(change.applyTo(decode(old)), false), deadline)
        .whenCompleteAsync((changed, failure) -> cache.invalidate(home))
        .thenApply(ServicePropertiesStore::decode);
  }

  private static ServiceProperties decode(byte @Nullable [] document) {
    return document == null
        ? ServiceProperties.DEFAULT
        : ServicePropertiesXml.parseStored(document).applyTo(ServiceProperties.DEFAULT);
  }
}
