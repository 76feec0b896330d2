package io.lazuli.server.settings;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.storage.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The properties of services, stored in the catalogue as XML documents. Every request reads them,
 * so they are cached: a change by this server is visible immediately, a change by another server
 * within a second.
 */
public final class ServicePropertiesStore {
  private static final Duration CACHED_MAX = Duration.ofSeconds(1);
  private static final int CACHED_SERVICES_MAX = 10_000;

  private final Catalog catalog;
  private final Cache<ServiceHome, CompletableFuture<ServiceProperties>> cache =
      Caffeine.newBuilder().maximumSize(CACHED_SERVICES_MAX).expireAfterWrite(CACHED_MAX).build();

  public ServicePropertiesStore(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Returns the cached properties; null if there are none. */
  public @Nullable ServiceProperties cached(ServiceHome home) {
    CompletableFuture<ServiceProperties> read = cache.getIfPresent(home);
    return read == null || read.isCompletedExceptionally() ? null : read.getNow(null);
  }

  /**
   * Returns the properties of a service. Requests that arrive while the properties are being read
   * share the read.
   */
  public CompletionStage<ServiceProperties> read(ServiceHome home, Deadline deadline) {
    return StorageFailures.translatingStage(
        () -> {
          CompletableFuture<ServiceProperties> read =
              cache.get(home, missing -> load(missing, deadline));
          return read.whenComplete(
              (properties, failure) -> {
                if (failure != null) {
                  cache.asMap().remove(home, read);
                }
              });
        });
  }

  /** Returns the stored properties of a service, whatever is cached. */
  CompletionStage<ServiceProperties> readStored(ServiceHome home, Deadline deadline) {
    return StorageFailures.translatingStage(() -> load(home, deadline));
  }

  private CompletableFuture<ServiceProperties> load(ServiceHome home, Deadline deadline) {
    return catalog.properties(home, deadline).thenApply(ServicePropertiesStore::decode);
  }

  /**
   * Changes the properties of a service and then invalidates the cache. The invalidation also
   * forgets reads that began earlier, so no older value is cached when they complete.
   */
  public CompletableFuture<ServiceProperties> change(
      ServiceHome home, ServiceProperties.Change change, Deadline deadline) {
    return catalog
        .changeProperties(
            home, old -> ServicePropertiesXml.write(change.applyTo(decode(old)), false), deadline)
        .whenComplete((changed, failure) -> cache.invalidate(home))
        .thenApply(ServicePropertiesStore::decode);
  }

  private static ServiceProperties decode(byte @Nullable [] document) {
    return document == null
        ? ServiceProperties.DEFAULT
        : ServicePropertiesXml.parseStored(document).applyTo(ServiceProperties.DEFAULT);
  }
}
