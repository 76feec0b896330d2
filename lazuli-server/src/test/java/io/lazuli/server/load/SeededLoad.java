package io.lazuli.server.load;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.load.count.OperationClass;
import io.lazuli.server.load.count.SpaceName;
import io.lazuli.server.load.count.Tally;
import io.lazuli.server.load.fact.Facts;
import io.lazuli.server.load.fact.Slot;
import io.lazuli.server.load.fact.SpaceLoad;
import io.lazuli.server.load.rule.Targets;
import io.lazuli.server.load.size.Measured;
import io.lazuli.server.load.size.SpaceSize;
import io.lazuli.server.own.OwnTables;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.rocksdb.RocksDbEngineProvider;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Stores load in a data folder: the last 70 minutes through the real collector and rules with a
 * clock of its own, and sums of the days before. The browser tests run it before they start the
 * packed server.
 */
public final class SeededLoad {
  private static final int MINUTES = 70;

  private static final int DAYS = 45;

  /** Three minutes from here on are missing, as after a crash. */
  private static final int CRASH = 25;

  private final SplittableRandom random = new SplittableRandom(1);
  private final String account;
  private Instant now = Instant.now().truncatedTo(ChronoUnit.MINUTES).minusSeconds(MINUTES * 60);

  private SeededLoad(String account) {
    this.account = account;
  }

  /** Takes the data folder and the account. */
  public static void main(String[] args) {
    try (StorageEngine engine =
        new RocksDbEngineProvider().open(EngineConfig.of(Path.of(args[0])))) {
      SeededLoad seeded = new SeededLoad(args[1]);
      seeded.days(new LoadStore(new OwnTables(engine, new Catalog(engine), "Load")));
      seeded.run(engine);
    }
  }

  /** Stores the sums and sizes of the days before this one. */
  private void days(LoadStore store) {
    long today = Grain.STORED.slot(now.getEpochSecond());
    for (int day = DAYS; day > 0; day--) {
      long start = today - day * 86_400L;
      int growth = DAYS - day;
      for (int part = 0; part < 4; part++) {
        long busy = part == 0 ? 2 : part == 2 ? 9 : 6;
        store.write(
            Grain.TOTALS,
            new Slot(
                "days0001",
                start + part * 21_600L,
                21_600,
                false,
                List.of(
                    counted("table", "Orders", busy * (9_000 + random.nextInt(900)), 0, 900),
                    counted("table", "Events", 0, busy * (2_000 + 400L * growth), 0),
                    counted("table", "Sessions", busy * 4_000, busy * 900, 0),
                    counted("table", "Audit", 0, busy * 60, busy * 300),
                    counted("queue", "orders", 0, busy * 1_500, 0))));
      }
      store.sizes(
          account,
          new Measured(
              Instant.ofEpochSecond(start + 7_200),
              Duration.ofSeconds(2),
              List.of(
                  size("table", "Orders", 52_000 + 800L * growth),
                  size("table", "Events", 30_000 + 9_000L * growth),
                  size("table", "Sessions", 21_000),
                  size("queue", "orders", 900 + 20L * growth))));
    }
  }

  private SpaceLoad counted(String service, String name, long reads, long inserts, long scans) {
    long[] counts = new long[Tally.SPACE_SIZE];
    counts[Tally.of(OperationClass.READ)] = reads;
    counts[Tally.of(OperationClass.INSERT)] = inserts;
    counts[Tally.of(OperationClass.QUERY)] = scans;
    counts[Tally.SCAN_RUNS] = scans;
    long[] range = new long[Tally.RANGE_SIZE];
    range[Tally.READS] = reads + scans;
    range[Tally.WRITES] = inserts;
    return new SpaceLoad(
        new SpaceName(account, service, name),
        counts,
        List.of(""),
        new long[][] {range},
        Facts.NONE);
  }

  private SpaceSize size(String service, String name, long items) {
    return new SpaceSize(new SpaceName(account, service, name), items, items * 412);
  }

  private void run(StorageEngine engine) {
    Load load =
        new Load(
            engine,
            new Catalog(engine),
            Targets.of(0, 0),
            (owner, queue) -> null,
            samples -> {},
            () -> true,
            clock());
    for (int minute = 0; minute < MINUTES; minute++) {
      if (minute >= CRASH && minute < CRASH + 3) {
        now = now.plus(Duration.ofMinutes(1));
        continue;
      }
      for (int part = 0; part < 6; part++) {
        tenSeconds(load, minute);
        now = now.plusSeconds(10);
        load.tick();
      }
      load.tick();
    }
    load.close();
  }

  private void tenSeconds(Load load, int minute) {
    for (int i = 0; i < 300 + 10 * (minute % 15); i++) {
      end(load, LoadRequest.get("Orders", "cust-%04d".formatted(random.nextInt(60)), "r" + i));
    }
    for (int i = 0; i < 80; i++) {
      end(load, LoadRequest.get("Sessions", "room-%02d".formatted(random.nextInt(24)), "r" + i));
    }
    for (int i = 0; i < (minute < 30 ? 60 : 700); i++) {
      end(load, LoadRequest.get("Sessions", "lobby", "r" + i));
    }
    String period = now.truncatedTo(ChronoUnit.MINUTES).toString();
    for (int i = 0; i < 400; i++) {
      end(load, LoadRequest.insert("Events", period, "r" + minute + "-" + i));
    }
    for (int i = 0; i < 5; i++) {
      end(load, LoadRequest.query("Audit", "table scan", "Actor eq ?", "", 900, 3));
    }
    for (int i = 0; i < 30; i++) {
      LoadRequest put = LoadRequest.message("PutMessage", "orders", 0);
      put.account = account;
      put.end(load.of("queue"));
    }
  }

  private void end(Load load, LoadRequest request) {
    request.account = account;
    request.end(load.of("table"));
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
}
