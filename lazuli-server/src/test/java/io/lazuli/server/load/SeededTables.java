package io.lazuli.server.load;

import static io.lazuli.server.load.SeededLoadsTest.repeat;

import io.lazuli.server.load.SeededLoadsTest.Seeded;
import io.lazuli.server.load.rule.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** Loads of tables that have a problem. */
final class SeededTables {
  private static final long NET_TICKS_MAX = 3_155_378_975_999_999_999L;
  private static final long NET_TICKS_1970 = 621_355_968_000_000_000L;

  private static final DateTimeFormatter HOUR = utc("yyyy-MM-dd'T'HH");
  private static final DateTimeFormatter MINUTE = utc("yyyyMMddHHmm");

  private SeededTables() {}

  static Stream<Seeded> loads() {
    return Stream.of(
            appends(),
            prepends(),
            hotPartitions(),
            hotEntities(),
            scans(),
            filtersWithoutKey(),
            fanOuts(),
            largeEntities())
        .flatMap(all -> all);
  }

  private static DateTimeFormatter utc(String pattern) {
    return DateTimeFormatter.ofPattern(pattern).withZone(ZoneOffset.UTC);
  }

  private static long ticks(Instant at) {
    return NET_TICKS_1970 + at.toEpochMilli() * 10_000;
  }

  private static String reversed(Instant at) {
    return "%019d".formatted(NET_TICKS_MAX - ticks(at));
  }

  /** A table has partitions of the times before. */
  private static Consumer<LoadSimulation> past(
      String table, Duration step, Function<Instant, String> key) {
    return clients -> {
      for (int i = 1; i <= 100; i++) {
        clients.stored(table, key.apply(clients.now().minus(step.multipliedBy(i))));
      }
    };
  }

  private static Consumer<LoadSimulation> partitions(String table, String pattern, int count) {
    return clients -> {
      for (int i = 0; i < count; i++) {
        clients.stored(table, pattern.formatted(i));
      }
    };
  }

  private static Stream<Seeded> appends() {
    return Stream.of(
        new Seeded(
            "telemetry by hour",
            Kind.APPEND,
            "Telemetry",
            past("Telemetry", Duration.ofHours(1), HOUR::format),
            c ->
                repeat(
                    c.times(80),
                    () -> c.insert("Telemetry", HOUR.format(c.now()), "d" + c.random(9_999)))),
        new Seeded(
            "access log by minute",
            Kind.APPEND,
            "AccessLog",
            past("AccessLog", Duration.ofMinutes(1), MINUTE::format),
            c ->
                repeat(
                    c.times(35),
                    () -> c.insert("AccessLog", MINUTE.format(c.now()), "r" + c.random(99_999)))),
        new Seeded(
            "events with a partition each, from servers whose clocks differ",
            Kind.APPEND,
            "DomainEvents",
            past("DomainEvents", Duration.ofSeconds(7), at -> "%019d".formatted(ticks(at))),
            c ->
                repeat(
                    c.times(60),
                    () -> {
                      Instant at = c.now().plusMillis(c.random(200));
                      String key = "%019d".formatted(ticks(at) + c.random(9_999));
                      c.table(LoadRequest.write("InsertOrReplaceEntity", "DomainEvents", key, "e"));
                    })),
        new Seeded(
            "diagnostics in transactions, in partitions of a minute",
            Kind.APPEND,
            "WADLogsTable",
            past("WADLogsTable", Duration.ofMinutes(1), at -> "0" + ticks(at)),
            c ->
                repeat(
                    c.times(4),
                    () -> {
                      Instant minute = c.now().minusSeconds(c.now().getEpochSecond() % 60);
                      String key = "0" + ticks(Instant.ofEpochSecond(minute.getEpochSecond()));
                      c.table(LoadRequest.batch("WADLogsTable", key, 20 + c.random(60)));
                    })));
  }

  private static Stream<Seeded> prepends() {
    return Stream.of(
        new Seeded(
            "newest message first, a partition each",
            Kind.PREPEND,
            "Feed",
            past("Feed", Duration.ofSeconds(11), SeededTables::reversed),
            c -> repeat(c.times(45), () -> c.insert("Feed", reversed(c.now()), "m"))),
        new Seeded(
            "newest hour first, and readers of the newest",
            Kind.PREPEND,
            "Readings",
            past("Readings", Duration.ofHours(1), SeededTables::reversedHour),
            c -> {
              repeat(
                  c.times(120),
                  () -> c.insert("Readings", reversedHour(c.now()), "s" + c.random(9_999)));
              repeat(
                  c.times(5),
                  () -> {
                    LoadRequest latest =
                        LoadRequest.query("Readings", "table scan", "", "", 50, 50);
                    c.table(latest);
                  });
            }),
        new Seeded(
            "newest block first in transactions",
            Kind.PREPEND,
            "Ledger",
            past("Ledger", Duration.ofSeconds(12), SeededTables::reversed),
            c ->
                repeat(
                    c.times(2),
                    () -> c.table(LoadRequest.batch("Ledger", reversed(c.now()), 100)))));
  }

