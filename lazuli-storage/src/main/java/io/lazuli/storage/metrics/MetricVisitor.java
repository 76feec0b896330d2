package io.lazuli.storage.metrics;

/**
 * Receives the metrics of a part of the server one by one, when somebody reads them. Called by one
 * thread at a time.
 *
 * <p>Names are those of the documentation in {@code docs/metrics.md}, without the ending {@code
 * _total} of counters. Labels are pairs: a name, then its value. All metrics of one name have the
 * same kind, the same description and the same label names, and no two have the same label values.
 * The values of a label come from a small set that clients cannot extend.
 */
public interface MetricVisitor {
  /** Receives a number that only grows while the process runs. */
  void counter(String name, String description, Number value, String... labels);

  /** Receives a number as it is now. */
  void gauge(String name, String description, Number value, String... labels);

  /** Receives the distribution of the values that were recorded so far. */
  void histogram(String name, String description, Histogram values, String... labels);
}
