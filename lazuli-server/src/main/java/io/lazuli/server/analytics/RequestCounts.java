package io.lazuli.server.analytics;

import io.lazuli.server.event.Authentication;
import io.lazuli.server.event.RequestStatus;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.DoubleValue;
import io.lazuli.server.table.model.EdmValue.Int64Value;
import io.lazuli.server.table.model.Property;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Counted requests: one row of a metrics table (logs-and-metrics 6.1). Everything in a row follows
 * from the requests by status, the bytes and the time of successful requests, so rows can be added
 * up. Mutable; used by one thread at a time.
 */
final class RequestCounts {
  private static final double NANOS_PER_MILLI = 1e6;

  /** The order of a status's columns. */
  private static final List<Authentication> CALLERS =
      List.of(Authentication.KEY, Authentication.ANONYMOUS, Authentication.SAS);

  private static final RequestStatus[] STATUSES = RequestStatus.values();

  /** By status, then by caller. */
  private final long[] requests = new long[STATUSES.length * CALLERS.size()];

  private long bytesIn;
  private long bytesOut;

  /** The times of successful requests. */
  private double millis;

  private double serverMillis;

  /** Adds one request. */
  void add(RequestStatus status, Authentication caller, Traffic traffic) {
    requests[index(status, caller)]++;
    bytesIn += traffic.bytesIn();
    bytesOut += traffic.bytesOut();
    if (status == RequestStatus.SUCCESS) {
      millis += traffic.nanos() / NANOS_PER_MILLI;
      serverMillis += traffic.serverNanos() / NANOS_PER_MILLI;
    }
  }

  /**
   * The size and the time of a request.
   *
   * @param bytesIn the bytes received, with the head
   * @param bytesOut the bytes sent, with the head
   * @param nanos the time from the head of the request until the answer was sent
   * @param serverNanos the part of {@code nanos} without transfers
   */
  record Traffic(long bytesIn, long bytesOut, long nanos, long serverNanos) {}

  /** Adds other counts. */
  void add(RequestCounts more) {
    for (int i = 0; i < requests.length; i++) {
      requests[i] += more.requests[i];
    }
    bytesIn += more.bytesIn;
    bytesOut += more.bytesOut;
    millis += more.millis;
    serverMillis += more.serverMillis;
  }

  /** Returns the number of requests. */
  long total() {
    return sum((status, caller) -> true);
  }

  @SuppressWarnings("EnumOrdinal") // The index is not stored.
  private static int index(RequestStatus status, Authentication caller) {
    return status.ordinal() * CALLERS.size() + caller.ordinal();
  }

  @FunctionalInterface
  private interface Selection {
    boolean includes(RequestStatus status, Authentication caller);
  }

  private long sum(Selection selection) {
    long sum = 0;
    for (RequestStatus status : STATUSES) {
      for (Authentication caller : CALLERS) {
        sum += selection.includes(status, caller) ? requests[index(status, caller)] : 0;
      }
    }
    return sum;
  }

  /** Reads a stored row. */
  static RequestCounts ofRecord(byte[] record) {
    Map<String, EdmValue> values = new HashMap<>();
    EntityCodec.properties(record).forEach(each -> values.put(each.name(), each.value()));
    ToLongFunction<String> number =
        name -> values.get(name) instanceof Int64Value found ? found.value() : 0;
    RequestCounts counts = new RequestCounts();
    for (RequestStatus status : STATUSES) {
      for (Authentication caller : CALLERS) {
        counts.requests[index(status, caller)] = number.applyAsLong(status.label(caller));
      }
    }
    counts.bytesIn = number.applyAsLong("TotalIngress");
    counts.bytesOut = number.applyAsLong("TotalEgress");
    long successes = counts.sum((status, caller) -> status == RequestStatus.SUCCESS);
    counts.millis = average(values, "AverageE2ELatency") * successes;
    counts.serverMillis = average(values, "AverageServerLatency") * successes;
    return counts;
  }

  private static double average(Map<String, EdmValue> values, String name) {
    return values.get(name) instanceof DoubleValue found ? found.value() : 0;
  }

  /** Returns the row as it is stored, without its timestamp. */
  byte[] toRecord() {
    List<Property> columns = new ArrayList<>();
    addTotals(columns);
    long successes = sum((status, caller) -> status == RequestStatus.SUCCESS);
    add(columns, "AverageE2ELatency", successes == 0 ? 0 : millis / successes);
    add(columns, "AverageServerLatency", successes == 0 ? 0 : serverMillis / successes);
    addShares(columns);
    for (RequestStatus status : STATUSES) {
      for (Authentication caller : CALLERS) {
        add(columns, status.label(caller), requests[index(status, caller)]);
      }
    }
    return EntityCodec.encode(columns);
  }

  private void addTotals(List<Property> columns) {
    long billable = sum(RequestStatus::isBillable);
    long available = sum(RequestStatus::isCounted);
    add(columns, "TotalRequests", total());
    add(columns, "TotalBillableRequests", billable);
    add(columns, "TotalIngress", bytesIn);
    add(columns, "TotalEgress", bytesOut);
    add(columns, "Availability", available == 0 ? 100 : 100.0 * billable / available);
  }

  private void addShares(List<Property> columns) {
    addShare(columns, "PercentSuccess", List.of(RequestStatus.SUCCESS));
    addShare(columns, "PercentThrottlingError", List.of(RequestStatus.THROTTLING_ERROR));
    addShare(
        columns,
        "PercentTimeoutError",
        List.of(RequestStatus.CLIENT_TIMEOUT_ERROR, RequestStatus.SERVER_TIMEOUT_ERROR));
    addShare(columns, "PercentServerOtherError", List.of(RequestStatus.SERVER_OTHER_ERROR));
    addShare(columns, "PercentClientOtherError", List.of(RequestStatus.CLIENT_OTHER_ERROR));
    addShare(columns, "PercentAuthorizationError", List.of(RequestStatus.AUTHORIZATION_ERROR));
    addShare(columns, "PercentNetworkError", List.of(RequestStatus.NETWORK_ERROR));
  }

  private void addShare(List<Property> columns, String name, List<RequestStatus> statuses) {
    long total = total();
    long share = sum((status, caller) -> statuses.contains(status));
    add(columns, name, total == 0 ? 0 : 100.0 * share / total);
  }

  private static void add(List<Property> columns, String name, long value) {
    columns.add(new Property(name, new Int64Value(value)));
  }

  private static void add(List<Property> columns, String name, double value) {
    columns.add(new Property(name, new DoubleValue(value)));
  }
}
