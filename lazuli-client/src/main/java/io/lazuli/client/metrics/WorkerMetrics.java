package io.lazuli.client.metrics;

import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Receives the figures of the workers of an outbox. Implementations are thread-safe and do not
 * block. The library has {@link MicrometerMetrics}; implement this interface for another system.
 */
public interface WorkerMetrics {
  /** Does nothing. */
  WorkerMetrics NONE = new NoMetrics();

  /**
   * Returns the metrics of a worker for which no others were chosen: those of Micrometer's global
   * registry if Micrometer is on the class path, otherwise {@link #NONE}.
   */
  static WorkerMetrics usual() {
    return NoMetrics.usual();
  }

  /** Records a message that a worker no longer holds, and the time since it was received. */
  void ended(String queue, MessageOutcome outcome, Duration took);

  /** Records that the queue could not be read. */
  void receiveFailed(String queue);

  /**
   * Shows a worker that starts.
   *
   * @param running returns the number of messages that the worker processes at the moment
   * @param lag returns the age of the oldest message that the worker received last
   * @return removes the worker again, when it is closed
   */
  Runnable started(String queue, IntSupplier running, Supplier<Duration> lag);
}
