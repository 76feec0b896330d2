package io.lazuli.server.engine;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.MemoryPlan;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.StoreConfig;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.queue.model.QueueErrors;
import io.lazuli.server.queue.service.QueueService;
import io.lazuli.server.settings.AccessPolicies;
import io.lazuli.server.settings.ServicePropertiesStore;
import io.lazuli.server.settings.SettingsService;
import io.lazuli.server.table.service.DeletedTables;
import io.lazuli.server.table.service.EntityQueries;
import io.lazuli.server.table.service.PartitionRates;
import io.lazuli.server.table.service.TableService;
import io.lazuli.server.throttle.RateTargets;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Function;

/**
 * The services of a store without a running server, for commands that change its data by the rules
 * of the services. While it is open, no server can open the same data.
 */
public final class OfflineStore implements AutoCloseable {
  private final StorageEngine engine;
  private final WorkerPool scans = new WorkerPool("scan", 1, 1);
  private final Catalog catalog;
  private final ServicePropertiesStore properties;
  private final TableService tables;
  private final QueueService queues;
  private final BlobService blobs;

  private OfflineStore(StorageEngine engine) {
    this.engine = engine;
    this.catalog = new Catalog(engine);
    this.properties = new ServicePropertiesStore(catalog);
    PartitionRates rates = new PartitionRates(unlimited());
    this.tables =
        new TableService(
            engine,
            catalog,
            new EntityQueries(
                engine,
                catalog,
                rates,
                scans,
                Runnable::run,
                Limits.PAGE_TIME_MAX,
                MemoryPlan.ofThisProcess().pageBytesMax(),
                null),
            rates,
            new DeletedTables(Duration.ZERO));
    this.queues = new QueueService(engine, catalog, UUID::randomUUID, unlimited());
    this.blobs = new BlobService(engine, catalog, UUID::randomUUID, ForkJoinPool.commonPool());
  }

  /**
   * Opens the store of a server that is not running.
   *
   * @throws io.lazuli.storage.EngineOpenException if it cannot be opened, or a server uses it
   * @throws ServerStartException if there is no such engine
   */
  public static OfflineStore open(StoreConfig config) {
    return new OfflineStore(Engines.open(config));
  }

  private static <K> RateTargets<K> unlimited() {
    return new RateTargets<>(0, 1, CommonErrors.SERVER_BUSY, System::nanoTime);
  }

  public TableService tables() {
    return tables;
  }

  public QueueService queues() {
    return queues;
  }

  public BlobService blobs() {
    return blobs;
  }

  /** Returns the properties and access lists of the table service. */
  public SettingsService tableSettings() {
    return settings(ServiceHome::ofTables, CommonErrors.RESOURCE_NOT_FOUND);
  }

  /** Returns the properties and access lists of the queue service. */
  public SettingsService queueSettings() {
    return settings(ServiceHome::ofQueues, QueueErrors.QUEUE_NOT_FOUND);
  }

  /** Returns the properties of the blob service. */
  public SettingsService blobSettings() {
    return settings(ServiceHome::ofContainers, BlobErrors.CONTAINER_NOT_FOUND);
  }

  private SettingsService settings(Function<String, ServiceHome> homes, ServiceError missing) {
    return new SettingsService(
        homes,
        new AccessPolicies(catalog),
        properties,
        missing,
        () -> Ticks.toInstant(engine.now()),
        SettingsService.Preparation.NONE);
  }

  @Override
  public void close() {
    scans.close();
    engine.close();
  }
}
