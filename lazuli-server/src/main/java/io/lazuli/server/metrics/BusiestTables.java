package io.lazuli.server.metrics;

import io.lazuli.storage.metrics.MetricVisitor;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts requests by table, for a bounded number of tables, and shows the busiest ones. Names of
 * accounts and tables come from clients, so nothing else may use them as labels. Thread-safe.
 *
 * <p>Once half of the places are taken, an export frees those of the tables that had no request
 * since the export before it. A table that finds no place is not counted until there is one.
 */
final class BusiestTables {
  static final int TABLES_MAX = 1_000;
  static final int SHOWN_MAX = 20;

  /** By account, then by table, so that a request looks up names without making a key. */
  private final Map<String, Map<String, Count>> accounts = new ConcurrentHashMap<>();

  private final AtomicInteger size = new AtomicInteger();

  private static final class Count {
    private final LongAdder requests = new LongAdder();

    /** The requests that the last export has seen. Guarded by the monitor of the outer object. */
    private long seen;
  }

  private record Shown(String account, String table, long requests) {}

  void count(String account, String table) {
    Map<String, Count> tables = accounts.get(account);
    Count count = tables == null ? null : tables.get(table);
    if (count == null && size.get() < TABLES_MAX) {
      count = add(account, table);
    }
    if (count != null) {
      count.requests.increment();
    }
  }

  private Count add(String account, String table) {
    return accounts
        .computeIfAbsent(account, missing -> new ConcurrentHashMap<>())
        .computeIfAbsent(
            table,
            missing -> {
              size.incrementAndGet();
              return new Count();
            });
  }

  /** Shows the busiest tables, and forgets idle ones if there are many. */
  synchronized void show(MetricVisitor visitor) {
    accounts.entrySet().stream()
        .flatMap(
            account ->
                account.getValue().entrySet().stream()
                    .map(
                        table ->
                            new Shown(
                                account.getKey(), table.getKey(), table.getValue().requests.sum())))
        .sorted(Comparator.comparingLong(Shown::requests).reversed())
        .limit(SHOWN_MAX)
        .forEach(
            one ->
                visitor.counter(
                    "lazuli_table_requests",
                    "Requests to the busiest tables.",
                    one.requests,
                    "account",
                    one.account,
                    "table",
                    one.table));
    visitor.gauge(
        "lazuli_debug_counted_tables", "Tables whose requests are counted now.", size.get());
    forgetIdle(size.get() > TABLES_MAX / 2);
  }

  private void forgetIdle(boolean many) {
    for (Map<String, Count> tables : accounts.values()) {
      tables
          .values()
          .removeIf(
              count -> {
                long now = count.requests.sum();
                boolean idle = many && now == count.seen;
                count.seen = now;
                if (idle) {
                  size.decrementAndGet();
                }
                return idle;
              });
    }
    if (many) {
      accounts.values().removeIf(Map::isEmpty);
    }
  }
}
