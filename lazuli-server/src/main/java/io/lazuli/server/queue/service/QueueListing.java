package io.lazuli.server.queue.service;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.Metadata;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.queue.service.QueueOperation.ListQueues;
import io.lazuli.server.queue.service.QueueOutcome.ListedQueue;
import io.lazuli.server.queue.service.QueueOutcome.QueuePage;
import io.lazuli.storage.Deadline;
import java.util.ArrayList;
import java.util.List;

/** Lists the queues of an account, one page at a time, in the order of their names. */
final class QueueListing {
  private QueueListing() {}

  static QueuePage page(Catalog catalog, ServiceHome home, ListQueues list, Deadline deadline) {
    List<ListedQueue> queues = new ArrayList<>();
    String[] next = new String[1];
    String prefix = list.prefix();
    catalog.list(
        home,
        prefix.compareTo(list.from()) > 0 ? prefix : list.from(),
        deadline,
        row -> {
          if (!row.name().startsWith(prefix)) {
            return row.name().compareTo(prefix) < 0;
          }
          if (queues.size() == list.max()) {
            next[0] = row.name();
            return false;
          }
          return queues.add(new ListedQueue(row.name(), Metadata.decode(row.metadata())));
        });
    return new QueuePage(queues, next[0]);
  }
}
