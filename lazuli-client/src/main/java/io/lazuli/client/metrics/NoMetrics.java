package io.lazuli.client.metrics;

import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Metrics that nobody reads. */
final class NoMetrics implements WorkerMetrics {
  /**
   * Returns the metrics of the global registry, if there is Micrometer. Only this method refers to
   * the class that needs Micrometer.
   */
  static WorkerMetrics usual() {
    try {
      Class.forName(
          "io.micrometer.core.instrument.Metrics", false, NoMetrics.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError absent) {
      return NONE;
    }
    return MicrometerMetrics.global();
  }

  @Override
  public void ended(String queue, MessageOutcome outcome, Duration took) {}

  @Override
  public void receiveFailed(String queue) {}

  @Override
  public Runnable started(String queue, IntSupplier running, Supplier<Duration> lag) {
    return () -> {};
  }
}
