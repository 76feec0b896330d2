package io.lazuli.server.analytics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.server.analytics.MinuteCounts.Origin;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.Authentication;
import io.lazuli.server.event.MetricsSelection;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestSource;
import io.lazuli.server.event.RequestStatus;
import io.lazuli.server.table.model.SystemTables;
import io.lazuli.server.table.model.TableName;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Counts requests by minute, and adds the counts of past minutes to the rows of the metrics tables.
 * Thread-safe.
 *
 * <p>A row is changed by a transaction that reads it and adds the new counts. So several servers
 * can count the same hour, and a server that starts again continues the hour. A transaction that
 * failed is repeated. If nobody knows whether a transaction took place, its counts are dropped,
 * because a repetition might count requests twice.
 */
final class TransactionMetrics {
  /** The number of rows in memory that count requests. */
  static final int COUNTED_ROWS_MAX = 50_000;

  /** The number of rows in memory that wait to be written. */
  static final int WAITING_ROWS_MAX = 50_000;

  /** The length of the two spaces, {@code HTTP/1.1} and the line end. */
  private static final int AROUND_TARGET_BYTES = 12;

  /** The length of a status line, such as {@code HTTP/1.1 200 OK}. */
  private static final int STATUS_LINE_BYTES = 17;

  private final MetricsTables tables;
  private final Predicate<String> isPresent;
  private final Clock clock;
  private final int waitingRowsMax;
  private final AtomicInteger rowsLeft;
  private final LongAdder dropped = new LongAdder();
  private final Map<MinuteCounts.Key, MinuteCounts> minutes = new ConcurrentHashMap<>();

  @GuardedBy("this")
  private final Queue<Write> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private int waitingRows;

  /** Counts that are to be added to rows of one partition. */
  private record Write(
      String account, TableName table, String partition, Map<String, RequestCounts> rows) {
    long requests() {
      return Objects.requireNonNull(rows.get(Origin.USER.row(MinuteCounts.ALL))).total();
    }
  }

  /**
   * @param isPresent whether an account exists; the counts of a removed one are dropped
   */
  TransactionMetrics(MetricsTables tables, Predicate<String> isPresent, Clock clock) {
    this(tables, isPresent, clock, COUNTED_ROWS_MAX, WAITING_ROWS_MAX);
  }

  /** Creates metrics with other bounds, for tests. */
  TransactionMetrics(
      MetricsTables tables,
      Predicate<String> isPresent,
      Clock clock,
      int countedRowsMax,
      int waitingRowsMax) {
    this.tables = tables;
    this.isPresent = isPresent;
    this.clock = clock;
    this.rowsLeft = new AtomicInteger(countedRowsMax);
    this.waitingRowsMax = waitingRowsMax;
  }

  /** Counts a request of a client. */
  void count(String service, RequestEvent event, MetricsSelection selection, RequestSource source) {
    OperationType known = event.operation();
    OperationType operation = known == null ? source.operationByLine() : known;
    String target = source.target();
    HeaderBytes in = new HeaderBytes();
    source.visitHeaders(in);
    HeaderBytes out = new HeaderBytes();
    source.visitAnswerHeaders(out);
    RequestEvent.Transfer transfer = event.transfer();
    int line = source.method().length() + target.length() + AROUND_TARGET_BYTES;
    count(
        Origin.USER,
        key(event.account(), service),
        operation.documentedName(),
        selection,
        RequestStatus.of(event, target),
        event.authentication(),
        new RequestCounts.Traffic(
            line + in.bytes() + transfer.bytesIn(),
            STATUS_LINE_BYTES + out.bytes() + transfer.bytesOut(),
            transfer.nanos(),
            transfer.serverNanos()));
  }

  /** Counts a write that the server made for its request log. */
  void countOwn(
      String account, String operation, long bytes, long nanos, MetricsSelection selection) {
    count(
        Origin.SYSTEM,
        key(account, "blob"),
        operation,
        selection,
        RequestStatus.SUCCESS,
        Authentication.KEY,
        new RequestCounts.Traffic(bytes, 0, nanos, nanos));
  }

