package io.lazuli.server.analytics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lazuli.server.event.Authentication;
import io.lazuli.server.event.MetricsSelection;
import io.lazuli.server.event.RequestEvent.Transfer;
import io.lazuli.server.requestlog.TestRequest;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.DoubleValue;
import io.lazuli.server.table.model.EdmValue.Int64Value;
import io.lazuli.server.table.model.SystemTables;
import io.lazuli.server.table.model.TableName;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.faults.FaultyEngine.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Counts requests and writes them to the tables, with the clock of the test. */
class TransactionMetricsTest {
  private static final TableName HOURS = SystemTables.hours("table");
  private static final TableName MINUTES = SystemTables.minutes("table");

  private final MetricsUnderTest under = new MetricsUnderTest();

  @AfterEach
  void close() {
    under.close();
  }

  private static TestRequest request(String operation, double millis) {
    TestRequest request = new TestRequest();
    request.operation = operation;
    long nanos = (long) (millis * 1e6);
    request.transfer = new Transfer(10, 100, nanos, nanos / 2, true);
    return request;
  }

  private static long number(Map<String, EdmValue> row, String column) {
    return ((Int64Value) row.get(column)).value();
  }

  private static double real(Map<String, EdmValue> row, String column) {
    return ((DoubleValue) row.get(column)).value();
  }

  /** The worked example of logs-and-metrics 6.1. */
  @Test
  void theRowsOfAMinuteAreThoseOfTheExample() {
    for (int i = 0; i < 5; i++) {
      under.count(request("QueryEntities", 143.8));
    }
    under.count(request("QueryEntity", 3));
    under.count(request("UpdateEntity", 9));
    under.setTime("2026-07-31T18:22:01Z");
    under.metrics.write();
    assertThat(under.keys(MINUTES))
        .containsExactly(
            "20260731T1821/user;All",
            "20260731T1821/user;QueryEntities",
            "20260731T1821/user;QueryEntity",
            "20260731T1821/user;UpdateEntity");
    Map<String, EdmValue> all = under.row(MINUTES, "20260731T1821/user;All");
    assertThat(number(all, "TotalRequests")).isEqualTo(7);
    assertThat(number(all, "TotalBillableRequests")).isEqualTo(7);
    assertThat(number(all, "Success")).isEqualTo(7);
    assertThat(real(all, "AverageE2ELatency")).isCloseTo(104.4286, within(0.0001));
    assertThat(real(all, "AverageServerLatency")).isCloseTo(52.2143, within(0.0001));
    assertThat(real(all, "PercentSuccess")).isEqualTo(100);
    assertThat(real(all, "Availability")).isEqualTo(100);
    assertThat(under.keys(HOURS))
        .containsExactly(
            "20260731T1800/user;All",
            "20260731T1800/user;QueryEntities",
            "20260731T1800/user;QueryEntity",
            "20260731T1800/user;UpdateEntity");
  }

  @Test
  void aRowHasAllColumnsWithTheirTypes() {
    under.count(request("QueryEntities", 1));
    under.setTime("2026-07-31T18:22:01Z");
    under.metrics.write();
    Map<String, EdmValue> all = under.row(HOURS, "20260731T1800/user;All");
    List<String> counts = new ArrayList<>();
    for (String status :
        List.of(
            "Success",
            "ThrottlingError",
            "ClientTimeoutError",
            "ServerTimeoutError",
            "ClientOtherError",
            "ServerOtherError",
            "AuthorizationError",
            "NetworkError")) {
      counts.addAll(List.of(status, "Anonymous" + status, "SAS" + status));
    }
    counts.addAll(List.of("TotalRequests", "TotalBillableRequests", "TotalIngress", "TotalEgress"));
    List<String> reals =
        List.of(
            "Availability",
            "AverageE2ELatency",
            "AverageServerLatency",
            "PercentSuccess",
            "PercentThrottlingError",
            "PercentTimeoutError",
            "PercentServerOtherError",
            "PercentClientOtherError",
            "PercentAuthorizationError",
            "PercentNetworkError");
    assertThat(all).hasSize(38).containsOnlyKeys(joined(counts, reals));
    assertThat(counts)
        .allSatisfy(name -> assertThat(all.get(name).type()).isEqualTo(EdmType.INT64));
    assertThat(reals)
        .allSatisfy(name -> assertThat(all.get(name).type()).isEqualTo(EdmType.DOUBLE));
  }

