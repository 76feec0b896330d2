package io.lazuli.server.load.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.event.RequestListener;
import io.lazuli.server.load.LoadRequest;
import io.lazuli.server.load.count.Generation;
import io.lazuli.server.load.count.Recorder;
import io.lazuli.server.load.count.Sample;
import io.lazuli.server.load.count.SpaceName;
import io.lazuli.server.load.count.Splits;
import io.lazuli.server.load.fact.MinuteFacts;
import io.lazuli.server.load.fact.Slot;
import io.lazuli.server.load.fact.SlotCodec;
import io.lazuli.server.load.fact.TableEnds;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Loads that must be diagnosed, and loads that must not; time is simulated second by second. */
class DoctorTest {
  private static final long BEGIN = Instant.parse("2026-11-18T00:00:00Z").getEpochSecond();

  private final Random random = new Random(24);
  private final Map<String, TreeSet<String>> stored = new HashMap<>();
  private final Map<String, QueueLooks.Look> looks = new HashMap<>();
  private Targets targets = Targets.of(0, 0);
  private long millis = BEGIN * 1_000;
  private final Recorder recorder = new Recorder(() -> millis);
  private final Map<String, RequestListener> services =
      Map.of(
          "table",
          recorder.of("table"),
          "queue",
          recorder.of("queue"),
          "blob",
          recorder.of("blob"));
  private final List<String> everOpened = new ArrayList<>();
  private Doctor doctor = doctor();

  private Doctor doctor() {
    return new Doctor(targets, this::ends, (account, queue) -> looks.get(queue), new QueueTimes());
  }

  private TableEnds.Ends ends(SpaceName table) {
    TreeSet<String> partitions = stored.getOrDefault(table.name(), new TreeSet<>());
    return partitions.isEmpty()
        ? null
        : new TableEnds.Ends(partitions.first(), partitions.last(), partitions.size() >= 8);
  }

  private void store(String table, String partition) {
    stored.computeIfAbsent(table, missing -> new TreeSet<>()).add(partition);
  }

  /** What happens in one second of the load. */
  private interface Load {
    void second(int second);
  }

  private void end(LoadRequest request) {
    if (request.inserts > 0) {
      store(request.resource, request.partition);
    }
    request.end(services.get("table"));
  }

  private void message(LoadRequest request) {
    request.end(services.get("queue"));
  }

  /** Runs a load for some minutes. Every minute is stored and read again. */
  private void run(int minutes, Load load) throws IOException {
    Splits splits = new Splits(new Random(1));
    for (int minute = 0; minute < minutes; minute++) {
      long start = millis / 1_000;
      MinuteFacts facts = new MinuteFacts(this::ends);
      for (int second = 0; second < 60; second++) {
        load.second(minute * 60 + second);
        List<Sample> samples = recorder.samples();
        facts.add(samples);
        splits.add(samples);
        millis = (start + second + 1) * 1_000;
      }
      Generation counts = recorder.replace(new Generation(splits.next(minute % 5 == 4)));
      splits.count(counts.counted());
      Slot slot = new Slot("a", start, 60, false, facts.with(counts.counted()));
      byte[] encoded = SlotCodec.encode(slot, 20 << 10);
      assertThat(encoded.length).isLessThanOrEqualTo(20 << 10);
      doctor.see(start, Slot.joined(List.of(SlotCodec.decode(encoded))));
      for (Diagnosis one : doctor.diagnoses("")) {
        if (one.isOpen() && !everOpened.contains(one.symptom().kind().key())) {
          everOpened.add(one.symptom().kind().key());
        }
      }
    }
  }

  private Diagnosis only(String kind) {
    assertThat(everOpened).containsExactly(kind);
    return doctor.diagnoses("").get(0);
  }

  private static String hour(long number) {
    return "2026-%05d".formatted(number);
  }

