package io.lazuli.server.metrics;

import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestListener;
import io.lazuli.server.event.RequestSource;
import io.lazuli.storage.metrics.MetricVisitor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the requests to one service. A request costs a few lookups and increments: no text is
 * made, and no lock is taken. Thread-safe.
 */
final class RequestMetrics implements RequestListener {
  private final String service;
  private final BusiestTables tables;

  /** By operation, because operations are constants and quick to find. */
  private final Map<OperationType, OperationCounts> operations = new ConcurrentHashMap<>();

  /** The same counts by name; several operations are called {@code Unknown}. */
  private final Map<String, OperationCounts> byName = new ConcurrentHashMap<>();

  private final PlanCounts plans = new PlanCounts();
  private final LongAdder bytesIn = new LongAdder();
  private final LongAdder bytesOut = new LongAdder();
  private final LongAdder aborted = new LongAdder();

  RequestMetrics(String service, BusiestTables tables) {
    this.service = service;
    this.tables = tables;
  }

  @Override
  public void requestEnded(RequestEvent event, RequestSource source) {
    OperationType known = event.operation();
    OperationType operation = known == null ? source.operationByLine() : known;
    OperationCounts counts = operations.get(operation);
    if (counts == null) {
      counts = operations.computeIfAbsent(operation, this::counts);
    }
    RequestEvent.Transfer transfer = event.transfer();
    counts.add(event.status(), event.errorCode(), transfer);
    bytesIn.add(transfer.bytesIn());
    bytesOut.add(transfer.bytesOut());
    if (!transfer.complete()) {
      aborted.increment();
    }
    if (!event.planKind().isEmpty()) {
      plans.add(event.planKind(), event.entitiesRead(), event.entitiesReturned());
    }
    if (!event.table().isEmpty()) {
      tables.count(event.account(), event.table());
    }
  }

  private OperationCounts counts(OperationType operation) {
    return byName.computeIfAbsent(operation.documentedName(), missing -> new OperationCounts());
  }

  void addServerTimes(long[] sum) {
    byName.values().forEach(counts -> counts.addServerTimes(sum));
  }

  void show(MetricVisitor visitor) {
    byName.forEach((operation, counts) -> counts.show(visitor, service, operation));
    showBytes(visitor, "in", bytesIn);
    showBytes(visitor, "out", bytesOut);
    visitor.counter(
        "lazuli_requests_aborted",
        "Requests whose client disconnected before it received the answer.",
        aborted.sum(),
        "service",
        service);
    plans.show(visitor);
  }

  private void showBytes(MetricVisitor visitor, String direction, LongAdder bytes) {
    visitor.counter(
        "lazuli_transferred_bytes",
        "Bytes of the bodies of requests (in) and answers (out).",
        bytes.sum(),
        "service",
        service,
        "direction",
        direction);
  }
}
