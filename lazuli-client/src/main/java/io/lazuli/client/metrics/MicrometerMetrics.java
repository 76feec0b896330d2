package io.lazuli.client.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The figures of workers as meters of a Micrometer registry, which needs the library {@code
 * micrometer-core}. Use one instance for each registry. Thread-safe.
 *
 * <p>All meters have the tag {@code queue}:
 *
 * <ul>
 *   <li>{@code lazuli.outbox.messages}, a timer: the messages that workers received, with the tag
 *       {@code outcome} ({@link MessageOutcome} in lower case), and how long the worker held them.
 *   <li>{@code lazuli.outbox.receive.failures}, a counter: how often the queue could not be read.
 *   <li>{@code lazuli.outbox.running}, a gauge: the messages in progress.
 *   <li>{@code lazuli.outbox.lag}, a gauge in seconds: the age of the oldest message that a worker
 *       of the queue received last.
 * </ul>
 */
public final class MicrometerMetrics implements WorkerMetrics {
  private static final double MILLIS_PER_SECOND = 1000;

  private final MeterRegistry registry;
  private final Map<String, Set<Worker>> workers = new ConcurrentHashMap<>();

  private record Worker(IntSupplier running, Supplier<Duration> lag) {
    double lagSeconds() {
      return lag.get().toMillis() / MILLIS_PER_SECOND;
    }
  }

  /** Holds the metrics of the global registry, which is created on first use. */
  private static final class Global {
    static final MicrometerMetrics METRICS = new MicrometerMetrics(Metrics.globalRegistry);
  }

  private MicrometerMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Returns metrics in a registry. */
  public static MicrometerMetrics of(MeterRegistry registry) {
    return new MicrometerMetrics(registry);
  }

  /** Returns the metrics in the global registry. */
  static MicrometerMetrics global() {
    return Global.METRICS;
  }

  @Override
  public void ended(String queue, MessageOutcome outcome, Duration took) {
    String name = outcome.name().toLowerCase(Locale.ROOT);
    registry.timer("lazuli.outbox.messages", "queue", queue, "outcome", name).record(took);
  }

  @Override
  public void receiveFailed(String queue) {
    registry.counter("lazuli.outbox.receive.failures", "queue", queue).increment();
  }

  @Override
  public Runnable started(String queue, IntSupplier running, Supplier<Duration> lag) {
    Set<Worker> all = workers.computeIfAbsent(queue, this::gauges);
    Worker worker = new Worker(running, lag);
    all.add(worker);
    return () -> all.remove(worker);
  }

  /** Registers the gauges of a queue: a registry accepts one gauge with the same tags only. */
  private Set<Worker> gauges(String queue) {
    Set<Worker> all = ConcurrentHashMap.newKeySet();
    Tags tags = Tags.of("queue", queue);
    Gauge.builder("lazuli.outbox.running", () -> sum(all)).tags(tags).register(registry);
    Gauge.builder("lazuli.outbox.lag", () -> slowest(all))
        .tags(tags)
        .baseUnit("seconds")
        .register(registry);
    return all;
  }

  private static double sum(Set<Worker> workers) {
    return workers.stream().mapToInt(worker -> worker.running().getAsInt()).sum();
  }

  private static double slowest(Set<Worker> workers) {
    return workers.stream().mapToDouble(Worker::lagSeconds).max().orElse(0);
  }
}