  @Test
  void insertsIntoTheNewestHourAreAnAppendPattern() throws IOException {
    for (int i = 0; i < 20; i++) {
      store("Events", hour(i));
    }
    run(
        5,
        second -> {
          for (int i = 0; i < 100; i++) {
            end(LoadRequest.insert("Events", hour(20 + second / 3600), "r" + second + "-" + i));
          }
        });
    Diagnosis found = only("append");
    assertThat(found.symptom().fact())
        .isEqualTo("100 % of 100 inserts/s go to the last partition of the table.");
    assertThat(found.symptom().level()).isEqualTo(Level.ADVICE);
    assertThat(found.symptom().partition()).isEqualTo(hour(20));
    assertThat(found.symptom().evidence()).hasSize(5);
    assertThat(found.id()).isEqualTo("append:acme/table/Events");
    assertThat(Duration.between(Instant.ofEpochSecond(BEGIN), found.since()))
        .isLessThanOrEqualTo(Duration.ofMinutes(4));
  }

  @Test
  void anAppendPatternThatLastsIsAWarning() throws IOException {
    for (int i = 0; i < 20; i++) {
      store("Events", hour(i));
    }
    run(
        36,
        second -> {
          for (int i = 0; i < 25; i++) {
            end(LoadRequest.insert("Events", hour(20), "r" + second + "-" + i));
          }
        });
    assertThat(only("append").symptom().level()).isEqualTo(Level.WARNING);
  }

  @Test
  void insertsIntoInvertedHoursAreAPrependPattern() throws IOException {
    for (int i = 0; i < 20; i++) {
      store("Events", hour(9_000 - i));
    }
    run(
        5,
        second -> {
          for (int i = 0; i < 100; i++) {
            end(LoadRequest.insert("Events", hour(8_000), "r" + second + "-" + i));
          }
        });
    assertThat(only("prepend").symptom().partition()).isEqualTo(hour(8_000));
  }

  @Test
  void partitionsBySourceAreNoPattern() throws IOException {
    run(
        8,
        second -> {
          for (int i = 0; i < 100; i++) {
            end(
                LoadRequest.insert(
                    "Events",
                    "source%02d_2026-11-18".formatted(random.nextInt(64)),
                    "%019d".formatted(Long.MAX_VALUE - second * 1_000L - i)));
          }
        });
    assertThat(everOpened).isEmpty();
  }

  @Test
  void onePartitionOfManyIsHot() throws IOException {
    run(
        5,
        second -> {
          for (int i = 0; i < 200; i++) {
            String partition = random.nextInt(10) < 9 ? "hot" : "p" + random.nextInt(99);
            end(LoadRequest.get("Orders", partition, "r" + random.nextInt(1_000)));
          }
        });
    Diagnosis found = only("hot.partition");
    assertThat(found.symptom().partition()).isEqualTo("hot");
    assertThat(found.symptom().level()).isEqualTo(Level.ADVICE);
  }

