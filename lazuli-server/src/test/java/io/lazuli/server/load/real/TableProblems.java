package io.lazuli.server.load.real;

import static io.lazuli.server.load.real.BikeRental.ask;
import static io.lazuli.server.load.real.Store.random;

import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.server.load.rule.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Loads of tables that have a problem: those of {@code SeededTables}, as real requests. */
final class TableProblems {
  private static final long NET_TICKS_MAX = 3_155_378_975_999_999_999L;
  private static final long NET_TICKS_1970 = 621_355_968_000_000_000L;
  private static final DateTimeFormatter HOUR = utc("yyyy-MM-dd'T'HH");
  private static final DateTimeFormatter MINUTE = utc("yyyyMMddHHmm");

  private TableProblems() {}

  private static DateTimeFormatter utc(String pattern) {
    return DateTimeFormatter.ofPattern(pattern).withZone(ZoneOffset.UTC);
  }

  private static long ticks(Instant at) {
    return NET_TICKS_1970 + at.toEpochMilli() * 10_000;
  }

  private static String reversed(Instant at) {
    return "%019d".formatted(NET_TICKS_MAX - ticks(at));
  }

  private static String reversedHour(Instant at) {
    return reversed(Instant.ofEpochSecond(at.getEpochSecond() / 3_600 * 3_600));
  }

  private static String unique() {
    return UUID.randomUUID().toString();
  }

  private static Consumer<Machine> created(String table) {
    return m -> ask(m, Call.createTable(table));
  }

  /** A table has partitions of the times before. */
  private static List<Consumer<Machine>> past(
      String table, Duration step, Function<Instant, String> key) {
    return List.of(
        m -> {
          ask(m, Call.createTable(table));
          for (int i = 100; i > 0; i--) {
            String partition = key.apply(Instant.now().minus(step.multipliedBy(i)));
            ask(m, Call.upsert(table, partition, "first", ""));
          }
        });
  }

  /** The properties of an entity. */
  private interface Properties {
    String of(int partition, int row);
  }

  /** A table has some partitions with some rows each. */
  private static List<Consumer<Machine>> partitions(
      String table, String pattern, int partitions, int rows, String row, Properties properties) {
    return List.of(
        m -> {
          ask(m, Call.createTable(table));
          for (int i = 0; i < partitions; i++) {
            int partition = i;
            IntFunction<String> values = number -> properties.of(partition, number);
            Store.fill(m, table, pattern.formatted(i), rows, row::formatted, values);
          }
        });
  }

  private static List<Consumer<Machine>> partitions(
      String table, String pattern, int partitions, int rows, String row) {
    return partitions(table, pattern, partitions, rows, row, (p, i) -> "\"Value\":" + i);
  }

  private static Problem problem(
      Kind kind, String table, String name, List<Consumer<Machine>> data, Consumer<Traffic> begin) {
    return new Problem(name, kind, table, data, begin);
  }

  static List<Problem> appends() {
    return List.of(
        problem(
            Kind.APPEND,
            "Telemetry",
            "telemetry by hour",
            past("Telemetry", Duration.ofHours(1), HOUR::format),
            t ->
                t.every(
                    () -> 80,
                    m -> insert(m, "Telemetry", HOUR.format(Instant.now()), "d" + unique()))),
        problem(
            Kind.APPEND,
            "AccessLog",
            "access log by minute",
            past("AccessLog", Duration.ofMinutes(1), MINUTE::format),
            t ->
                t.every(
                    () -> 35,
                    m -> insert(m, "AccessLog", MINUTE.format(Instant.now()), "r" + unique()))),
        problem(
            Kind.APPEND,
            "DomainEvents",
            "events with a partition each, from servers whose clocks differ",
            past("DomainEvents", Duration.ofSeconds(7), at -> "%019d".formatted(ticks(at))),
            t ->
                t.every(
                    () -> 60,
                    m -> {
                      Instant at = Instant.now().plusMillis(random(200));
                      String key = "%019d".formatted(ticks(at) + random(9_999));
                      ask(m, Call.upsert("DomainEvents", key, "e", "\"What\":1"));
                    })),
        problem(
            Kind.APPEND,
            "WADLogsTable",
            "diagnostics in transactions, in partitions of a minute",
            past("WADLogsTable", Duration.ofMinutes(1), at -> "0" + ticks(at)),
            t ->
                t.every(
                    () -> 4,
                    m -> {
                      long second = Instant.now().getEpochSecond();
                      String key = "0" + ticks(Instant.ofEpochSecond(second / 60 * 60));
                      Store.fill(m, "WADLogsTable", key, 20 + random(60), row -> unique());
                    })));
  }

