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
 * The properties of services, stored in the catalogue as XML documents. Every request needs them,
 * so they are kept. A change is visible immediately, also a change by another server.
 */
public final class ServicePropertiesStore {
  /** Shorter than the day for which engines remember that a stamp was dropped. */
  private static final Duration KEPT_MAX = Duration.ofHours(1);

  /** For an engine without stamps. The catalogue can remove properties too, with their account. */
  private static final Duration KEPT_LOCALLY_MAX = Duration.ofSeconds(1);

  private static final int KEPT_SERVICES_MAX = 10_000;

  private final Catalog catalog;
  private final Cache<ServiceHome, CompletableFuture<Kept>> cache;

  private record Kept(ServiceProperties properties, long stamp) {}

  public ServicePropertiesStore(Catalog catalog) {
    this.catalog = catalog;
    this.cache =
        Caffeine.newBuilder()
            .maximumSize(KEPT_SERVICES_MAX)
            .expireAfterWrite(catalog.isShared() ? KEPT_MAX : KEPT_LOCALLY_MAX)
            .build();
  }

  /** Returns the properties that are kept; null if there are none that are surely in force. */
  public @Nullable ServiceProperties cached(ServiceHome home) {
    Kept kept = result(cache.getIfPresent(home));
    if (kept == null) {
      return null;
    }
    Boolean current = result(catalog.isCurrent(home, kept.stamp, Deadline.NEVER));
    return current != null && current ? kept.properties : null;
  }

  private static <T> @Nullable T result(@Nullable CompletableFuture<T> future) {
    return future == null || future.isCompletedExceptionally() ? null : future.getNow(null);
  }

  /**
   * Returns the properties of a service. Requests that arrive while the properties are being read
   * share the read.
   */
  public CompletionStage<ServiceProperties> read(ServiceHome home, Deadline deadline) {
    return StorageFailures.translatingStage(
        () -> {
          CompletableFuture<Kept> shared = cache.get(home, missing -> load(missing, deadline));
          return forgotten(home, shared)
              .thenCompose(
                  kept ->
                      catalog
                          .isCurrent(home, kept.stamp, deadline)
                          .thenCompose(
                              current ->
                                  current
                                      ? CompletableFuture.completedFuture(kept)
                                      : reload(home, shared, deadline)))
              .thenApply(Kept::properties);
        });
  }

  /** Reads properties that another server has changed. */
  private CompletableFuture<Kept> reload(
      ServiceHome home, CompletableFuture<Kept> old, Deadline deadline) {
    CompletableFuture<Kept> read = load(home, deadline);
    cache.asMap().replace(home, old, read);
    return forgotten(home, read);
  }

  /** Forgets a read if it fails. */
  private CompletableFuture<Kept> forgotten(ServiceHome home, CompletableFuture<Kept> read) {
    return read.whenComplete(
        (kept, failure) -> {
          if (failure != null) {
            cache.asMap().remove(home, read);
          }
        });
  }

  /** Returns the stored properties of a service, whatever is kept. */
  CompletionStage<ServiceProperties> readStored(ServiceHome home, Deadline deadline) {
    return StorageFailures.translatingStage(() -> load(home, deadline).thenApply(Kept::properties));
  }

  private CompletableFuture<Kept> load(ServiceHome home, Deadline deadline) {
    return catalog
        .properties(home, deadline)
        .thenApply(stored -> new Kept(decode(stored.document()), stored.stamp()));
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
