package io.lazuli.server.metrics;

import io.lazuli.storage.metrics.MetricVisitor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The queries by the kind of their plan. */
final class PlanCounts {
  private static final String SEEKS = "seeks";

  private static final class Count {
    private final LongAdder queries = new LongAdder();
    private final LongAdder read = new LongAdder();
    private final LongAdder returned = new LongAdder();
  }

  private final Map<String, Count> byKind = new ConcurrentHashMap<>();

  /**
   * Counts a query.
   *
   * @param plan the kind in words; the number in {@code seeks(n)} is left out
   */
  void add(String plan, long read, long returned) {
    String kind = plan.startsWith(SEEKS) ? SEEKS : plan;
    Count count = byKind.get(kind);
    if (count == null) {
      count = byKind.computeIfAbsent(kind, missing -> new Count());
    }
    count.queries.increment();
    count.read.add(read);
    count.returned.add(returned);
  }

  void show(MetricVisitor visitor) {
    byKind.forEach(
        (kind, count) -> {
          visitor.counter(
              "lazuli_queries",
              "Pages of queries, by the kind of their plan.",
              count.queries.sum(),
              "plan",
              kind);
          visitor.counter(
              "lazuli_query_entities_read",
              "Entities that queries read.",
              count.read.sum(),
              "plan",
              kind);
          visitor.counter(
              "lazuli_query_entities_returned",
              "Entities that queries returned.",
              count.returned.sum(),
              "plan",
              kind);
        });
  }
}