  private static void insert(Machine machine, String table, String partition, String row) {
    ask(machine, Call.insert(table, Call.entity(partition, row, "\"Value\":1")));
  }

  static List<Problem> prepends() {
    return List.of(
        problem(
            Kind.PREPEND,
            "Feed",
            "newest message first, a partition each",
            past("Feed", Duration.ofSeconds(11), TableProblems::reversed),
            t -> t.every(() -> 45, m -> insert(m, "Feed", reversed(Instant.now()), unique()))),
        problem(
            Kind.PREPEND,
            "Readings",
            "newest hour first, and readers of the newest",
            past("Readings", Duration.ofHours(1), TableProblems::reversedHour),
            t -> {
              t.every(
                  () -> 120,
                  m -> insert(m, "Readings", reversedHour(Instant.now()), "s" + unique()));
              t.every(() -> 5, m -> ask(m, Call.query("Readings", "").with("$top", "50")));
            }),
        problem(
            Kind.PREPEND,
            "Ledger",
            "newest block first in transactions",
            past("Ledger", Duration.ofSeconds(12), TableProblems::reversed),
            t ->
                t.every(
                    () -> 2,
                    m -> Store.fill(m, "Ledger", reversed(Instant.now()), 100, row -> "t" + row))));
  }

  static List<Problem> hotPartitions() {
    return List.of(
        problem(
            Kind.HOT_PARTITION,
            "Tenants",
            "one tenant of 400",
            partitions("Tenants", "tenant-%03d", 400, 60, "u%d"),
            t -> {
              t.every(
                  () -> 90,
                  m -> ask(m, Call.get("Tenants", "tenant-%03d".formatted(random(400)), "u0")));
              t.every(() -> 900, m -> ask(m, Call.get("Tenants", "tenant-117", "u" + random(60))));
            }),
        problem(
            Kind.HOT_PARTITION,
            "Users",
            "everything under the same PartitionKey",
            partitions("Users", "user", 1, 10_000, "u%d"),
            t -> {
              t.every(() -> 500, m -> ask(m, Call.get("Users", "user", "u" + random(10_000))));
              t.every(() -> 150, m -> merge(m, "Users", "user", "u" + random(10_000)));
            }));
  }

  static List<Problem> hotDevices() {
    List<Consumer<Machine>> data = new ArrayList<>();
    data.add(
        m -> {
          partitions("Devices", "gw-%02d", 50, 90, "d%d").get(0).accept(m);
          Store.fill(m, "Devices", "gw-07", 3_000, "d%d"::formatted);
        });
    return List.of(
        problem(
            Kind.HOT_PARTITION,
            "Devices",
            "updates of one gateway",
            data,
            t -> {
              t.every(
                  () -> 100,
                  m -> merge(m, "Devices", "gw-%02d".formatted(random(50)), "d" + random(90)));
              t.every(() -> 700, m -> merge(m, "Devices", "gw-07", "d" + random(3_000)));
            }));
  }

  private static void merge(Machine machine, String table, String partition, String row) {
    ask(machine, Call.merge(table, partition, row, "*", "\"Value\":" + random(1_000)));
  }

