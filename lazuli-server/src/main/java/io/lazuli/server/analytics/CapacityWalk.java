package io.lazuli.server.analytics;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.request.FormerStates;
import io.lazuli.server.blob.request.ListMarker;
import io.lazuli.server.blob.request.NameBounds;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobOperation.ListBlobs;
import io.lazuli.server.blob.service.BlobOperation.ListContainers;
import io.lazuli.server.blob.service.BlobOutcome;
import io.lazuli.server.blob.service.BlobOutcome.BlobPage;
import io.lazuli.server.blob.service.BlobOutcome.ContainerPage;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlob;
import io.lazuli.server.blob.service.BlobOutcome.ListedItem;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.model.EdmValue.Int64Value;
import io.lazuli.server.table.model.Property;
import io.lazuli.storage.Deadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the blobs of an account by listing them, one page at a time (logs-and-metrics 6.2). The
 * snapshots, versions and soft-deleted blobs count with their whole length, also if they share
 * content. Blocks that were not committed count with no length. Mutable; used by one thread.
 */
final class CapacityWalk {
  private static final Duration TIME_MAX = Duration.ofSeconds(30);
  private static final int PAGE_CONTAINERS_MAX = 1_000;
  private static final int PAGE_BLOBS_MAX = 1_000;

  private final BlobService blobs;
  private final Caller server;
  private final Sum data = new Sum();
  private final Sum logs = new Sum();
  private final Queue<ContainerName> containers = new ArrayDeque<>();

  /** The first container that was not listed yet; null after the last one. */
  private @Nullable String nextContainer = "";

  private boolean begun;

  private @Nullable ListMarker nextBlob;

  private static final class Sum {
    private long bytes;
    private long containers;
    private long objects;

    byte[] toRecord() {
      return EntityCodec.encode(
          List.of(
              new Property("Capacity", new Int64Value(bytes)),
              new Property("ContainerCount", new Int64Value(containers)),
              new Property("ObjectCount", new Int64Value(objects))));
    }
  }

  CapacityWalk(BlobService blobs, String account) {
    this.blobs = blobs;
    this.server = new Caller(account, false, new Access.OfServer());
  }

  /** Returns whether a page was added up. */
  boolean hasBegun() {
    return begun;
  }

  /** Adds up one page. Returns false after the last page. Blocks. */
  boolean next() {
    begun = true;
    ContainerName container = containers.peek();
    if (container != null) {
      addBlobs(container);
    } else if (nextContainer != null) {
      addContainers(nextContainer);
    }
    return !containers.isEmpty() || nextContainer != null;
  }

  /** Returns the rows of the account, once all pages are added up. */
  Map<String, MetricsTables.RowChange> rows() {
    return Map.of("data", old -> data.toRecord(), "analytics", old -> logs.toRecord());
  }

  private void addContainers(String from) {
    ContainerPage page =
        (ContainerPage) execute(new ListContainers("", from, PAGE_CONTAINERS_MAX, true));
    page.containers().forEach(found -> containers.add(new ContainerName(found.name())));
    nextContainer = page.next();
  }

  private void addBlobs(ContainerName container) {
    Sum sum = container.equals(ContainerName.LOGS) ? logs : data;
    sum.containers += nextBlob == null ? 1 : 0;
    BlobPage page = page(container);
    page.items().forEach(item -> add(sum, item));
    nextBlob = page.next();
    if (nextBlob == null) {
      containers.remove();
    }
  }

  private static void add(Sum sum, ListedItem item) {
    if (item instanceof ListedBlob blob) {
      sum.bytes += blob.properties().content().length();
      sum.objects += blob.state() == null ? 1 : 0;
    }
  }

  private BlobPage page(ContainerName container) {
    ListBlobs list =
        new ListBlobs(
            container,
            "",
            NameBounds.NONE,
            "",
            nextBlob,
            PAGE_BLOBS_MAX,
            true,
            true,
            new FormerStates(true, true, false));
    try {
      return (BlobPage) execute(list);
    } catch (ServiceException e) {
      if (e.error().equals(BlobErrors.CONTAINER_NOT_FOUND)) {
        // The container was deleted during the walk.
        return new BlobPage(List.of(), null, 0);
      }
      throw e;
    }
  }

  private BlobOutcome execute(BlobOperation operation) {
    return Futures.await(blobs.execute(operation, server, Deadline.after(TIME_MAX)));
  }
}
