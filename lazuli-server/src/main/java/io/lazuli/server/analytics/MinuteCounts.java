package io.lazuli.server.analytics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.server.event.Authentication;
import io.lazuli.server.event.MetricsSelection;
import io.lazuli.server.event.RequestStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests to one service of an account that ended in one minute. Thread-safe. The lock is held
 * for a lookup and a few additions, so that event loops can take it.
 */
final class MinuteCounts {
  /**
   * The minute of a service.
   *
   * @param service {@code blob}, {@code queue} or {@code table}
   */
  record Key(String account, String service, long epochMinute) {}

  /** Whose requests a row counts. */
  enum Origin {
    USER("user;"),
    /** The server's own requests for analytics. */
    SYSTEM("system;");

    private final String prefix;

    Origin(String prefix) {
      this.prefix = prefix;
    }

    String row(String operation) {
      return prefix + operation;
    }
  }

  /** The name of the row that adds up all operations. */
  static final String ALL = "All";

  private final AtomicInteger rowsLeft;

  @GuardedBy("this")
  private final Map<String, RequestCounts> users = new HashMap<>();

  @GuardedBy("this")
  private final Map<String, RequestCounts> own = new HashMap<>();

  @GuardedBy("this")
  private MetricsSelection selection;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param rowsLeft the number of rows that all minutes may still add
   */
  MinuteCounts(AtomicInteger rowsLeft, MetricsSelection selection) {
    this.rowsLeft = rowsLeft;
    this.selection = selection;
  }

  /** The result of an attempt to count a request. */
  enum Result {
    COUNTED,
    /** The bound on rows is reached. */
    FULL,
    /** The counts are being written. A new minute must be begun. */
    CLOSED
  }

  /** Counts a request. */
  synchronized Result add(
      Origin origin,
      String operation,
      MetricsSelection wanted,
      RequestStatus status,
      Authentication caller,
      RequestCounts.Traffic traffic) {
    if (closed) {
      return Result.CLOSED;
    }
    Map<String, RequestCounts> rows = origin == Origin.USER ? users : own;
    RequestCounts counts = rows.get(operation);
    if (counts == null) {
      if (rowsLeft.getAndDecrement() <= 0) {
        rowsLeft.incrementAndGet();
        return Result.FULL;
      }
      counts = new RequestCounts();
      rows.put(operation, counts);
    }
    selection = wanted;
    counts.add(status, caller, traffic);
    return Result.COUNTED;
  }

  /** Ends the counting. Returns the metrics that the owner wants. */
  synchronized MetricsSelection close() {
    closed = true;
    rowsLeft.addAndGet(users.size() + own.size());
    return selection;
  }

  /**
   * Returns the rows by their keys: the sums, and each operation if it is wanted. Called after
   * {@link #close}.
   */
  synchronized Map<String, RequestCounts> rows(boolean withOperations) {
    Map<String, RequestCounts> rows = new TreeMap<>();
    add(rows, Origin.USER, users, withOperations);
    if (!own.isEmpty()) {
      add(rows, Origin.SYSTEM, own, withOperations);
    }
    return rows;
  }

  private static void add(
      Map<String, RequestCounts> rows,
      Origin origin,
      Map<String, RequestCounts> operations,
      boolean withOperations) {
    RequestCounts all = new RequestCounts();
    operations.values().forEach(all::add);
    rows.put(origin.row(ALL), all);
    if (withOperations) {
      operations.forEach((operation, counts) -> rows.put(origin.row(operation), counts));
    }
  }
}
