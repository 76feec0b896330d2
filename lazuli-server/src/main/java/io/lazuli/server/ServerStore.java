package io.lazuli.server;

import io.lazuli.server.account.ProtectedData;
import io.lazuli.server.blob.protocol.HttpSources;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.blob.service.ExternalSources;
import io.lazuli.server.blob.service.PendingCopies;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogNames;
import io.lazuli.server.config.Limits;
import io.lazuli.server.engine.Engines;
import io.lazuli.server.error.Futures;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.outbound.AllowedSources;
import io.lazuli.server.outbound.HostLookup;
import io.lazuli.server.outbound.OutboundClient;
import io.lazuli.server.settings.ServiceProperties;
import io.lazuli.server.settings.ServicePropertiesStore;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.work.WorkBoard;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The opened store of one server: its engine, the catalog, the properties of services, and the blob
 * service, through which the request log and the analytics write.
 *
 * @param content the threads that transfer the content of blobs
 * @param work shares the background work among the servers of the store
 */
record ServerStore(
    StorageEngine engine,
    Catalog catalog,
    ServicePropertiesStore properties,
    WorkerPool content,
    BlobService blobs,
    WorkBoard work) {
  private static final Logger LOG = LoggerFactory.getLogger(ServerStore.class);

  /**
   * Opens the store, and follows the accounts file, which can drop accounts.
   *
   * @param ports returns the ports on which the server listens, to which it makes no calls
   * @throws io.lazuli.storage.EngineOpenException if the data cannot be opened
   */
  static ServerStore open(
      ServerFrame frame, ServerAccounts accounts, Supplier<Set<Integer>> ports) {
    StorageEngine engine = Engines.open(frame.config().store());
    frame.closers().push(engine::close);
    WorkBoard work = new WorkBoard(engine, label(), LOG::warn);
    frame.closers().push(work::close);
    frame.health().add(work::trouble);
    Catalog catalog = new Catalog(engine);
    engine.nameSpaces(new CatalogNames(catalog));
    ServicePropertiesStore properties = new ServicePropertiesStore(catalog);
    WorkerPool content = frame.pool("content", Limits.CONTENT_THREADS, Limits.CONTENT_QUEUE_MAX);
    BlobService blobs =
        new BlobService(
            engine,
            catalog,
            UUID::randomUUID,
            new AccountProtections(accounts.registry(), properties),
            content.orElse(ForkJoinPool.commonPool()),
            frame.config().protocol().rehydrationTime(),
            externalSources(frame, ports),
            PendingCopies.Times.DEFAULT);
    frame.closers().push(accounts.follow(catalog, new ProtectedBlobs(blobs), frame.audit()));
    frame.health().add(accounts::trouble);
    return new ServerStore(engine, catalog, properties, content, blobs, work);
  }

  /** Returns a name of this process for operators. */
  private static String label() {
    return ManagementFactory.getRuntimeMXBean().getName();
  }

  /** Returns the reader of the servers that the operator listed for copies. */
  private static ExternalSources externalSources(ServerFrame frame, Supplier<Set<Integer>> ports) {
    AllowedSources allowed = frame.config().protocol().copySources();
    if (allowed.isEmpty()) {
      return ExternalSources.NONE;
    }
    OutboundClient client =
        new OutboundClient(
            allowed,
            HostLookup.SYSTEM,
            (address, port) -> isOwn(ports.get(), address, port),
            new OutboundClient.Times(
                Limits.COPY_SOURCE_CONNECT_TIME_MAX, Limits.COPY_SOURCE_IDLE_TIME_MAX),
            Limits.COPY_SOURCE_CALLS_MAX);
    frame.closers().push(client::close);
    return new HttpSources(client);
  }

  private static boolean isOwn(Set<Integer> ports, InetAddress address, int port) {
    try {
      return ports.contains(port) && NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return true;
    }
  }

  /**
   * Reads the properties of a service of an account. Waits for them.
   *
   * @param label the name of the service in host names
   */
  ServiceProperties properties(String account, String label) {
    StorageService service =
        StorageService.ALL.stream().filter(s -> s.label().equals(label)).findFirst().orElseThrow();
    Deadline deadline = Deadline.after(Limits.REQUEST_TIME_MAX);
    return Futures.await(properties.read(service.home().apply(account), deadline));
  }

  /** The blobs of accounts that are under an immutability policy or a legal hold. */
  private record ProtectedBlobs(BlobService blobs) implements ProtectedData {
    @Override
    public CompletableFuture<Boolean> mayExist(String account, Deadline deadline) {
      return blobs.mayHaveProtected(account, deadline);
    }

    @Override
    public CompletableFuture<Boolean> exists(String account, Deadline deadline) {
      return blobs.hasProtected(account, deadline);
    }
  }
}
