package io.lazuli.server.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.engine.Engines;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.thread.BackgroundThread;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The scrub of a store on disk; the test is its thread and moves its clock. */
@Timeout(60)
class ScrubTest {
  private static final ServiceHome HOME = ServiceHome.ofTables("first");
  private static final byte[] ENTITY = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  private static final Duration WEEK = Duration.ofDays(7);

  @TempDir private Path folder;
  private StorageEngine engine;
  private Partition partition;
  private Instant now = Instant.parse("2026-11-18T00:00:00Z");

  @BeforeEach
  void fill() {
    engine =
        Engines.open(
            ServerConfig.builder().dataFolder(folder).memoryBytes(32 << 20).build().store());
    Catalog catalog = new Catalog(engine);
    for (String name : List.of("first", "second")) {
      boolean unused = Futures.await(catalog.create(HOME, name, name, Deadline.NEVER));
    }
    CatalogEntry second =
        Objects.requireNonNull(Futures.await(catalog.find(HOME, "second", Deadline.NEVER)));
    partition = new Partition(second.space(), bytes("p"));
    for (int i = 0; i < 3_000; i += 500) {
      putRows(i, i + 500);
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aRoundBeginsAfterTheInterval() {
    Scrub scrub = scrub();
    assertThat(scrub.step()).isEqualTo(WEEK);
    assertThat(scrub.status())
        .containsEntry("state", "waiting")
        .containsEntry("completed", "never");
    now = now.plus(WEEK);
    runToEnd(scrub);
    assertThat(scrub.status())
        .containsEntry("state", "waiting")
        .containsEntry("completed", now.toString())
        .containsEntry("damaged", "0");
    assertThat(scrub.trouble()).isEmpty();
    assertThat(scrub.step()).isEqualTo(WEEK);
  }

  @Test
  void damageIsATroubleWithANameUntilARoundIsClean() {
    put("row7", new byte[] {9});
    Scrub scrub = scrub();
    scrub.request();
    runToEnd(scrub);
    String line = "account first, table second, PartitionKey 'p', RowKey 'row7': ";
    assertThat(scrub.trouble()).startsWith("the scrub found 1 damaged: " + line);
    assertThat(scrub.status()).containsEntry("damaged", "1").containsKey("damage 1");
    scrub.close();
    Scrub next = scrub();
    assertThat(next.trouble()).contains(line);
    put("row7", ENTITY.clone());
    next.request();
    runToEnd(next);
    assertThat(next.trouble()).isEmpty();
  }

  @Test
  void thePositionOutlivesARestart() {
    put("row1", new byte[] {9});
    Scrub scrub = scrub();
    scrub.request();
    // The files, then the first table, then two of the pages of the second one.
    for (int pages = 0; pages < 3; ) {
      Duration unused = scrub.step();
      pages += scrub.status().getOrDefault("reading", "").equals("spaces") ? 1 : 0;
    }
    String began = scrub.status().get("began");
    scrub.close();
    now = now.plusSeconds(60);
    Scrub next = scrub();
    assertThat(next.status()).containsEntry("state", "running").containsEntry("began", began);
    int more = runToEnd(next);
    assertThat(next.trouble()).contains("RowKey 'row1'");
    next.request();
    assertThat(more).isLessThan(runToEnd(next));
    assertThat(next.trouble()).contains("RowKey 'row1'");
  }

  @Test
  void aPauseOutlivesARestartAndAnOperatorEndsIt() {
    Scrub scrub = scrub();
    scrub.request();
    Duration unused = scrub.step();
    scrub.pause(true);
    assertThat(scrub.step()).isEqualTo(BackgroundThread.UNTIL_WOKEN);
    scrub.close();
    Scrub next = scrub();
    assertThat(next.status()).containsEntry("state", "paused");
    assertThat(next.step()).isEqualTo(BackgroundThread.UNTIL_WOKEN);
    next.pause(false);
    runToEnd(next);
    assertThat(next.status()).containsEntry("completed", now.toString());
  }

  @Test
  void stepsPauseAsTheRateDemands() {
    Scrub scrub = new Scrub(engine, folder, WEEK, 1 << 10, clock());
    scrub.request();
    Duration pauses = Duration.ZERO;
    do {
      pauses = pauses.plus(scrub.step());
    } while (scrub.status().get("state").equals("running"));
    // 3,000 records of more than 11 bytes, at 1,024 bytes per second.
    assertThat(pauses).isGreaterThan(Duration.ofSeconds(33));
  }

  private static int runToEnd(Scrub scrub) {
    int steps = 0;
    do {
      Duration unused = scrub.step();
      steps++;
    } while (scrub.status().get("state").equals("running"));
    return steps;
  }

  private Scrub scrub() {
    return new Scrub(engine, folder, WEEK, 1L << 30, clock());
  }

  private Clock clock() {
    return new Clock() {
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
    };
  }

  private void put(String row, byte[] value) {
    boolean unused =
        Futures.await(
            engine.transact(
                partition,
                List.of(),
                Deadline.NEVER,
                view -> {
                  view.put(bytes(row), value);
                  return true;
                }));
  }

  private void putRows(int from, int to) {
    boolean unused =
        Futures.await(
            engine.transact(
                partition,
                List.of(),
                Deadline.NEVER,
                view -> {
                  for (int i = from; i < to; i++) {
                    view.put(bytes("row" + i), ENTITY.clone());
                  }
                  return true;
                }));
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
