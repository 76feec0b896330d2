package io.lazuli.server;

import io.lazuli.server.access.Caller;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.load.rule.QueueLooks;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.server.queue.model.QueueName;
import io.lazuli.server.queue.service.QueueOperation;
import io.lazuli.server.queue.service.QueueOutcome;
import io.lazuli.server.queue.service.QueueService;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Ticks;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells the load how full queues are. Knows nothing before the queue service was created. */
final class QueueStates implements QueueLooks {
  private static final Duration TIME_MAX = Duration.ofSeconds(2);

  /** If fewer are visible, their number is exact. Otherwise the count has to serve. */
  private static final int PEEKED = 32;

  private volatile @Nullable QueueService service;

  void service(QueueService queues) {
    service = queues;
  }

  @Override
  public @Nullable Look look(String account, String queue) {
    QueueService queues = service;
    if (queues == null) {
      return null;
    }
    Deadline deadline = Deadline.after(TIME_MAX);
    Caller server = new Caller(account, true);
    try {
      QueueName name = QueueName.require(queue);
      long messages =
          ((QueueOutcome.MetadataFound)
                  Futures.await(
                      queues.execute(new QueueOperation.ReadMetadata(name), server, deadline)))
              .messages();
      List<QueueMessage> seen =
          ((QueueOutcome.MessagesSeen)
                  Futures.await(
                      queues.execute(
                          new QueueOperation.PeekMessages(name, PEEKED), server, deadline)))
              .messages();
      QueueMessage first = seen.isEmpty() ? null : seen.get(0);
      return new Look(
          seen.size() < PEEKED ? seen.size() : messages,
          first == null ? null : Ticks.toInstant(first.inserted()),
          first == null ? null : Ticks.toInstant(first.visibleAt()),
          first == null ? null : Ticks.toInstant(first.expires()));
    } catch (ServiceException e) {
      return null;
    }
  }
}