  private static List<String> joined(List<String> first, List<String> second) {
    List<String> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  @Test
  void everyOutcomeIsCountedInItsColumn() {
    ended(200, "", Authentication.SAS, true);
    ended(404, "ResourceNotFound", Authentication.KEY, true);
    ended(403, "AuthenticationFailed", Authentication.ANONYMOUS, true);
    ended(403, "AuthenticationFailed", Authentication.SAS, true);
    ended(503, "ServerBusy", Authentication.KEY, true);
    ended(500, "InternalError", Authentication.KEY, true);
    ended(500, "OperationTimedOut", Authentication.KEY, true);
    ended(200, "", Authentication.KEY, false);
    under.setTime("2026-07-31T18:22:01Z");
    under.metrics.write();
    Map<String, EdmValue> all = under.row(HOURS, "20260731T1800/user;All");
    for (String column :
        List.of(
            "SASSuccess",
            "ClientOtherError",
            "AnonymousAuthorizationError",
            "SASAuthorizationError",
            "ThrottlingError",
            "ServerOtherError",
            "ServerTimeoutError",
            "NetworkError")) {
      assertThat(number(all, column)).as(column).isEqualTo(1);
    }
    assertThat(number(all, "TotalRequests")).isEqualTo(8);
    assertThat(number(all, "TotalBillableRequests")).isEqualTo(4);
    assertThat(real(all, "Availability")).isCloseTo(100.0 * 4 / 6, within(1e-9));
    assertThat(real(all, "PercentSuccess")).isEqualTo(12.5);
    assertThat(real(all, "PercentAuthorizationError")).isEqualTo(25);
    assertThat(real(all, "PercentTimeoutError")).isEqualTo(12.5);
    assertThat(real(all, "AverageE2ELatency")).isEqualTo(39);
  }

  private void ended(int status, String code, Authentication caller, boolean complete) {
    TestRequest request = request("QueryEntities", 39);
    request.status = status;
    request.errorCode = code;
    request.authentication = caller;
    Transfer old = request.transfer;
    request.transfer =
        new Transfer(old.bytesIn(), old.bytesOut(), old.nanos(), old.serverNanos(), complete);
    under.count(request);
  }

  @Test
  void headsAndBodiesCountAsTraffic() {
    TestRequest request = request("QueryEntities", 1);
    request.target = "/acme/T()";
    request.headers.put("Host", "a");
    request.answer.put("ETag", "b");
    under.count(request);
    under.setTime("2026-07-31T18:22:01Z");
    under.metrics.write();
    Map<String, EdmValue> all = under.row(HOURS, "20260731T1800/user;All");
    String head = "GET /acme/T() HTTP/1.1\r\nHost: a\r\n";
    assertThat(number(all, "TotalIngress")).isEqualTo(head.length() + 10);
    String answer = "HTTP/1.1 200 OK\r\nETag: b\r\n";
    assertThat(number(all, "TotalEgress")).isEqualTo(answer.length() + 100);
  }

  @Test
  void operationsHaveRowsOnlyIfTheOwnerWantsThem() {
    MetricsSelection sums = new MetricsSelection(true, false, false, false);
    MetricsUnderTest.count(under.metrics, request("QueryEntities", 1), sums);
    under.setTime("2026-07-31T18:22:01Z");
    under.metrics.write();
    assertThat(under.keys(HOURS)).containsExactly("20260731T1800/user;All");
    assertThat(under.keys(MINUTES)).isEmpty();
  }

  @Test
  void aMinuteIsWrittenWhenItIsOver() {
    under.count(request("QueryEntities", 1));
    under.metrics.write();
    assertThat(under.keys(HOURS)).isEmpty();
    under.setTime("2026-07-31T18:22:00Z");
    under.metrics.write();
    assertThat(under.keys(HOURS)).hasSize(2);
  }

  /** A server that starts again, and another server of the cluster, add to the same row. */
  @Test
  void serversAddToTheSameHour() {
    under.count(request("QueryEntities", 10));
    under.metrics.writeAll(MetricsUnderTest.deadline());
    TransactionMetrics other = under.server();
    MetricsUnderTest.count(other, request("QueryEntities", 40), MetricsUnderTest.BOTH);
    MetricsUnderTest.count(other, request("InsertEntity", 10), MetricsUnderTest.BOTH);
    under.setTime("2026-07-31T18:50:00Z");
    other.write();
    Map<String, EdmValue> all = under.row(HOURS, "20260731T1800/user;All");
    assertThat(number(all, "TotalRequests")).isEqualTo(3);
    assertThat(real(all, "AverageE2ELatency")).isCloseTo(20, within(1e-9));
    Map<String, EdmValue> queries = under.row(HOURS, "20260731T1800/user;QueryEntities");
    assertThat(number(queries, "TotalRequests")).isEqualTo(2);
    assertThat(real(queries, "AverageE2ELatency")).isCloseTo(25, within(1e-9));
  }

  @Test
  void aFailedWriteIsRepeated() {
    under.count(request("QueryEntities", 1));
    under.setTime("2026-07-31T18:22:01Z");
    under.engine.failNext(Call.NEW_SPACE, StorageException.Kind.UNAVAILABLE);
    assertThatThrownBy(under.metrics::write).isInstanceOf(StorageException.class);
    under.metrics.write();
    assertThat(number(under.row(HOURS, "20260731T1800/user;All"), "TotalRequests")).isEqualTo(1);
    assertThat(number(under.row(MINUTES, "20260731T1821/user;All"), "TotalRequests")).isEqualTo(1);
    assertThat(under.metrics.dropped()).isZero();
  }

  /** The counts could have been written, and nobody wants them twice. */
  @Test
  void aWriteWithAnUnknownOutcomeIsNotRepeated() {
    MetricsSelection hours = new MetricsSelection(true, false, false, false);
    under.tables.create("acme", HOURS).join();
    MetricsUnderTest.count(under.metrics, request("QueryEntities", 1), hours);
    under.setTime("2026-07-31T18:22:01Z");
    under.engine.failNext(Call.TRANSACT_REPLY, StorageException.Kind.UNKNOWN_OUTCOME);
    assertThatThrownBy(under.metrics::write).isInstanceOf(StorageException.class);
    under.metrics.write();
    assertThat(number(under.row(HOURS, "20260731T1800/user;All"), "TotalRequests")).isEqualTo(1);
    assertThat(under.metrics.dropped()).isEqualTo(1);
  }

  @Test
  void theCountsOfARemovedAccountAreDropped() {
    under.count(request("QueryEntities", 1));
    under.accounts.clear();
    under.setTime("2026-07-31T18:22:01Z");
    under.metrics.write();
    assertThat(under.keys(HOURS)).isEmpty();
  }

  @Test
  void rowsInMemoryAreBounded() {
    TransactionMetrics bounded =
        new TransactionMetrics(under.tables, under.accounts::contains, under.clock(), 2, 5);
    for (String operation : List.of("QueryEntities", "InsertEntity", "DeleteEntity")) {
      MetricsUnderTest.count(bounded, request(operation, 1), MetricsUnderTest.BOTH);
    }
    MetricsUnderTest.count(bounded, request("QueryEntities", 1), MetricsUnderTest.BOTH);
    assertThat(bounded.dropped()).isEqualTo(1);
    under.setTime("2026-07-31T18:22:01Z");
    under.engine.failNext(Call.NEW_SPACE, StorageException.Kind.UNAVAILABLE);
    assertThatThrownBy(bounded::write).isInstanceOf(StorageException.class);
    // Three rows of the hour wait; those of the minute had no room.
    assertThat(bounded.dropped()).isEqualTo(4);
    MetricsUnderTest.count(bounded, request("MergeEntity", 1), MetricsUnderTest.BOTH);
    under.setTime("2026-07-31T18:23:01Z");
    bounded.write();
    assertThat(number(under.row(HOURS, "20260731T1800/user;All"), "TotalRequests")).isEqualTo(4);
    assertThat(under.keys(MINUTES)).isEmpty();
    assertThat(bounded.dropped()).isEqualTo(5);
  }

  @Test
  void writesOfTheRequestLogAreTheServersOwn() {
    under.metrics.countOwn("acme", "AppendBlock", 500, 2_000_000, MetricsUnderTest.BOTH);
    under.setTime("2026-07-31T18:22:01Z");
    under.metrics.write();
    TableName blobs = SystemTables.hours("blob");
    assertThat(under.keys(blobs))
        .containsExactly(
            "20260731T1800/system;All",
            "20260731T1800/system;AppendBlock",
            "20260731T1800/user;All");
    assertThat(number(under.row(blobs, "20260731T1800/user;All"), "TotalRequests")).isZero();
    assertThat(number(under.row(blobs, "20260731T1800/system;All"), "TotalIngress")).isEqualTo(500);
  }
}
