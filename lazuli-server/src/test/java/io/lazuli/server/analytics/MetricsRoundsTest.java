package io.lazuli.server.analytics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.CreateContainer;
import io.lazuli.server.blob.service.BlobOperation.PutBlob;
import io.lazuli.server.blob.service.BlobUpload;
import io.lazuli.server.requestlog.TestRequest;
import io.lazuli.server.settings.ServiceProperties;
import io.lazuli.server.settings.ServiceProperties.Metrics;
import io.lazuli.server.table.model.EdmValue.Int64Value;
import io.lazuli.server.table.model.SystemTables;
import io.lazuli.server.table.model.TableName;
import io.lazuli.storage.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The hourly work: empty hours, retention, capacity. */
class MetricsRoundsTest {
  private static final Caller SERVER = new Caller("acme", false, new Access.OfServer());

  private final MetricsUnderTest under = new MetricsUnderTest();

  @AfterEach
  void close() {
    under.close();
  }

  private static ServiceProperties metrics(boolean enabled, @Nullable Integer days) {
    Metrics metrics = new Metrics("1.0", enabled, false, days);
    return new ServiceProperties.Change(null, metrics, metrics, null, null)
        .applyTo(ServiceProperties.DEFAULT);
  }

  /** Runs all steps of one round. */
  private static void round(MetricsRounds rounds) {
    Bytes next = Bytes.EMPTY;
    while (next != null) {
      next = rounds.piece(0, next);
    }
  }

  @Test
  void anHourWithoutRequestsHasARow() {
    under.properties = metrics(true, null);
    MetricsRounds rounds = under.rounds();
    round(rounds);
    under.setTime("2026-07-31T19:00:01Z");
    round(rounds);
    for (String service : List.of("blob", "queue", "table")) {
      TableName table = SystemTables.hours(service);
      assertThat(under.keys(table))
          .containsExactly("20260731T1800/user;All", "20260731T1900/user;All");
      assertThat(under.row(table, "20260731T1900/user;All"))
          .containsEntry("TotalRequests", new Int64Value(0));
    }
  }

