package io.lazuli.storage.hbase.call;

import io.lazuli.hbase.EntityFilterV1;
import io.lazuli.storage.metrics.MetricVisitor;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.ServerName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers which region servers do not have the filter, so that they are not asked in vain for a
 * while. Operators deploy it to one region server after another, or not at all. Thread-safe.
 */
final class FilterServers {
  private static final Logger log = LoggerFactory.getLogger(FilterServers.class);

  /** A refusal costs a call, and the region server searches its folders for the class. */
  private static final long REFUSED_NANOS = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanoTime;
  private final Map<ServerName, Long> refusedUntil = new ConcurrentHashMap<>();
  private final AtomicBoolean missed = new AtomicBoolean();
  private final AtomicBoolean found = new AtomicBoolean();
  private final LongAdder pages = new LongAdder();
  private final LongAdder leftOut = new LongAdder();

  FilterServers(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Returns false if the server has refused the filter lately. */
  boolean mayHaveFilter(ServerName server) {
    Long until = refusedUntil.get(server);
    return until == null || until - nanoTime.getAsLong() <= 0;
  }

  /** Notes that a server does not have the filter. */
  void refused(ServerName server) {
    long now = nanoTime.getAsLong();
    // Also forgets servers that no longer exist.
    refusedUntil.values().removeIf(until -> until - now <= 0);
    refusedUntil.put(server, now + REFUSED_NANOS);
    if (!missed.getAndSet(true)) {
      log.info(
          "region server {} does not have the filter {}: Lazuli evaluates the conditions of queries"
              + " itself. docs/operations.md says how to deploy it",
          server,
          EntityFilterV1.class.getName());
    }
  }

  /** Notes that a server has applied the filter. */
  void applied(ServerName server, long rowsLeftOut) {
    pages.increment();
    leftOut.add(rowsLeftOut);
    if (!found.getAndSet(true)) {
      log.info("region server {} evaluates the conditions of queries", server);
    }
  }

  /**
   * Returns true if a call failed because of the filter: the server does not have the class, or it
   * cannot run it.
   */
  static boolean isRefusal(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (String.valueOf(cause.getMessage()).contains(EntityFilterV1.class.getName())) {
        return true;
      }
    }
    return false;
  }

  void metrics(MetricVisitor visitor) {
    visitor.counter(
        "lazuli_hbase_filtered_pages",
        "Pages of scans of which a region server evaluated the condition.",
        pages.sum());
    visitor.counter(
        "lazuli_hbase_filtered_rows",
        "Rows that region servers examined and did not send.",
        leftOut.sum());
    long now = nanoTime.getAsLong();
    visitor.gauge(
        "lazuli_hbase_servers_without_filter",
        "Region servers that refused the filter in the last minute.",
        refusedUntil.values().stream().filter(until -> until - now > 0).count());
  }
}
