package io.lazuli.server.metrics;

import io.lazuli.storage.metrics.MetricVisitor;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.function.Consumer;

/**
 * Writes metrics through Micrometer's registry for Prometheus. The registry measures the Java
 * virtual machine itself; the metrics of the server are read from their sources for each export.
 */
final class MetricExport implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();

  /**
   * @param source shows all metrics of the server
   */
  MetricExport(Consumer<MetricVisitor> source) {
    collections.bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    registry.getPrometheusRegistry().register(collector(source));
  }

  private static MultiCollector collector(Consumer<MetricVisitor> source) {
    return new MultiCollector() {
      @Override
      public MetricSnapshots collect() {
        SnapshotVisitor visitor = new SnapshotVisitor();
        source.accept(visitor);
        return visitor.snapshots();
      }
    };
  }

  String text(ExportFormat format) {
    return registry.scrape(format.contentType());
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
