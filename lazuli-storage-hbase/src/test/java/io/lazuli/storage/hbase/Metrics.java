package io.lazuli.storage.hbase;

import io.lazuli.storage.metrics.Histogram;
import io.lazuli.storage.metrics.MetricVisitor;

/** The metrics of an engine. */
final class Metrics {
  private Metrics() {}

  /** Returns the last value that an engine shows for a metric; -1 if it shows none. */
  static int value(HBaseEngine engine, String name) {
    int[] found = {-1};
    engine.metrics(
        new MetricVisitor() {
          @Override
          public void counter(String shown, String description, Number value, String... labels) {
            gauge(shown, description, value, labels);
          }

          @Override
          public void gauge(String shown, String description, Number value, String... labels) {
            if (shown.equals(name)) {
              found[0] = value.intValue();
            }
          }

          @Override
          public void histogram(
              String shown, String description, Histogram values, String... labels) {}
        });
    return found[0];
  }
}
