package io.lazuli.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.check.Finding;
import io.lazuli.server.load.map.HeatMap;
import io.lazuli.server.load.map.HeatMapQuery;
import io.lazuli.server.load.map.HeatMapQuery.Metric;
import io.lazuli.server.load.map.HeatMapQuery.Side;
import io.lazuli.server.load.rule.Diagnosis;
import io.lazuli.server.load.rule.Targets;
import io.lazuli.server.own.OwnTables;
import io.lazuli.server.scrub.StoreWalk;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.faults.FaultyEngine;
import io.lazuli.storage.faults.ForwardingEngine;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import io.lazuli.storage.rocksdb.RocksDbEngineProvider;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Load as it is collected, kept and read, with a clock that the tests move. */
class LoadTest {
  private static final Instant BEGIN = Instant.parse("2026-11-18T06:00:00Z");

  @TempDir private Path folder;
  private Instant now = BEGIN;
  private final FaultyEngine engine =
      new FaultyEngine(new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused"))));

  private final Clock clock =
      new Clock() {
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

  private Load load(StorageEngine of) {
    return load(of, true);
  }

  private Load load(StorageEngine of, boolean leads) {
    return new Load(
        of,
        new Catalog(of),
        Targets.of(0, 0),
        (account, queue) -> null,
        samples -> {},
        () -> leads,
        clock);
  }

  /** Runs a load for some minutes, with a tick every five seconds. */
  private void run(int minutes, Runnable tenSeconds, Load... servers) {
    for (int i = 0; i < minutes * 6; i++) {
      tenSeconds.run();
      for (int tick = 0; tick < 2; tick++) {
        now = now.plusSeconds(5);
        for (Load server : servers) {
          server.tick();
        }
      }
    }
  }

  private static void reads(Load load, int count, String partition) {
    for (int i = 0; i < count; i++) {
      LoadRequest.get("Orders", partition, "r" + i).end(load.of("table"));
    }
  }

  private HeatMapQuery query(Instant from, int rows, int columns) {
    return new HeatMapQuery(
        "acme",
        "",
        "",
        from.getEpochSecond(),
        now.getEpochSecond(),
        Metric.REQUESTS,
        Side.BOTH,
        rows,
        columns);
  }

  private static double total(HeatMap map) {
    double sum = 0;
    for (double column : map.sum()) {
      sum += column * map.columnSeconds();
    }
    return sum;
  }

  @Test
  void theMapShowsWhatWasRequested() {
    Load load = load(engine);
    run(3, () -> reads(load, 10, "p"), load);
    run(1, () -> {}, load);
    HeatMap map = load.map(query(BEGIN, 96, 180));
    assertThat(map.level()).isEqualTo("1m");
    assertThat(map.columnSeconds()).isEqualTo(60);
    assertThat(map.rows()).hasSize(1);
    assertThat(map.rows().get(0).space().name()).isEqualTo("Orders");
    assertThat(total(map)).isEqualTo(180);
    assertThat(map.cells()[1]).isEqualTo(1);
    assertThat(map.max()).isEqualTo(1);
    assertThat(map.gaps()).isEmpty();
    HeatMapQuery writes =
        new HeatMapQuery(
            "acme",
            "table",
            "orders",
            BEGIN.getEpochSecond(),
            now.getEpochSecond(),
            Metric.REQUESTS,
            Side.WRITES,
            9,
            9);
    assertThat(total(load.map(writes))).isZero();
  }

  @Test
  void mapsOfOneWindowHaveTheSameRows() {
    Load load = load(engine);
    run(
        2,
        () -> {
          reads(load, 10, "p");
          LoadRequest.insert("Events", "e", "r").end(load.of("table"));
        },
        load);
    HeatMapQuery any = query(BEGIN, 9, 9);
    List<HeatMap> maps =
        load.maps(
            any,
            List.of(
                any.of(Metric.REQUESTS, Side.READS),
                any.of(Metric.REQUESTS, Side.WRITES),
                any.of(Metric.ENTITIES, Side.BOTH)));
    assertThat(maps).allSatisfy(map -> assertThat(map.rows()).hasSize(2));
    assertThat(total(maps.get(0))).isPositive();
    assertThat(total(maps.get(1))).isPositive();
    assertThat(total(maps.get(0)) + total(maps.get(1)))
        .isCloseTo(total(load.map(any)), Offset.offset(0.01));
  }

  @Test
  void anotherAccountSeesNothing() {
    Load load = load(engine);
    run(2, () -> reads(load, 10, "p"), load);
    HeatMapQuery other =
        new HeatMapQuery(
            "other",
            "",
            "",
            BEGIN.getEpochSecond(),
            now.getEpochSecond(),
            Metric.REQUESTS,
            Side.BOTH,
            9,
            9);
    assertThat(load.map(other).rows()).isEmpty();
  }

  @Test
  void busyRangesAreSplitAndSumsStayRight() {
    Load load = load(engine);
    int[] next = {0};
    run(
        40,
        () -> {
          for (int i = 0; i < 200; i++) {
            String partition = "p%03d".formatted(next[0]++ * 7 % 400);
            LoadRequest.get("Orders", partition, "r").end(load.of("table"));
          }
        },
        load);
    run(1, () -> {}, load);
    HeatMap map = load.map(query(BEGIN, 24, 30));
    assertThat(map.rows()).hasSize(24);
    assertThat(map.rows()).extracting(HeatMap.Row::from).isSorted().startsWith("");
    assertThat(total(map)).isCloseTo(40 * 6 * 200, Offset.offset(1.0));
  }

  @Test
  void aLongWindowReadsLongPeriods() {
    Load load = load(engine);
    run(13 * 60, () -> reads(load, 1, "p"), load);
    HeatMap map = load.map(query(BEGIN, 10, 100));
    assertThat(map.level()).isEqualTo("15m");
    assertThat(map.columnSeconds()).isEqualTo(900);
    assertThat(total(map)).isCloseTo(13 * 360, Offset.offset(100.0));
  }

  @Test
  void oldPeriodsAreForgottenAndTheSpaceStaysBounded() {
    Load load = load(engine);
    OwnTables tables = new OwnTables(engine, new Catalog(engine), "Load");
    for (int day = 0; day < 40; day++) {
      run(12, () -> reads(load, 1, "p"), load);
      now = BEGIN.plus(Duration.ofDays(day + 1));
    }
    run(12, () -> reads(load, 1, "p"), load);
    List<String> names = tables.names(Grain.PREFIX, 1_000);
    assertThat(names.stream().filter(name -> name.startsWith("load-1m-")))
        .hasSizeLessThanOrEqualTo(6);
    assertThat(names.stream().filter(name -> name.startsWith("load-15m-")))
        .hasSizeLessThanOrEqualTo(16);
    assertThat(names.stream().filter(name -> name.startsWith("load-6h-")))
        .hasSizeLessThanOrEqualTo(4);
  }

  @Test
  void theLeaderSweepsAlthoughOnlyOthersHaveRequests() {
    Load leader = load(new Shared(engine), true);
    Load other = load(new Shared(engine), false);
    for (int day = 0; day < 20; day++) {
      run(12, () -> reads(other, 1, "p"), leader, other);
      now = BEGIN.plus(Duration.ofDays(day + 1));
    }
    run(16, () -> reads(other, 1, "p"), leader, other);
    OwnTables tables = new OwnTables(engine, new Catalog(engine), "Load");
    assertThat(tables.names(Grain.PREFIX, 1_000).stream().filter(n -> n.startsWith("load-1m-")))
        .hasSizeLessThanOrEqualTo(6);
    assertThat(new LoadStore(tables).queueTimes()).isNotNull();
  }

  @Test
  void oldPeriodsAreForgottenAfterARestartWithoutRequests() {
    Load before = load(engine);
    run(12, () -> reads(before, 1, "p"), before);
    before.close();
    OwnTables tables = new OwnTables(engine, new Catalog(engine), "Load");
    assertThat(tables.names("load-1m-", 10)).isNotEmpty();
    now = BEGIN.plus(Duration.ofDays(40));
    Load after = load(engine);
    run(12, () -> {}, after);
    assertThat(tables.names("load-1m-", 10)).isEmpty();
  }

  @Test
  void aMinuteThatCannotBeStoredIsLostAndNothingElse() {
    Load load = load(engine);
    run(2, () -> reads(load, 10, "p"), load);
    engine.failNext(FaultyEngine.Call.TRANSACT, StorageException.Kind.UNAVAILABLE, 1);
    run(1, () -> reads(load, 10, "p"), load);
    engine.failNoMore();
    run(2, () -> reads(load, 10, "p"), load);
    assertThat(load.lostMinutes()).isEqualTo(1);
    assertThat(load.trouble()).isEmpty();
    HeatMap map = load.map(query(BEGIN, 9, 360));
    assertThat(total(map)).isEqualTo(3 * 60);
    assertThat(map.gaps()).hasSize(2);
  }

  @Test
  void loadSurvivesARestartOnRocksDb() {
    StorageEngine first = rocks();
    Load before = load(first);
    run(7, () -> hot(before), before);
    assertThat(before.diagnoses("acme")).hasSize(1);
    String id = before.diagnoses("acme").get(0).id();
    assertThat(before.silence(id, 7)).isTrue();
    assertThat(before.silence("append:acme/table/None", 7)).isFalse();
    before.close();
    first.close();
    StorageEngine second = rocks();
    List<Finding> damage = new ArrayList<>();
    StoreWalk walk = StoreWalk.ofRecords(second, damage::add);
    while (!walk.isDone()) {
      long ignored = walk.step();
    }
    assertThat(damage).isEmpty();
    Load after = load(second);
    assertThat(total(after.map(query(BEGIN, 9, 360)))).isEqualTo(7 * 6 * 800.0);
    assertThat(after.diagnoses("acme")).as("before the first minute has ended").hasSize(1);
    run(2, () -> {}, after);
    List<Diagnosis> found = after.diagnoses("acme");
    assertThat(found).hasSize(1);
    assertThat(found.get(0).id()).isEqualTo(id);
    assertThat(found.get(0).silencedUntil()).isNotNull();
    after.close();
    second.close();
  }

  private StorageEngine rocks() {
    return new RocksDbEngineProvider().open(EngineConfig.of(folder));
  }

  private static void hot(Load load) {
    for (int i = 0; i < 800; i++) {
      LoadRequest.get("Orders", i < 80 ? "p" + i % 20 : "hot", "r" + i).end(load.of("table"));
    }
  }

  /** An engine that says that other servers use it. */
  private static final class Shared extends ForwardingEngine {
    Shared(StorageEngine engine) {
      super(engine);
    }

    @Override
    public boolean isShared() {
      return true;
    }
  }

  @Test
  void serversAreAddedAndOneOfThemDiagnoses() {
    Load one = load(new Shared(engine), true);
    Load other = load(new Shared(engine), false);
    run(
        8,
        () -> {
          // Alone, neither server has enough requests.
          for (int i = 0; i < 300; i++) {
            String partition = i < 30 ? "p" + i % 20 : "hot";
            LoadRequest.get("Orders", partition, "r" + i)
                .end((i % 2 == 0 ? one : other).of("table"));
          }
          for (int i = 0; i < 300; i++) {
            LoadRequest.get("Orders", "hot", "r" + i).end((i % 2 == 0 ? one : other).of("table"));
          }
        },
        one,
        other);
    assertThat(one.diagnoses("acme")).hasSize(1);
    assertThat(other.diagnoses("acme")).hasSize(1);
    String id = one.diagnoses("acme").get(0).id();
    assertThat(id).isEqualTo("hot.partition:acme/table/Orders");
    assertThat(total(other.map(query(BEGIN, 9, 360)))).isBetween(7 * 3_600.0, 8 * 3_600.0);
    assertThat(other.silence(id, 1)).isTrue();
    run(2, () -> {}, one, other);
    assertThat(one.diagnoses("acme").get(0).silencedUntil()).isNotNull();
    assertThat(other.diagnoses("acme").get(0).silencedUntil()).isNotNull();
  }

  @Test
  void aServerWithoutRequestsStoresNothing() {
    Load load = load(engine);
    run(30, () -> {}, load);
    load.close();
    assertThat(new OwnTables(engine, new Catalog(engine), "Load").names("", 10)).isEmpty();
  }
}
