package io.lazuli.server.metrics;

import io.lazuli.storage.metrics.Histogram;
import io.lazuli.storage.metrics.MetricVisitor;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Collects the metrics of one export. Mutable; used by one thread. */
final class SnapshotVisitor implements MetricVisitor {
  private final Map<String, MetricSnapshot.Builder<?>> byName = new LinkedHashMap<>();

  @Override
  public void counter(String name, String description, Number value, String... labels) {
    builder(CounterSnapshot.Builder.class, CounterSnapshot::builder, name, description)
        .dataPoint(
            CounterDataPointSnapshot.builder()
                .value(value.doubleValue())
                .labels(Labels.of(labels))
                .build());
  }

  @Override
  public void gauge(String name, String description, Number value, String... labels) {
    builder(GaugeSnapshot.Builder.class, GaugeSnapshot::builder, name, description)
        .dataPoint(
            GaugeDataPointSnapshot.builder()
                .value(value.doubleValue())
                .labels(Labels.of(labels))
                .build());
  }

  @Override
  public void histogram(String name, String description, Histogram values, String... labels) {
    builder(HistogramSnapshot.Builder.class, HistogramSnapshot::builder, name, description)
        .dataPoint(
            HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(
                    ClassicHistogramBuckets.of(values.upperBounds(), values.counts()))
                .sum(values.sum())
                .labels(Labels.of(labels))
                .build());
  }

  private <B extends MetricSnapshot.Builder<B>> B builder(
      Class<B> type, Supplier<B> create, String name, String description) {
    MetricSnapshot.Builder<?> known =
        byName.computeIfAbsent(name, missing -> create.get().name(name).help(description));
    return type.cast(known);
  }

  MetricSnapshots snapshots() {
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    byName.values().forEach(one -> all.metricSnapshot(one.build()));
    return all.build();
  }
}