  static List<Problem> hotEntities() {
    return List.of(
        problem(
            Kind.HOT_ENTITY,
            "Flags",
            "feature flags that every request reads",
            partitions("Flags", "app-%d", 12, 50, "s%d"),
            t -> {
              t.every(() -> 400, m -> ask(m, Call.get("Flags", "app-3", "s7")));
              t.every(
                  () -> 40, m -> ask(m, Call.get("Flags", "app-" + random(12), "s" + random(50))));
            }),
        problem(
            Kind.HOT_ENTITY,
            "Counters",
            "a counter of page views",
            partitions("Counters", "page-%d", 300, 1, "views"),
            t -> {
              t.every(() -> 150, m -> merge(m, "Counters", "page-1", "views"));
              t.every(() -> 60, m -> merge(m, "Counters", "page-" + random(300), "views"));
            }),
        problem(
            Kind.CONTENDED_ENTITY,
            "Stock",
            "a stock figure that writers change with its ETag",
            partitions("Stock", "item-%d", 500, 1, "stock"),
            t -> {
              Duration think = Duration.ofMillis(25);
              String figure = "\"Pieces\":7";
              t.every(
                  () -> 30,
                  m -> Store.change(m, "Stock", "item-" + random(500), "stock", figure, think));
              t.every(() -> 25, m -> Store.change(m, "Stock", "item-42", "stock", figure, think));
            }));
  }

  static List<Problem> scans() {
    return List.of(
        problem(
            Kind.SCANS,
            "Orders",
            "open orders of a warehouse, found by reading all of them",
            partitions(
                "Orders",
                "wh-%02d",
                20,
                3_000,
                "o%05d",
                (p, i) -> "\"Status\":\"" + (i % 400 == 0 ? "open" : "done") + "\""),
            t ->
                t.every(
                    () -> 15,
                    m -> {
                      String filter = "PartitionKey eq 'wh-%02d' and Status eq 'open'";
                      ask(m, Call.query("Orders", filter.formatted(random(20))));
                    })),
        problem(
            Kind.SCANS,
            "Visits",
            "a range of days and a condition on a property",
            partitions(
                "Visits",
                "202611%02d",
                18,
                600,
                "v%05d",
                (p, i) -> "\"Country\":\"c" + i % 40 + "\""),
            t ->
                t.every(
                    () -> 4,
                    m -> {
                      String filter =
                          "PartitionKey ge '20261108' and PartitionKey lt '20261116' and Country eq"
                              + " 'c7'";
                      ask(m, Call.query("Visits", filter));
                    })));
  }

  static List<Problem> filtersWithoutKey() {
    return List.of(
        problem(
            Kind.FILTER_WITHOUT_KEY,
            "Accounts",
            "sign in by mail address",
            partitions(
                "Accounts",
                "%05x",
                2_000,
                1,
                "account",
                (p, i) -> "\"Email\":\"u" + p + "@example.com\""),
            t ->
                t.every(
                    () -> 3,
                    m ->
                        ask(
                            m,
                            Call.query(
                                "Accounts", "Email eq 'u" + random(2_000) + "@example.com'")))),
        problem(
            Kind.FILTER_WITHOUT_KEY,
            "Parcels",
            "only the RowKey is known",
            partitions("Parcels", "depot-%d", 60, 70, "p%d"),
            t -> {
              t.every(
                  () -> 5, m -> ask(m, Call.query("Parcels", "RowKey eq 'p" + random(99) + "'")));
              t.every(() -> 30, m -> merge(m, "Parcels", "depot-" + random(60), "p" + random(70)));
            }),
        problem(
            Kind.FILTER_WITHOUT_KEY,
            "Documents",
            "a poller asks every ten seconds for what is new, page by page",
            partitions("Documents", "%03d", 500, 80, "d%d"),
            t -> {
              t.every(
                  t.machines().subList(0, 1),
                  () -> 0.1,
                  m -> {
                    String since = Instant.now().minusSeconds(10).toString().substring(0, 19);
                    String filter = "Timestamp ge datetime'" + since + "Z'";
                    int unused = Store.scan(m, "Documents", filter, Duration.ZERO);
                  });
              t.every(
                  () -> 0.3, m -> insert(m, "Documents", "%03d".formatted(random(500)), unique()));
            }));
  }