  @Test
  void anAccountThatFailsDoesNotStopTheOthers() {
    MetricsRounds rounds =
        new MetricsRounds(
            under.tables,
            under.blobs,
            () -> List.of("acme", "works"),
            account -> true,
            (account, service) -> {
              if (account.equals("acme")) {
                throw new IllegalStateException("its settings are damaged");
              }
              return metrics(true, null);
            },
            account -> 0,
            under.clock());
    assertThatThrownBy(() -> rounds.piece(0, Bytes.EMPTY)).hasMessage("its settings are damaged");
    Bytes next = rounds.piece(0, Bytes.EMPTY);
    assertThat(next).isEqualTo(Bytes.of("works".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void anEmptyRowDoesNotReplaceCounts() {
    under.properties = metrics(true, null);
    under.count(new TestRequest());
    under.metrics.writeAll(MetricsUnderTest.deadline());
    round(under.rounds());
    assertThat(under.row(SystemTables.hours("table"), "20260731T1800/user;All"))
        .containsEntry("TotalRequests", new Int64Value(1));
  }

  @Test
  void metricsThatAreOffLeaveNothing() {
    round(under.rounds());
    assertThat(under.keys(SystemTables.hours("table"))).isEmpty();
    assertThat(under.keys(SystemTables.CAPACITY)).isEmpty();
  }

  @Test
  void aRemovedAccountGetsNoTables() {
    under.properties = metrics(true, null);
    under.accounts.clear();
    round(under.rounds());
    assertThat(under.keys(SystemTables.hours("table"))).isEmpty();
  }

  @Test
  void rowsOlderThanTheRetentionTimeAreDeleted() {
    TableName hours = SystemTables.hours("table");
    TableName minutes = SystemTables.minutes("table");
    for (String hour : List.of("20260729T1800", "20260730T1700", "20260730T1800")) {
      add(hours, hour, 3);
      add(minutes, hour, 150);
    }
    under.properties = metrics(false, 1);
    round(under.rounds());
    assertThat(under.keys(hours)).hasSize(3).allMatch(key -> key.startsWith("20260730T1800/"));
    assertThat(under.keys(minutes)).hasSize(150).allMatch(key -> key.startsWith("20260730T1800/"));
  }

  private void add(TableName table, String partition, int rows) {
    for (int i = 0; i < rows; i++) {
      under.tables.change(
          "acme", table, partition, Map.of("user;" + i, old -> new RequestCounts().toRecord()));
    }
  }

  @Test
  void withoutRetentionTimeRowsStay() {
    TableName hours = SystemTables.hours("table");
    add(hours, "20200101T0000", 1);
    under.properties = metrics(true, null);
    round(under.rounds());
    assertThat(under.keys(hours)).contains("20200101T0000/user;0");
  }

  @Test
  void theCapacityOfBlobsIsWrittenOnceADay() {
    put(new ContainerName("photos"), "a", 1_000);
    put(new ContainerName("photos"), "b", 500);
    put(new ContainerName("empty"), null, 0);
    put(ContainerName.LOGS, "table/2026/07/31/1800/000000.log", 70);
    under.properties = metrics(true, null);
    MetricsRounds rounds = under.rounds();
    round(rounds);
    assertThat(under.rows(SystemTables.CAPACITY))
        .isEqualTo(
            Map.of(
                "20260731T0000/data", capacity(1_500, 2, 2),
                "20260731T0000/analytics", capacity(70, 1, 1)));
    put(new ContainerName("photos"), "c", 1);
    under.setTime("2026-07-31T19:00:01Z");
    round(rounds);
    assertThat(under.row(SystemTables.CAPACITY, "20260731T0000/data"))
        .isEqualTo(capacity(1_500, 2, 2));
    under.setTime("2026-08-01T00:00:01Z");
    round(rounds);
    assertThat(under.row(SystemTables.CAPACITY, "20260801T0000/data"))
        .isEqualTo(capacity(1_501, 2, 3));
  }

  /** The other server had the shard from one day to the next, and did the tasks. */
  @Test
  void aShardThatComesBackIsBegunAgain() {
    under.properties = metrics(true, null);
    MetricsRounds rounds = under.rounds();
    assertThat(rounds.piece(0, Bytes.EMPTY)).isNotNull();
    under.setTime("2026-08-01T18:00:01Z");
    round(rounds);
    assertThat(under.keys(SystemTables.CAPACITY))
        .isNotEmpty()
        .allMatch(key -> key.startsWith("20260801T0000/"));
    assertThat(under.keys(SystemTables.hours("blob"))).contains("20260801T1800/user;All");
  }

  @Test
  void aShardThatComesBackWithinARoundIsContinuedWhereTheOtherServerStopped() {
    under.properties = metrics(true, null);
    MetricsRounds rounds = under.rounds();
    assertThat(rounds.piece(0, Bytes.EMPTY)).isNotNull();
    under.setTime("2026-08-01T18:00:01Z");
    Bytes next = Bytes.of("aaa".getBytes(StandardCharsets.UTF_8));
    while (next != null) {
      next = rounds.piece(0, next);
    }
    assertThat(under.keys(SystemTables.CAPACITY))
        .isNotEmpty()
        .allMatch(key -> key.startsWith("20260801T0000/"));
  }

  private static Map<String, Int64Value> capacity(long bytes, long containers, long objects) {
    return Map.of(
        "Capacity", new Int64Value(bytes),
        "ContainerCount", new Int64Value(containers),
        "ObjectCount", new Int64Value(objects));
  }

  private void put(ContainerName container, @Nullable String name, int length) {
    under
        .blobs
        .execute(
            new CreateContainer(container, Map.of(), PublicAccess.NONE),
            SERVER,
            MetricsUnderTest.deadline())
        .exceptionally(exists -> null)
        .toCompletableFuture()
        .join();
    if (name == null) {
      return;
    }
    PutBlob put =
        new PutBlob(
            new BlobAddress(container, new BlobName(name)),
            BlobType.BLOCK,
            new BlobSettings(HttpProperties.NONE, Map.of(), BlobTags.NONE, null),
            RequestTerms.NONE,
            length,
            ExpectedChecksums.NONE);
    BlobUpload upload =
        under.blobs.upload(put, SERVER, MetricsUnderTest.deadline()).toCompletableFuture().join();
    upload.take(ByteBuffer.allocate(length)).toCompletableFuture().join();
    upload.end(MetricsUnderTest.deadline()).toCompletableFuture().join();
  }
}