  private static String reversedHour(Instant at) {
    return reversed(Instant.ofEpochSecond(at.getEpochSecond() / 3_600 * 3_600));
  }

  private static Stream<Seeded> hotPartitions() {
    return Stream.of(
        new Seeded(
            "one tenant of 400",
            Kind.HOT_PARTITION,
            "Tenants",
            partitions("Tenants", "tenant-%03d", 400),
            c -> {
              repeat(
                  c.times(90),
                  () -> c.read("Tenants", "tenant-%03d".formatted(c.random(400)), "r"));
              repeat(c.times(900), () -> c.read("Tenants", "tenant-117", "u" + c.random(20_000)));
            }),
        new Seeded(
            "everything under the same PartitionKey",
            Kind.HOT_PARTITION,
            "Users",
            partitions("Users", "user", 1),
            c -> {
              repeat(c.times(500), () -> c.read("Users", "user", "u" + c.random(50_000)));
              repeat(c.times(150), () -> c.merge("Users", "user", "u" + c.random(50_000)));
            }),
        new Seeded(
            "updates of one gateway",
            Kind.HOT_PARTITION,
            "Devices",
            partitions("Devices", "gw-%02d", 50),
            c -> {
              repeat(
                  c.times(100),
                  () -> c.merge("Devices", "gw-%02d".formatted(c.random(50)), "d" + c.random(90)));
              repeat(c.times(700), () -> c.merge("Devices", "gw-07", "d" + c.random(3_000)));
            }));
  }

  private static Stream<Seeded> hotEntities() {
    return Stream.of(
        new Seeded(
            "feature flags that every request reads",
            Kind.HOT_ENTITY,
            "Settings",
            partitions("Settings", "app-%d", 12),
            c -> {
              repeat(c.times(400), () -> c.read("Settings", "app-3", "flags"));
              repeat(
                  c.times(40), () -> c.read("Settings", "app-" + c.random(12), "s" + c.random(50)));
            }),
        new Seeded(
            "a counter of page views",
            Kind.HOT_ENTITY,
            "Counters",
            partitions("Counters", "page-%d", 300),
            c -> {
              repeat(c.times(150), () -> c.merge("Counters", "page-1", "views"));
              repeat(c.times(60), () -> c.merge("Counters", "page-" + c.random(300), "views"));
            }),
        new Seeded(
            "a stock figure that writers change with its ETag",
            Kind.CONTENDED_ENTITY,
            "Stock",
            partitions("Stock", "item-%d", 500),
            c -> {
              repeat(c.times(30), () -> c.merge("Stock", "item-" + c.random(500), "stock"));
              repeat(c.times(20), () -> c.merge("Stock", "item-42", "stock"));
              repeat(c.times(25), () -> c.table(conflict("Stock", "item-42", "stock")));
            }));
  }

  private static LoadRequest conflict(String table, String partition, String row) {
    LoadRequest request = LoadRequest.write("MergeEntity", table, partition, row).answered(412);
    request.code = "UpdateConditionNotSatisfied";
    return request;
  }

  private static LoadRequest named(
      String table, String plan, String shape, String partition, int partitions, int read) {
    LoadRequest query = LoadRequest.query(table, plan, shape, partition, read, read);
    query.partitions = partitions;
    return query;
  }

  // A third load turned out not to be a problem: an export that reads a table from start to end and
  // returns all of it. Nobody can tell within five minutes whether it ends. It is a part of the
  // hour
  // without problems.
  private static Stream<Seeded> scans() {
    return Stream.of(
        new Seeded(
            "open orders of a warehouse, found by reading all of them",
            Kind.SCANS,
            "Orders",
            partitions("Orders", "wh-%02d", 20),
            c ->
                repeat(
                    c.times(15),
                    () -> {
                      String shape = "PartitionKey eq ? and Status eq ?";
                      String at = "wh-%02d".formatted(c.random(20));
                      LoadRequest page =
                          LoadRequest.query("Orders", "partition scan", shape, at, 3_000, 8);
                      page.partitions = 1;
                      c.table(page);
                    })),
        new Seeded(
            "a range of days and a condition on a property",
            Kind.SCANS,
            "Visits",
            partitions("Visits", "202611%02d", 18),
            c ->
                repeat(
                    c.times(4),
                    () -> {
                      String shape = "PartitionKey ge ? and PartitionKey lt ? and Country eq ?";
                      c.table(
                          LoadRequest.query("Visits", "table scan", shape, "20261111", 5_000, 120));
                    })));
  }