  @Test
  void skewIsNormal() throws IOException {
    double[] sums = new double[1_000];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = (i == 0 ? 0 : sums[i - 1]) + 1.0 / (i + 1);
    }
    run(
        8,
        second -> {
          for (int i = 0; i < 300; i++) {
            double at = random.nextDouble() * sums[sums.length - 1];
            int rank = Arrays.binarySearch(sums, at);
            end(LoadRequest.get("Orders", "p" + (rank < 0 ? -rank - 1 : rank), "r"));
          }
        });
    assertThat(everOpened).isEmpty();
  }

  @Test
  void oneEntityOfManyIsHot() throws IOException {
    run(
        5,
        second -> {
          for (int i = 0; i < 220; i++) {
            end(
                i < 200
                    ? LoadRequest.get("Settings", "all", "current")
                    : LoadRequest.get("Settings", "p" + random.nextInt(50), "r"));
          }
        });
    assertThat(only("hot.entity").symptom().evidence().get(0).value()).isEqualTo("all / current");
  }

  @Test
  void writersOfOneCounterContend() throws IOException {
    run(
        5,
        second -> {
          for (int i = 0; i < 32; i++) {
            end(
                LoadRequest.write("MergeEntity", "Counters", "c", "1")
                    .answered(i % 2 == 0 ? 412 : 204));
          }
        });
    Diagnosis found = only("hot.entity.conflict");
    assertThat(found.symptom().level()).isEqualTo(Level.WARNING);
    assertThat(found.symptom().fact()).startsWith("50 % of the writes to one entity fail");
  }

  @Test
  void fewConflictsAreNormal() throws IOException {
    run(
        6,
        second -> {
          for (int i = 0; i < 32; i++) {
            end(
                LoadRequest.write("MergeEntity", "Counters", "c" + i, "1")
                    .answered(random.nextInt(20) == 0 ? 412 : 204));
          }
        });
    assertThat(everOpened).isEmpty();
  }

  @Test
  void aFilterWithoutAKeyIsFound() throws IOException {
    run(
        5,
        second -> {
          if (second % 6 == 0) {
            end(LoadRequest.query("Audit", "table scan", "Actor eq ?", "", 50_000, 3));
          }
        });
    Diagnosis found = only("filter.nokey");
    assertThat(found.symptom().fact()).contains("Actor eq ? read");
    assertThat(found.symptom().level()).isEqualTo(Level.WARNING);
  }

  @Test
  void aFilterOnASmallTableIsNone() throws IOException {
    run(
        6,
        second -> {
          if (second % 6 == 0) {
            end(LoadRequest.query("Lookup", "table scan", "Name eq ?", "", 200, 1));
          }
        });
    assertThat(everOpened).isEmpty();
  }

  @Test
  void severalFiltersMakeATableScanHeavy() throws IOException {
    run(
        5,
        second -> {
          if (second % 4 == 0) {
            String shape = "P" + second / 4 % 5 + " eq ?";
            end(LoadRequest.query("Audit", "table scan", shape, "", 200_000, 10));
          }
        });
    assertThat(only("scans").symptom().evidence()).hasSize(5);
  }

  @Test
  void scansThatReturnWhatTheyReadAreNoProblem() throws IOException {
    run(
        6,
        second -> {
          if (second % 2 == 0) {
            end(
                LoadRequest.query(
                    "Audit", "partition scan", "PartitionKey eq ?", "p", 5_000, 1_000));
          }
        });
    assertThat(everOpened).isEmpty();
  }

  @Test
  void manyPartitionsAtOnceAreAFanOut() throws IOException {
    run(
        5,
        second -> {
          if (second % 5 == 0) {
            for (int i = 0; i < 200; i++) {
              LoadRequest query =
                  LoadRequest.query(
                      "Feeds", "range", "PartitionKey eq ? and RowKey ge ?", "u" + i, 10, 10);
              millis += i % 4 == 0 ? 1 : 0;
              end(query);
            }
          }
        });
    assertThat(only("fanout").symptom().fact())
        .startsWith("192.0.2.7 asks about 200 partitions at once,");
  }

  @Test
  void oneQueryForManyPartitionsIsAFanOut() throws IOException {
    run(
        5,
        second -> {
          if (second % 10 == 0) {
            LoadRequest query = LoadRequest.query("Feeds", "seeks(80)", "many", "u1", 80, 80);
            query.partitions = 80;
            end(query);
          }
        });
    only("fanout");
  }

  @Test
  void requestsInStepWithAClockAreNoFanOut() throws IOException {
    run(
        8,
        second -> {
          for (int i = 0; i < 100; i++) {
            end(LoadRequest.get("Feeds", "u" + random.nextInt(5_000), "r" + i));
          }
        });
    assertThat(everOpened).isEmpty();
  }

  @Test
  void steadyReadsOfManyPartitionsAreNoFanOut() throws IOException {
    run(
        8,
        second -> {
          for (int i = 0; i < 200; i++) {
            millis += 5;
            end(LoadRequest.get("Feeds", "u" + random.nextInt(5_000), "r" + i));
          }
        });
    assertThat(everOpened).isEmpty();
  }

  @Test
  void largeEntitiesAreFound() throws IOException {
    run(
        5,
        second -> {
          LoadRequest write = LoadRequest.insert("Files", "p" + second, "r");
          write.bytesIn = 300 << 10;
          end(write);
        });
    assertThat(only("large").symptom().fact())
        .startsWith("100 % of what is written is over 256 KiB");
  }

  @Test
  void aFewLargeEntitiesAreNormal() throws IOException {
    run(
        6,
        second -> {
          LoadRequest write = LoadRequest.insert("Files", "p" + random.nextInt(1_000), "r");
          write.bytesIn = second % 60 == 0 ? 300 << 10 : 2_000;
          end(write);
        });
    assertThat(everOpened).isEmpty();
  }

  /** In an hour of real load, two of 26 writes of a minute were large, in three minutes of five. */
  @Test
  void largeEntitiesThatComeTogetherByChanceAreNormal() throws IOException {
    run(
        600,
        second -> {
          if (random.nextInt(100) < 43) {
            LoadRequest write = LoadRequest.insert("Texts", "p" + random.nextInt(1_000), "r");
            write.bytesIn = random.nextInt(60) == 0 ? 267 << 10 : 3_000;
            end(write);
          }
        });
    assertThat(everOpened).isEmpty();
  }

  @Test
  void aQueueWhoseWorkerStopsIsFound() throws IOException {
    Instant put = Instant.ofEpochSecond(BEGIN);
    looks.put("work", new QueueLooks.Look(300, put, put, put.plus(Duration.ofDays(7))));
    run(
        12,
        second -> {
          for (int i = 0; i < 5; i++) {
            message(LoadRequest.message("PutMessage", "work", 0));
          }
          if (second < 300) {
            message(LoadRequest.message("GetMessages", "work", 5));
          }
        });
    Diagnosis found = only("queue.unread");
    assertThat(found.symptom().level()).isEqualTo(Level.ADVICE);
    assertThat(Duration.between(put, found.since())).isLessThanOrEqualTo(Duration.ofMinutes(10));
  }

  /** Its worker is started 75 seconds after messages have come, and nobody asks before. */
  @Test
  void aQueueWhoseWorkerIsStartedOnDemandIsNormal() throws IOException {
    run(
        40,
        second -> {
          int inPeriod = second % 900;
          if (inPeriod == 330) {
            Instant put = Instant.ofEpochMilli(millis);
            looks.put("maps", new QueueLooks.Look(60, put, put, put.plus(Duration.ofDays(7))));
            for (int i = 0; i < 60; i++) {
              message(LoadRequest.message("PutMessage", "maps", 0));
            }
          } else if (inPeriod == 405) {
            message(LoadRequest.message("GetMessages", "maps", 32));
            looks.put("maps", new QueueLooks.Look(0, null, null, null));
          }
        });
    assertThat(everOpened).isEmpty();
  }

  /** The messages of tomorrow cannot be taken today. */
  @Test
  void messagesThatAreInvisibleDoNotWait() throws IOException {
    looks.put("reminders", new QueueLooks.Look(0, null, null, null));
    run(20, second -> message(LoadRequest.message("PutMessage", "reminders", 0)));
    assertThat(everOpened).isEmpty();
  }

  @Test
  void aHotEntityIsNotAHotPartitionWhenItsLoadEnds() throws IOException {
    for (int i = 0; i < 300; i++) {
      store("Counters", "page-" + i);
    }
    run(
        12,
        second -> {
          double left = second < 480 ? 1 : second < 540 ? 0.45 : 0;
          for (int i = 0; i < 150 * left; i++) {
            end(LoadRequest.write("MergeEntity", "Counters", "page-1", "views"));
          }
          for (int i = 0; i < 60 * left; i++) {
            end(
                LoadRequest.write(
                    "MergeEntity", "Counters", "page-" + random.nextInt(300), "views"));
          }
        });
    only("hot.entity");
  }

  @Test
  void aWorkerThatFindsNothingIsAConsumer() throws IOException {
    looks.put("work", new QueueLooks.Look(300, null, null, null));
    run(
        12,
        second -> {
          message(LoadRequest.message("PutMessage", "work", 0));
          if (second % 30 == 0) {
            message(LoadRequest.message("GetMessages", "work", 0));
          }
        });
    assertThat(everOpened).isEmpty();
  }

  @Test
  void aWorkerThatComesEveryTenMinutesIsAConsumer() throws IOException {
    looks.put("work", new QueueLooks.Look(300, null, null, null));
    run(
        40,
        second -> {
          if (second % 600 < 60) {
            message(LoadRequest.message("GetMessages", "work", 32));
          } else if (second > 1_200) {
            message(LoadRequest.message("PutMessage", "work", 0));
          }
        });
    assertThat(everOpened).isEmpty();
  }

  @Test
  void aGrowingPoisonQueueIsFound() throws IOException {
    run(
        6,
        second -> {
          if (second % 30 == 0) {
            message(LoadRequest.message("PutMessage", "work-poison", 0));
          }
        });
    Diagnosis found = only("poison");
    assertThat(found.symptom().level()).isEqualTo(Level.FAILING);
    assertThat(found.symptom().evidence().get(2).value()).isEqualTo("work");
  }

  @Test
  void messagesThatAreTakenAgainAndAgainArePoison() throws IOException {
    run(
        6,
        second -> {
          LoadRequest get = LoadRequest.message("GetMessages", "work", 1);
          get.worn = second % 10 == 0 ? 1 : 0;
          message(get);
          message(LoadRequest.message("DeleteMessage", "work", 0));
        });
    only("poison");
  }

  @Test
  void aPoisonQueueThatIsEmptiedIsNone() throws IOException {
    run(
        10,
        second -> {
          if (second % 30 == 0) {
            message(LoadRequest.message("PutMessage", "work-poison", 0));
            message(LoadRequest.message("GetMessages", "work-poison", 1));
            message(LoadRequest.message("DeleteMessage", "work-poison", 0));
          }
        });
    assertThat(everOpened).isEmpty();
  }

  @Test
  void aThrottledAccountIsFound() throws IOException {
    targets = Targets.of(0, 100);
    doctor = doctor();
    run(
        5,
        second -> {
          for (int i = 0; i < 150; i++) {
            LoadRequest get = LoadRequest.get("Orders", "p" + random.nextInt(500), "r");
            if (i >= 100) {
              // The pipeline refuses it before anybody knows what it is about.
              get.resource = "";
              get.status = 503;
            }
            end(get);
          }
        });
    Diagnosis found = only("throttled");
    assertThat(found.symptom().level()).isEqualTo(Level.FAILING);
    assertThat(found.symptom().fact()).startsWith("33 % of the requests");
  }

  @Test
  void refusalsWithoutATargetAreNotThrottling() throws IOException {
    run(
        6,
        second -> {
          for (int i = 0; i < 150; i++) {
            end(
                LoadRequest.get("Orders", "p" + random.nextInt(500), "r")
                    .answered(i % 10 == 0 ? 503 : 200));
          }
        });
    assertThat(everOpened).isEmpty();
  }

  /** A balance and its journal must change together. */
  @Test
  void transactionsOfTwoEntitiesAreNormal() throws IOException {
    run(
        6,
        second -> {
          for (int i = 0; i < 40; i++) {
            end(LoadRequest.batch("Wallets", "p%03d".formatted(random.nextInt(500)), 2));
          }
        });
    assertThat(everOpened).isEmpty();
  }

  @Test
  void transactionsOfOneInsertAreSmallBatches() throws IOException {
    for (int i = 0; i < 500; i++) {
      store("Log", "p%03d".formatted(i));
    }
    run(
        5,
        second -> {
          for (int i = 0; i < 50; i++) {
            end(LoadRequest.batch("Log", "p%03d".formatted(random.nextInt(500)), 1));
          }
        });
    only("batches");
  }

  @Test
  void fullTransactionsAreFine() throws IOException {
    for (int i = 0; i < 500; i++) {
      store("Log", "p%03d".formatted(i));
    }
    run(
        6,
        second -> {
          for (int i = 0; i < 30; i++) {
            end(LoadRequest.batch("Log", "p%03d".formatted(random.nextInt(500)), 50));
          }
        });
    assertThat(everOpened).isEmpty();
  }

  @Test
  void burstsOfTenSecondsAreNotDiagnosed() throws IOException {
    for (int i = 0; i < 20; i++) {
      store("Events", hour(i));
    }
    run(
        30,
        second -> {
          if (second % 600 < 10) {
            for (int i = 0; i < 200; i++) {
              end(LoadRequest.insert("Events", hour(20), "r" + second + "-" + i));
              end(LoadRequest.get("Orders", "hot", "r" + i));
              end(LoadRequest.get("Settings", "all", "current"));
            }
            end(LoadRequest.query("Audit", "table scan", "Actor eq ?", "", 50_000, 1));
          }
        });
    assertThat(everOpened).isEmpty();
  }

  /** An hour of several healthy loads at once. The seed is that of {@link #random}. */
  @Test
  void anHourOfMixedLoadHasNoFalseAlarm() throws IOException {
    looks.put("work", new QueueLooks.Look(100, null, Instant.ofEpochSecond(BEGIN), null));
    for (int i = 0; i < 400; i++) {
      store("Log", "p%03d".formatted(i));
    }
    run(
        60,
        second -> {
          for (int i = 0; i < 40; i++) {
            millis += 20;
            end(LoadRequest.get("Orders", "p" + random.nextInt(1_000), "r" + random.nextInt(50)));
            end(
                LoadRequest.insert(
                    "Events" + second / 1_800,
                    "source%03d".formatted(random.nextInt(500)),
                    "%019d".formatted(Long.MAX_VALUE - second * 100L - i)));
          }
          for (int i = 0; i < 10; i++) {
            end(
                LoadRequest.query(
                    "Orders",
                    "range",
                    "PartitionKey eq ? and RowKey ge ?",
                    "p" + random.nextInt(1_000),
                    100,
                    100));
            end(LoadRequest.batch("Log", "p%03d".formatted(random.nextInt(400)), 50));
          }
          for (int i = 0; i < 20; i++) {
            end(LoadRequest.write("MergeEntity", "State", "d" + random.nextInt(300), "s"));
          }
          message(LoadRequest.message("PutMessage", "work", 0));
          if (second % 30 == 0) {
            message(LoadRequest.message("GetMessages", "work", 30));
            for (int i = 0; i < 30; i++) {
              message(LoadRequest.message("DeleteMessage", "work", 0));
            }
          }
          if (second % 300 == 0) {
            end(LoadRequest.query("Reports", "table scan", "", "", 1_000, 1_000));
          }
          if (second == 1_000) {
            message(LoadRequest.message("PutMessage", "work-poison", 0));
          }
          if (second > 2_000 && second < 2_010) {
            for (int i = 0; i < 100; i++) {
              end(LoadRequest.get("Orders", "p1", "r1"));
            }
          }
        });
    assertThat(everOpened).isEmpty();
  }

  @Test
  void aDiagnosisEndsAQuarterOfAnHourAfterItsLoad() throws IOException {
    run(
        25,
        second -> {
          boolean bad = second < 300;
          for (int i = 0; i < 100; i++) {
            String partition = bad ? "hot" : "p" + random.nextInt(200);
            end(LoadRequest.get("Orders", i < 10 ? "p" + i : partition, "r" + i));
          }
          if (second == 15 * 60) {
            assertThat(doctor.diagnoses("acme").get(0).isOpen()).isTrue();
          }
        });
    assertThat(doctor.diagnoses("acme").get(0).isOpen()).isFalse();
    assertThat(doctor.diagnoses("other")).isEmpty();
  }

  @Test
  void aSilenceEndsIfTheFigureDoubles() throws IOException {
    int[] rate = {100};
    Load hot =
        second -> {
          for (int i = 0; i < rate[0]; i++) {
            end(LoadRequest.get("Orders", i < 10 ? "p" + i : "hot", "r" + i));
          }
        };
    run(5, hot);
    String id = only("hot.partition").id();
    Instant until = Instant.ofEpochSecond(BEGIN).plus(Duration.ofDays(7));
    assertThat(doctor.silence("no such", until)).isNull();
    assertThat(doctor.silence(id, until)).isNotNull();
    assertThat(doctor.diagnoses("acme").get(0).silencedUntil()).isEqualTo(until);
    run(5, hot);
    assertThat(doctor.diagnoses("acme").get(0).silencedUntil()).isEqualTo(until);
    rate[0] = 300;
    run(5, hot);
    assertThat(doctor.diagnoses("acme").get(0).silencedUntil()).isNull();
  }

  @Test
  void diagnosesSurviveARestart() throws IOException {
    run(
        5,
        second -> {
          for (int i = 0; i < 100; i++) {
            end(LoadRequest.get("Orders", i < 10 ? "p" + i : "hot", "r" + i));
          }
        });
    List<Diagnosis> before = doctor.diagnoses("");
    Doctor other = doctor();
    other.restore(DiagnosisCodec.decode(DiagnosisCodec.encode(before)));
    assertThat(other.diagnoses("")).isEqualTo(before);
  }
}
