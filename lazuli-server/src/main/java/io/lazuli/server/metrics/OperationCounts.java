package io.lazuli.server.metrics;

import io.lazuli.server.event.RequestEvent.Transfer;
import io.lazuli.storage.metrics.Histogram;
import io.lazuli.storage.metrics.MetricVisitor;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The requests for one operation of a service: how they ended, and how long they took. */
final class OperationCounts {
  /** The number of different errors that are told apart; an operation has about twenty. */
  private static final int ERRORS_MAX = 100;

  private static final int SUCCESS = 200;
  private static final Outcome OTHER = new Outcome(0, "other");

  private record Outcome(int status, String code) {}

  /** By status, from 200 on. */
  private final LongAdder[] succeeded = new LongAdder[8];

  private final Map<Outcome, LongAdder> others = new ConcurrentHashMap<>();
  private final Histogram wholeNanos = Histogram.ofNanos();
  private final Histogram serverNanos = Histogram.ofNanos();

  OperationCounts() {
    Arrays.setAll(succeeded, i -> new LongAdder());
  }

  void add(int status, String errorCode, Transfer transfer) {
    int success = status - SUCCESS;
    if (success >= 0 && success < succeeded.length && errorCode.isEmpty()) {
      succeeded[success].increment();
    } else {
      addOther(new Outcome(status, errorCode));
    }
    wholeNanos.record(transfer.nanos());
    serverNanos.record(transfer.serverNanos());
  }

  /** Adds the counts of the times in the server. */
  void addServerTimes(long[] sum) {
    long[] counts = serverNanos.counts();
    Arrays.setAll(sum, i -> sum[i] + counts[i]);
  }

  private void addOther(Outcome outcome) {
    LongAdder known = others.get(outcome);
    if (known == null) {
      Outcome counted = others.size() < ERRORS_MAX ? outcome : OTHER;
      known = others.computeIfAbsent(counted, missing -> new LongAdder());
    }
    known.increment();
  }

  void show(MetricVisitor visitor, String service, String operation) {
    for (int i = 0; i < succeeded.length; i++) {
      if (succeeded[i].sum() > 0) {
        show(visitor, service, operation, new Outcome(SUCCESS + i, ""), succeeded[i]);
      }
    }
    others.forEach((outcome, count) -> show(visitor, service, operation, outcome, count));
    visitor.histogram(
        "lazuli_request_seconds",
        "Time from the head of a request until its answer was sent.",
        wholeNanos,
        "service",
        service,
        "operation",
        operation);
    visitor.histogram(
        "lazuli_request_server_seconds",
        "The part of lazuli_request_seconds without receiving the body and sending the answer.",
        serverNanos,
        "service",
        service,
        "operation",
        operation);
  }

  private static void show(
      MetricVisitor visitor, String service, String operation, Outcome outcome, LongAdder count) {
    visitor.counter(
        "lazuli_requests",
        "Answered requests. The code is that of the error, and empty if there is none.",
        count.sum(),
        "service",
        service,
        "operation",
        operation,
        "status",
        Integer.toString(outcome.status),
        "code",
        outcome.code);
  }
}
