package io.lazuli.server.queue.service;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.queue.service.QueueOperation.ListQueues;
import io.lazuli.server.queue.service.QueueOutcome.ListedQueue;
import io.lazuli.server.queue.service.QueueOutcome.QueuePage;
import io.lazuli.storage.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Lists the queues of an account, one page at a time, in the order of their names. */
final class QueueListing {
  /** A page ends when the stored metadata of its queues has this size, to bound its memory. */
  private static final long PAGE_BYTES_MAX = 4 << 20;

  private QueueListing() {}

  static CompletableFuture<QueueOutcome> page(
      Catalog catalog, ServiceHome home, ListQueues list, Deadline deadline) {
    List<ListedQueue> queues = new ArrayList<>();
    String[] next = new String[1];
    long[] bytes = new long[1];
    String prefix = list.prefix();
    return catalog
        .list(
            home,
            prefix.compareTo(list.from()) > 0 ? prefix : list.from(),
            deadline,
            row -> {
              if (!row.name().startsWith(prefix)) {
                return row.name().compareTo(prefix) < 0;
              }
              if (queues.size() == list.max() || bytes[0] >= PAGE_BYTES_MAX) {
                next[0] = row.name();
                return false;
              }
              bytes[0] += row.metadata().length;
              return queues.add(new ListedQueue(row.name(), row.metadata()));
            })
        .thenApply(listed -> new QueuePage(queues, next[0]));
  }
}
