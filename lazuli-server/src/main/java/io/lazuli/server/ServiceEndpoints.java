package io.lazuli.server;

import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.protocol.BlobEndpoint;
import io.lazuli.server.blob.protocol.BlobSignpost;
import io.lazuli.server.blob.protocol.WebsiteEndpoint;
import io.lazuli.server.blob.service.PendingCopies;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.MemoryPlan;
import io.lazuli.server.delegation.DelegationKeyEndpoint;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.queue.model.QueueErrors;
import io.lazuli.server.queue.protocol.QueueEndpoint;
import io.lazuli.server.queue.service.QueueService;
import io.lazuli.server.queue.service.QueueSweeper;
import io.lazuli.server.settings.AccessPolicies;
import io.lazuli.server.settings.ServiceProperties;
import io.lazuli.server.settings.SettingsService;
import io.lazuli.server.table.protocol.TableEndpoint;
import io.lazuli.server.table.service.DeletedTables;
import io.lazuli.server.table.service.EntityQueries;
import io.lazuli.server.table.service.PartitionRates;
import io.lazuli.server.table.service.TableService;
import io.lazuli.server.throttle.RateTargets;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Creates the services of a server and their endpoints, and starts their background work. */
final class ServiceEndpoints {
  private final ServerParts parts;
  private final ServicePipelines pipelines;
  private final StorageEngine engine;
  private final Catalog catalog;
  private final TableService tableService;
  private final QueueService queueService;
  private final WorkerPool listings =
      new WorkerPool("listing", Limits.LISTING_THREADS, Limits.LISTING_QUEUE_MAX);

  ServiceEndpoints(ServerParts parts, ServicePipelines pipelines) {
    this.parts = parts;
    this.pipelines = pipelines;
    this.engine = parts.engine();
    this.catalog = parts.catalog();
    parts.closers().accept(listings::close);
    parts.metrics().add(to -> MetricSources.pool(to, "listing", listings));
    tableService = newTableService();
    queueService =
        new QueueService(engine, catalog, UUID::randomUUID, partitionRates("queue_rate"));
  }

  Endpoint of(StorageService service) {
    return switch (service.name()) {
      case BLOB -> blobs();
      case QUEUE -> queues();
      case TABLE -> tables();
    };
  }

  private Endpoint blobs() {
    BlobCollector collector =
        new BlobCollector(engine, catalog, parts.blobs().garbage(), parts.work());
    parts.closers().accept(collector::close);
    parts.troubles().accept(collector::trouble);
    collector.start();
    PendingCopies copies = parts.blobs().pendingCopies();
    parts.closers().accept(copies::close);
    parts.troubles().accept(copies::trouble);
    copies.start(parts.work());
    return new BlobEndpoint(
        parts.blobs(),
        blobSettings(),
        new BlobEndpoint.Pools(parts.workers(), parts.content(), listings),
        pipelines.innerRequests(),
        delegationKeys(StorageService.BLOB),
        Limits.BLOB_MIB_TIME_MAX);
  }

  private Endpoint queues() {
    QueueService service = queueService;
    parts.queueStates().service(service);
    QueueSweeper sweeper = new QueueSweeper(catalog, service, parts.work());
    parts.closers().accept(sweeper::close);
    parts.troubles().accept(sweeper::trouble);
    parts.metrics().add(sweeper::metrics);
    sweeper.start();
    return new QueueEndpoint(
        service,
        settings(StorageService.QUEUE, QueueErrors.QUEUE_NOT_FOUND),
        parts.workers(),
        listings,
        delegationKeys(StorageService.QUEUE));
  }

  private DelegationKeyEndpoint delegationKeys(StorageService service) {
    return new DelegationKeyEndpoint(
        parts.delegationKeys(), service.label().charAt(0), Clock.systemUTC());
  }

  private Endpoint tables() {
    return new TableEndpoint(
        tableService,
        settings(StorageService.TABLE, CommonErrors.RESOURCE_NOT_FOUND),
        parts.workers(),
        parts.config().protocol().lenientPaths());
  }

  private TableService newTableService() {
    WorkerPool scans = new WorkerPool("scan", Limits.SCAN_THREADS, Limits.SCAN_QUEUE_MAX);
    parts.closers().accept(scans::close);
    parts.metrics().add(to -> MetricSources.pool(to, "scan", scans));
    PartitionRates rates = new PartitionRates(partitionRates("partition_rate"));
    EntityQueries queries =
        new EntityQueries(
            engine,
            catalog,
            rates,
            scans,
            parts.workers().orElse(Runnable::run),
            Limits.PAGE_TIME_MAX,
            MemoryPlan.ofThisProcess().pageBytesMax(),
            parts.dice());
    DeletedTables deleted = new DeletedTables(parts.config().rehearsal().deleting());
    return new TableService(engine, catalog, queries, rates, deleted);
  }

  /** Returns the rules of tables, for the console. */
  TableService tableService() {
    return tableService;
  }

  /** Returns the rules of queues, for the console. */
  QueueService queueService() {
    return queueService;
  }

  /** Returns the endpoint of the static websites. */
  Endpoint websites() {
    return new WebsiteEndpoint(
        parts.blobs(),
        (account, deadline) ->
            parts
                .properties()
                .read(StorageService.BLOB.home().apply(account), deadline)
                .thenApply(ServiceProperties::website),
        parts.content());
  }

  /** Returns the endpoint of the blob port in a server without a blob service. */
  Endpoint signpost() {
    return new BlobSignpost(parts.blobs(), blobSettings());
  }

  /** Returns the settings of a service, for the console. */
  SettingsService settings(StorageService service) {
    return switch (service.name()) {
      case BLOB -> blobSettings();
      case QUEUE -> settings(service, QueueErrors.QUEUE_NOT_FOUND);
      case TABLE -> settings(service, CommonErrors.RESOURCE_NOT_FOUND);
    };
  }

  private SettingsService blobSettings() {
    return settings(StorageService.BLOB, BlobErrors.CONTAINER_NOT_FOUND);
  }

  private SettingsService settings(StorageService service, ServiceError missing) {
    return new SettingsService(
        service.home(),
        new AccessPolicies(catalog),
        parts.properties(),
        missing,
        () -> Ticks.toInstant(engine.now()),
        (account, changed) -> prepare(service, account, changed));
  }

  /** Creates the containers and tables that changed properties need. */
  private CompletionStage<?> prepare(
      StorageService service, String account, ServiceProperties changed) {
    List<CompletionStage<?>> made = new ArrayList<>();
    if (changed.logging().isOn()) {
      made.add(parts.requestLog().prepare(account));
    }
    if (changed.website().enabled()) {
      made.add(parts.blobs().createWebContainer(account));
    }
    made.add(parts.analytics().prepare(account, service.label(), changed));
    return CompletableFuture.allOf(
        made.stream()
            .map(CompletionStage::toCompletableFuture)
            .toArray(CompletableFuture<?>[]::new));
  }

  private <K> RateTargets<K> partitionRates(String limit) {
    RateTargets<K> rates =
        new RateTargets<>(
            parts.config().rates().partition(),
            Limits.WATCHED_PARTITIONS_MAX,
            CommonErrors.SERVER_BUSY,
            System::nanoTime);
    parts.metrics().add(to -> MetricSources.rates(to, limit, rates));
    return rates;
  }
}