  private MinuteCounts.Key key(String account, String service) {
    return new MinuteCounts.Key(account, service, TimeUnit.MILLISECONDS.toMinutes(clock.millis()));
  }

  private void count(
      Origin origin,
      MinuteCounts.Key key,
      String operation,
      MetricsSelection selection,
      RequestStatus status,
      Authentication caller,
      RequestCounts.Traffic traffic) {
    MinuteCounts.Result result;
    do {
      MinuteCounts counts = minutes.get(key);
      if (counts == null && rowsLeft.get() <= 0) {
        result = MinuteCounts.Result.FULL;
      } else {
        counts =
            counts != null
                ? counts
                : minutes.computeIfAbsent(key, missing -> new MinuteCounts(rowsLeft, selection));
        result = counts.add(origin, operation, selection, status, caller, traffic);
      }
    } while (result == MinuteCounts.Result.CLOSED);
    if (result == MinuteCounts.Result.FULL) {
      drop(1);
    }
  }

  /**
   * Writes the counts of past minutes.
   *
   * @throws StorageException if a transaction failed; the rest is written by the next call
   */
  void write() {
    write(TimeUnit.MILLISECONDS.toMinutes(clock.millis()), Deadline.NEVER);
  }

  /** Writes all counts, until a deadline. */
  void writeAll(Deadline deadline) {
    write(Long.MAX_VALUE, deadline);
  }

  private synchronized void write(long beforeMinute, Deadline deadline) {
    for (MinuteCounts.Key key : minutes.keySet()) {
      if (key.epochMinute() < beforeMinute) {
        take(key);
      }
    }
    // One that fails goes to the end of the queue, so that it does not hold up the others.
    for (int left = waiting.size(); left > 0 && !deadline.hasPassed(); left--) {
      write(waiting.remove());
    }
  }

  @GuardedBy("this")
  private void take(MinuteCounts.Key key) {
    MinuteCounts counts = Objects.requireNonNull(minutes.remove(key));
    MetricsSelection selection = counts.close();
    Instant start = Instant.ofEpochSecond(TimeUnit.MINUTES.toSeconds(key.epochMinute()));
    if (selection.hours()) {
      queue(
          new Write(
              key.account(),
              SystemTables.hours(key.service()),
              Period.hour(start),
              counts.rows(selection.hourOperations())));
    }
    if (selection.minutes()) {
      queue(
          new Write(
              key.account(),
              SystemTables.minutes(key.service()),
              Period.minute(start),
              counts.rows(selection.minuteOperations())));
    }
  }

  @GuardedBy("this")
  private void queue(Write write) {
    if (waitingRows + write.rows().size() > waitingRowsMax) {
      drop(write.requests());
      return;
    }
    waitingRows += write.rows().size();
    waiting.add(write);
  }

  @GuardedBy("this")
  private void write(Write write) {
    waitingRows -= write.rows().size();
    if (!isPresent.test(write.account())) {
      return;
    }
    Map<String, MetricsTables.RowChange> changes = new HashMap<>();
    write.rows().forEach((row, counts) -> changes.put(row, old -> sum(old, counts)));
    try {
      tables.change(write.account(), write.table(), write.partition(), changes);
    } catch (StorageException | ServiceException e) {
      if (StorageFailures.isUnknownOutcome(e)) {
        drop(write.requests());
      } else {
        queue(write);
      }
      throw e;
    }
  }

  private static byte[] sum(byte @Nullable [] old, RequestCounts more) {
    RequestCounts sum = old == null ? new RequestCounts() : RequestCounts.ofRecord(old);
    sum.add(more);
    return sum.toRecord();
  }

  /** Notes that requests are not counted. */
  void drop(long requests) {
    dropped.add(requests);
  }

  /**
   * Returns the number of requests that are missing in the tables, because there was no room for
   * them in memory or a transaction had an unknown outcome.
   */
  long dropped() {
    return dropped.sum();
  }
}
