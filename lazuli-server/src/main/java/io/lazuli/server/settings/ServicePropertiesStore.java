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
 * The properties of services, stored in the catalogue as XML documents. Every request reads them,
 * so they are cached: a change by this server is visible immediately, a change by another server
 * within two seconds.
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

  /** Returns the cached properties; null if there are none. */
  public @Nullable ServiceProperties cached(ServiceHome home) {
    return cache.getIfPresent(home);
  }

  /** Returns the properties of a service. May read from disk. */
  public ServiceProperties read(ServiceHome home, Deadline deadline) {
    return StorageFailures.translating(
        () -> cache.get(home, missing -> decode(catalog.properties(missing, deadline))));
  }

  /**
   * Changes the properties of a service and then invalidates the cache. The invalidation waits for
   * loads that started earlier, so that no older value stays cached. The invalidation does not run
   * on the engine's thread, because it would block that thread until those loads have read.
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