  private static Stream<Seeded> filtersWithoutKey() {
    return Stream.of(
        new Seeded(
            "sign in by mail address",
            Kind.FILTER_WITHOUT_KEY,
            "Accounts",
            partitions("Accounts", "%05x", 2_000),
            c ->
                repeat(
                    c.times(3),
                    () ->
                        c.table(
                            LoadRequest.query(
                                "Accounts", "table scan", "Email eq ?", "", 2_000, 1)))),
        new Seeded(
            "only the RowKey is known",
            Kind.FILTER_WITHOUT_KEY,
            "Parcels",
            partitions("Parcels", "depot-%d", 60),
            c -> {
              repeat(
                  c.times(5),
                  () ->
                      c.table(
                          LoadRequest.query(
                              "Parcels", "table scan", "RowKey eq ?", "", 4_000, c.random(2))));
              repeat(c.times(30), () -> c.merge("Parcels", "depot-" + c.random(60), "p"));
            }),
        new Seeded(
            "a poller asks for what is new, page by page",
            Kind.FILTER_WITHOUT_KEY,
            "Documents",
            partitions("Documents", "%03d", 500),
            c -> {
              if (c.now().getEpochSecond() % 10 == 0) {
                repeat(
                    c.times(40),
                    () ->
                        c.table(
                            LoadRequest.query(
                                "Documents",
                                "table scan",
                                "Timestamp ge ?",
                                "%03d".formatted(c.random(500)),
                                1_000,
                                c.random(3))));
              }
            }));
  }

  private static Stream<Seeded> fanOuts() {
    return Stream.of(
        new Seeded(
            "a dashboard names 40 devices in its filter",
            Kind.FAN_OUT,
            "LastValues",
            partitions("LastValues", "dev-%03d", 800),
            c ->
                repeat(
                    c.times(8),
                    () -> {
                      String part = "(PartitionKey eq ? and RowKey eq ?)";
                      String shape = String.join(" or ", Collections.nCopies(40, part));
                      String at = "dev-%03d".formatted(c.random(40));
                      c.table(named("LastValues", "seeks(40)", shape, at, 40, 40));
                    })),
        new Seeded(
            "a month is a partition for each day",
            Kind.FAN_OUT,
            "Bookings",
            partitions("Bookings", "2026-11-%02d", 30),
            c ->
                repeat(
                    c.times(12),
                    () -> {
                      String part = "(PartitionKey eq ? and RowKey ge ? and RowKey lt ?)";
                      String shape = String.join(" or ", Collections.nCopies(30, part));
                      c.table(named("Bookings", "range", shape, "2026-11-01", 30, 90));
                    })),
        new Seeded(
            "web servers ask all 32 parts of a list, one by one",
            Kind.FAN_OUT,
            "Timeline",
            partitions("Timeline", "part-%02d", 32),
            c ->
                repeat(
                    c.times(6),
                    () -> {
                      String peer = "192.0.2." + (10 + c.random(3));
                      for (int i = 0; i < 32; i++) {
                        String shape = "PartitionKey eq ? and RowKey ge ?";
                        String part = "part-%02d".formatted(i);
                        LoadRequest query = named("Timeline", "range", shape, part, 1, 10);
                        query.peer = peer;
                        c.table(query);
                      }
                    })));
  }

  private static Stream<Seeded> largeEntities() {
    return Stream.of(
        new Seeded(
            "contracts as documents of 600 KB",
            Kind.LARGE,
            "Contracts",
            c ->
                repeat(
                    c.times(2),
                    () -> {
                      LoadRequest insert =
                          LoadRequest.insert("Contracts", "c" + c.random(9_999), "pdf");
                      insert.bytesIn = 500_000L + c.random(200_000);
                      c.table(insert);
                    })),
        new Seeded(
            "pictures of 200 KB, mostly read",
            Kind.LARGE,
            "Avatars",
            partitions("Avatars", "u%04d", 3_000),
            c -> {
              repeat(
                  c.times(25),
                  () -> {
                    LoadRequest read =
                        LoadRequest.get("Avatars", "u%04d".formatted(c.random(3_000)), "picture");
                    read.bytesOut = 150_000L + c.random(100_000);
                    c.table(read);
                  });
              repeat(
                  c.times(1),
                  () -> {
                    LoadRequest write =
                        LoadRequest.write(
                            "InsertOrReplaceEntity",
                            "Avatars",
                            "u%04d".formatted(c.random(3_000)),
                            "picture");
                    write.bytesIn = 150_000L + c.random(100_000);
                    c.table(write);
                  });
            }),
        new Seeded(
            "transactions of ten entities of 300 KB",
            Kind.LARGE,
            "Snapshots",
            c ->
                repeat(
                    c.times(1.5),
                    () -> {
                      LoadRequest batch =
                          LoadRequest.batch("Snapshots", "game-" + c.random(5_000), 10);
                      batch.bytesIn = 3_000_000;
                      c.table(batch);
                    })));
  }
}
