package io.lazuli.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.load.rule.Targets;
import io.lazuli.server.load.usage.OperationKind;
import io.lazuli.server.load.usage.Usage;
import io.lazuli.server.load.usage.UsageQuery;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The operations of an account over time: each request is counted once, whatever happened. */
class UsageTest {
  private static final Instant BEGIN = Instant.parse("2026-11-16T22:10:00Z");

  private Instant now = BEGIN;
  private final InstantSource source = () -> now;
  private final Clock clock = source.withZone(ZoneOffset.UTC);
  private final StorageEngine engine =
      new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused")));

  private Load load() {
    return new Load(
        engine,
        new Catalog(engine),
        Targets.of(0, 0),
        (account, queue) -> null,
        samples -> {},
        () -> true,
        clock);
  }

  private void run(Load load, int minutes, Runnable eachMinute) {
    for (int i = 0; i < minutes; i++) {
      eachMinute.run();
      now = now.plusSeconds(60);
      load.tick();
      load.tick();
    }
  }

  private static void get(Load load, String table) {
    LoadRequest.get(table, "p", "r").end(load.of("table"));
  }

  private Usage days(Load load, int days) {
    long from = BEGIN.truncatedTo(ChronoUnit.DAYS).getEpochSecond();
    return load.usage(new UsageQuery("acme", from, days, UsageQuery.DAY));
  }

  private static long total(Usage usage, String space, OperationKind kind) {
    return usage.rows().stream()
        .filter(row -> row.space().name().equals(space) && row.kind() == kind)
        .flatMapToLong(row -> Arrays.stream(row.operations()))
        .sum();
  }

  @Test
  void kindsAreCountedApartByDayAndByHour() {
    Load load = load();
    run(
        load,
        150,
        () -> {
          get(load, "Orders");
          LoadRequest.insert("Orders", "p", "r").end(load.of("table"));
          LoadRequest.batch("Orders", "p", 20).end(load.of("table"));
          LoadRequest.query("Orders", "point", "a", "", 1, 1).end(load.of("table"));
          LoadRequest.query("Orders", "table scan", "a", "", 9, 1).end(load.of("table"));
          LoadRequest.message("PutMessage", "jobs", 0).end(load.of("queue"));
        });
    Usage usage = days(load, 3);
    assertThat(usage.complete()).isTrue();
    assertThat(usage.since()).isEqualTo(BEGIN.getEpochSecond());
    assertThat(usage.until()).isEqualTo(now.getEpochSecond());
    for (OperationKind kind :
        new OperationKind[] {
          OperationKind.READ,
          OperationKind.INSERT,
          OperationKind.BATCH,
          OperationKind.QUERY,
          OperationKind.SCAN
        }) {
      assertThat(total(usage, "Orders", kind)).as(kind.text()).isEqualTo(150);
    }
    assertThat(total(usage, "jobs", OperationKind.INSERT)).isEqualTo(150);
    assertThat(usage.rows())
        .filteredOn(row -> row.space().name().equals("jobs"))
        .singleElement()
        .satisfies(row -> assertThat(row.operations()).containsExactly(110, 40, 0));
    long from = BEGIN.truncatedTo(ChronoUnit.HOURS).getEpochSecond();
    Usage hours = load.usage(new UsageQuery("acme", from, 3, UsageQuery.HOUR));
    assertThat(hours.rows())
        .filteredOn(row -> row.space().name().equals("jobs"))
        .singleElement()
        .satisfies(row -> assertThat(row.operations()).containsExactly(50, 60, 40));
    assertThat(load.usage(new UsageQuery("other", from, 3, UsageQuery.HOUR)).rows()).isEmpty();
  }

  @Test
  void aKilledServerIsCountedFromWhatItStored() {
    Load killed = load();
    run(killed, 100, () -> get(killed, "Orders"));
    assertThat(total(days(killed, 3), "Orders", OperationKind.READ)).isEqualTo(100);
    Load next = load();
    run(next, 100, () -> get(next, "Orders"));
    assertThat(total(days(next, 3), "Orders", OperationKind.READ)).isEqualTo(200);
    next.close();
    Load last = load();
    assertThat(total(days(last, 3), "Orders", OperationKind.READ)).isEqualTo(200);
    now = now.plus(Duration.ofDays(30));
    // The quarters of the killed server are forgotten, its six hours before midnight are not.
    assertThat(total(days(last, 3), "Orders", OperationKind.READ)).isBetween(100L, 200L);
  }

  @Test
  void namesBeyondTheBusiestAreSummed() {
    Load load = load();
    run(
        load,
        2,
        () -> {
          for (int i = 0; i < 60; i++) {
            for (int requests = 0; requests <= i % 7; requests++) {
              get(load, i % 2 == 0 ? "T" + i : "t" + i);
            }
          }
        });
    Usage usage = days(load, 2);
    assertThat(usage.rows()).hasSize(Usage.SPACES_MAX + 1);
    long all = usage.rows().stream().flatMapToLong(row -> Arrays.stream(row.operations())).sum();
    long expected = 0;
    for (int i = 0; i < 60; i++) {
      expected += 2L * (1 + i % 7);
    }
    assertThat(all).isEqualTo(expected);
    assertThat(total(usage, "", OperationKind.READ)).isPositive();
  }
}
