package io.lazuli.server.analytics;

import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.event.MetricsSelection;
import io.lazuli.server.requestlog.TestRequest;
import io.lazuli.server.settings.ServiceProperties;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.model.TableName;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Visit;
import io.lazuli.storage.faults.FaultyEngine;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;

/** Metrics of an account without a thread, with a clock that the test sets. */
final class MetricsUnderTest implements AutoCloseable {
  static final MetricsSelection BOTH = new MetricsSelection(true, true, true, true);

  final FaultyEngine engine =
      new FaultyEngine(new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused"))));
  final Catalog catalog = new Catalog(engine);
  final MetricsTables tables = new MetricsTables(engine, catalog);
  final BlobService blobs =
      new BlobService(engine, catalog, UUID::randomUUID, ForkJoinPool.commonPool());
  final Set<String> accounts = new HashSet<>(Set.of("acme"));
  final TransactionMetrics metrics = server();
  ServiceProperties properties = ServiceProperties.DEFAULT;
  private Instant now = Instant.parse("2026-07-31T18:21:46Z");

  /** Returns the metrics of a further server, or of one that was started again. */
  TransactionMetrics server() {
    return new TransactionMetrics(tables, accounts::contains, clock());
  }

  MetricsRounds rounds() {
    return new MetricsRounds(
        tables,
        blobs,
        () -> Set.of("acme"),
        accounts::contains,
        (account, service) -> properties,
        account -> 0,
        clock());
  }

  Clock clock() {
    return new SettableClock();
  }

  private final class SettableClock extends Clock {
    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  void setTime(String time) {
    now = Instant.parse(time);
  }

  static void count(TransactionMetrics metrics, TestRequest request, MetricsSelection selection) {
    metrics.count(request.service, request.event(), selection, request);
  }

  void count(TestRequest request) {
    count(metrics, request, BOTH);
  }

  /** Returns the rows of a table as {@code partition/row}; none if there is no such table. */
  Map<String, Map<String, EdmValue>> rows(TableName table) {
    Map<String, Map<String, EdmValue>> rows = new LinkedHashMap<>();
    CompletableFuture<Boolean> scanned =
        catalog.onSpace(
            ServiceHome.ofTables("acme"),
            table.key(),
            deadline(),
            TableErrors.TABLE_NOT_FOUND,
            entry ->
                engine
                    .scan(
                        entry.space(),
                        List.of(KeyRange.ALL),
                        Direction.FORWARD,
                        deadline(),
                        record -> {
                          byte[] partition = record.partition().copy();
                          byte[] row = record.row().copy();
                          Map<String, EdmValue> values = new LinkedHashMap<>();
                          EntityCodec.properties(record.value().copy())
                              .forEach(each -> values.put(each.name(), each.value()));
                          rows.put(
                              Utf8.decode(partition, 0, partition.length)
                                  + "/"
                                  + Utf8.decode(row, 0, row.length),
                              values);
                          return Visit.CONTINUE;
                        })
                    .thenApply(done -> true));
    return scanned.handle((done, missing) -> rows).join();
  }

  Map<String, EdmValue> row(TableName table, String key) {
    return rows(table).get(key);
  }

  List<String> keys(TableName table) {
    return new ArrayList<>(rows(table).keySet());
  }

  static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(30));
  }

  @Override
  public void close() {
    engine.close();
  }
}
