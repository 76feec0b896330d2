package io.lazuli.server.load;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.load.rule.Targets;
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
import java.util.SplittableRandom;

/**
 * Stores the load of the last 70 minutes in a data folder, through the real collector and rules
 * with a clock of its own. The browser tests run it before they start the packed server.
 */
public final class SeededLoad {
  private static final int MINUTES = 70;

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
      new SeededLoad(args[1]).run(engine);
    }
  }

  private void run(StorageEngine engine) {
    Load load =
        new Load(
            engine,
            new Catalog(engine),
            Targets.of(0, 0),
            (owner, queue) -> null,
            samples -> {},
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
