package io.lazuli.client.pattern.outbox;

import com.azure.storage.queue.QueueAsyncClient;
import io.lazuli.client.metrics.MessageOutcome;
import io.lazuli.client.metrics.WorkerMetrics;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports what a worker does: to the log, to the listener for failures and to the metrics. A
 * failure of one of them is logged and does not disturb the worker.
 */
final class WorkerReport {
  private final String queue;
  private final Logger log;
  private final Consumer<Throwable> listener;
  private final WorkerMetrics metrics;
  private final AtomicBoolean unreadable = new AtomicBoolean();

  private WorkerReport(
      String queue, Logger log, Consumer<Throwable> listener, WorkerMetrics metrics) {
    this.queue = queue;
    this.log = log;
    this.listener = listener;
    this.metrics = metrics;
  }

  static WorkerReport of(QueueAsyncClient queue) {
    return new WorkerReport(
        queue.getQueueName(),
        LoggerFactory.getLogger(OutboxWorker.class),
        failure -> {},
        WorkerMetrics.usual());
  }

  WorkerReport with(Logger other) {
    return new WorkerReport(queue, other, listener, metrics);
  }

  WorkerReport with(Consumer<Throwable> other) {
    return new WorkerReport(queue, log, other, metrics);
  }

  WorkerReport with(WorkerMetrics other) {
    return new WorkerReport(queue, log, listener, other);
  }

  /** Reports a failed delivery of a message. */
  void failed(HeldMessage held, Throwable failure) {
    safely(
        () ->
            log.warn(
                "Delivery {} of message {} in queue {} failed{}",
                held.attempts(),
                held.id(),
                queue,
                held.envelope().map(envelope -> ": " + envelope.message()).orElse(""),
                failure));
    safely(() -> listener.accept(failure));
  }

  void poisoned(HeldMessage held, String reason) {
    safely(
        () ->
            log.error(
                "Message {} of queue {} went to the poison queue after {} deliveries: {}",
                held.id(),
                queue,
                held.attempts(),
                reason));
  }

  /** Reports that the queue could not be read. Only the first failure in a row is logged. */
  void receiveFailed(Throwable failure) {
    if (!unreadable.getAndSet(true)) {
      safely(() -> log.warn("Queue {} cannot be read; the worker keeps trying", queue, failure));
    }
    safely(() -> listener.accept(failure));
    safely(() -> metrics.receiveFailed(queue));
  }

  void received() {
    if (unreadable.getAndSet(false)) {
      safely(() -> log.info("Queue {} can be read again", queue));
    }
  }

  void ended(MessageOutcome outcome, Duration took) {
    safely(() -> metrics.ended(queue, outcome, took));
  }

  /** Reports a worker that starts; the result reports that it is closed. */
  Runnable started(IntSupplier running, Supplier<Duration> lag) {
    try {
      Runnable closed = metrics.started(queue, running, lag);
      return () -> safely(closed);
    } catch (Throwable failure) {
      logged(failure);
      return () -> {};
    }
  }

  /** Reports steps that were still running at the end of the time that a worker has to close. */
  void cancelled(int steps, Duration closeMax) {
    safely(
        () ->
            log.warn(
                "The worker of queue {} cancels {} steps that did not end within {}",
                queue,
                steps,
                closeMax));
  }

  private void safely(Runnable report) {
    try {
      report.run();
    } catch (Throwable failure) {
      logged(failure);
    }
  }

  private void logged(Throwable failure) {
    try {
      log.error("The log, the listener or the metrics of queue {} failed", queue, failure);
    } catch (Throwable ignored) {
      // The log itself is broken, so there is nobody left to report to.
    }
  }
}