  static List<Problem> fanOuts() {
    return List.of(
        problem(
            Kind.FAN_OUT,
            "LastValues",
            "a dashboard names 40 devices in its filter",
            partitions("LastValues", "dev-%03d", 800, 1, "last"),
            t ->
                t.every(
                    () -> 8,
                    m -> {
                      int first = random(760);
                      String part = "(PartitionKey eq 'dev-%03d' and RowKey eq 'last')";
                      ask(m, Call.query("LastValues", joined(40, i -> part.formatted(first + i))));
                    })),
        problem(
            Kind.FAN_OUT,
            "Bookings",
            "a month is a partition for each day",
            partitions("Bookings", "2026-11-%02d", 31, 60, "room-%03d"),
            t ->
                t.every(
                    () -> 12,
                    m -> {
                      int room = random(57);
                      String part =
                          "(PartitionKey eq '2026-11-%02d' and RowKey ge 'room-%03d' and RowKey lt"
                              + " 'room-%03d')";
                      ask(
                          m,
                          Call.query(
                              "Bookings", joined(30, i -> part.formatted(1 + i, room, room + 3))));
                    })),
        problem(
            Kind.FAN_OUT,
            "Timeline",
            "web servers ask all 32 parts of a list, one by one",
            partitions("Timeline", "part-%02d", 32, 200, "%05d"),
            t ->
                t.every(
                    t.machines().subList(0, 3),
                    () -> 6,
                    m -> {
                      for (int i = 0; i < 32; i++) {
                        String filter = "PartitionKey eq 'part-%02d' and RowKey ge '%05d'";
                        Call part = Call.query("Timeline", filter.formatted(i, random(180)));
                        ask(m, part.with("$top", "10"));
                      }
                    })));
  }

  private static String joined(int count, IntFunction<String> part) {
    return IntStream.range(0, count).mapToObj(part).collect(Collectors.joining(" or "));
  }

  static List<Problem> largeEntities() {
    List<String> snapshot =
        IntStream.range(0, 10).mapToObj(i -> pages(9, false)).collect(Collectors.toList());
    return List.of(
        problem(
            Kind.LARGE,
            "Contracts",
            "contracts as documents of 600 KB",
            List.of(created("Contracts")),
            t ->
                t.every(
                    () -> 2,
                    m -> ask(m, Call.upsert("Contracts", "c" + unique(), "pdf", pages(10, true))))),
        problem(
            Kind.LARGE,
            "Avatars",
            "pictures of 200 KB, mostly read",
            partitions("Avatars", "u%04d", 300, 1, "picture", (p, i) -> pages(3, true)),
            t -> {
              t.every(
                  () -> 25,
                  m -> ask(m, Call.get("Avatars", "u%04d".formatted(random(300)), "picture")));
              t.every(
                  () -> 1,
                  m -> {
                    String user = "u%04d".formatted(random(300));
                    ask(m, Call.upsert("Avatars", user, "picture", pages(3, true)));
                  });
            }),
        problem(
            Kind.LARGE,
            "Snapshots",
            "transactions of ten entities of 290 KB",
            List.of(created("Snapshots")),
            t ->
                t.every(
                    () -> 1,
                    m -> {
                      List<String> rows =
                          IntStream.range(0, 10).mapToObj(i -> "level-" + i).toList();
                      Answer unused =
                          Store.batch(m, "Snapshots", "game-" + random(5_000), rows, snapshot);
                    })));
  }

  /** Returns properties of about 60 KB each if they are binary, else of 32 KB. */
  private static String pages(int count, boolean isBinary) {
    String page =
        isBinary
            ? Base64.getEncoder()
                .encodeToString(Store.text(60_000, 3).getBytes(StandardCharsets.US_ASCII))
            : Store.text(32_000, 3);
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                "\"P%d\":\"%s\"%s"
                    .formatted(
                        i, page, isBinary ? ",\"P%d@odata.type\":\"Edm.Binary\"".formatted(i) : ""))
        .collect(Collectors.joining(","));
  }

  static List<Problem> smallBatches() {
    return List.of(
        problem(
            Kind.BATCHES,
            "Rows",
            "transactions of the one or two rows of a file that share a random key",
            List.of(created("Rows")),
            t ->
                t.every(
                    () -> 40,
                    m -> {
                      String partition = "k" + random(5_000);
                      Store.fill(m, "Rows", partition, random(4) == 0 ? 2 : 1, row -> unique());
                    })));
  }
}
