package io.lazuli.server.load.count;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.event.RequestListener;
import io.lazuli.server.load.LoadRequest;
import io.lazuli.server.load.count.Generation.Counted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecorderTest {
  private final Recorder recorder = new Recorder(() -> 0);
  private final RequestListener tables = recorder.of("table");

  private List<Counted> counted() {
    return recorder.replace(new Generation(List.of())).counted();
  }

  private Counted only() {
    List<Counted> all = counted();
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  @Test
  void aPointReadIsCounted() {
    LoadRequest.get("Events", "p", "r").end(tables);
    Counted found = only();
    assertThat(found.ranges().name()).isEqualTo(new SpaceName("acme", "table", "Events"));
    assertThat(found.counts()[Tally.of(OperationClass.READ)]).isEqualTo(1);
    assertThat(found.counts()[Tally.MICROS]).isEqualTo(200);
    assertThat(found.byRange()).isDeepEqualTo(new long[][] {{1, 0, 1, 0, 500, 0, 0, 0}});
  }

  @Test
  void aTransactionIsCounted() {
    LoadRequest.batch("Events", "p", 50).end(tables);
    Counted found = only();
    assertThat(found.counts()[Tally.of(OperationClass.BATCH)]).isEqualTo(1);
    assertThat(found.counts()[Tally.BATCH_OPERATIONS]).isEqualTo(50);
    assertThat(found.counts()[Tally.INSERTS]).isEqualTo(50);
    assertThat(found.byRange()).isDeepEqualTo(new long[][] {{0, 1, 0, 50, 500, 300, 0, 0}});
  }

  @Test
  void aScanIsCountedWhereItBegins() {
    Generation unused =
        recorder.replace(
            new Generation(
                List.of(
                    new Generation.Start(
                        new SpaceName("acme", "table", "Events"), List.of("", "m", "t")))));
    LoadRequest.query("Events", "table scan", "A eq ?", "", 900, 3).end(tables);
    LoadRequest.query("Events", "partition scan", "A eq ?", "n", 90, 3).end(tables);
    LoadRequest.get("Events", "m", "r").end(tables);
    LoadRequest.get("Events", "lzzz", "r").end(tables);
    LoadRequest.get("Events", "z", "r").end(tables);
    Counted found = only();
    assertThat(found.counts()[Tally.SCAN_RUNS]).isEqualTo(2);
    assertThat(found.counts()[Tally.SCAN_READ]).isEqualTo(990);
    assertThat(found.byRange()[0][Tally.READS]).isEqualTo(2);
    assertThat(found.byRange()[1][Tally.READS]).isEqualTo(2);
    assertThat(found.byRange()[2][Tally.READS]).isEqualTo(1);
    assertThat(found.byRange()[0][Tally.SCANS]).isEqualTo(1);
    assertThat(found.byRange()[1][Tally.SCANS]).isEqualTo(1);
  }

  @Test
  void namesOfTablesAreComparedWithoutRegardToCase() {
    LoadRequest.get("Events", "p", "r").end(tables);
    LoadRequest.get("events", "p", "r").end(tables);
    assertThat(only().counts()[Tally.of(OperationClass.READ)]).isEqualTo(2);
  }

  @Test
  void aTableThatDoesNotExistTakesNoPlace() {
    for (int i = 0; i < 10_000; i++) {
      LoadRequest.get("Missing" + i, "p", "r").answered(404).end(tables);
    }
    LoadRequest.get("Events", "p", "r").end(tables);
    assertThat(counted())
        .extracting(one -> one.ranges().name().name())
        .containsExactlyInAnyOrder("", "Events");
  }

  @Test
  void tablesBeyondTheBoundShareAPlace() {
    for (int i = 0; i < 2_000; i++) {
      LoadRequest.get("Table" + i, "p", "r").end(tables);
    }
    List<Counted> all = counted();
    assertThat(all).hasSize(Generation.SPACES_MAX + 1);
    assertThat(all.stream().mapToLong(one -> one.counts()[Tally.of(OperationClass.READ)]).sum())
        .isEqualTo(2_000);
  }

  @Test
  void accountsBeyondTheBoundShareAPlace() {
    for (int i = 0; i < 500; i++) {
      LoadRequest request = LoadRequest.get("", "", "").answered(503);
      request.account = "account" + i;
      request.end(tables);
    }
    List<Counted> all = counted();
    assertThat(all).hasSize(Generation.RESTS_MAX);
    assertThat(all.stream().mapToLong(one -> one.counts()[Tally.BUSY]).sum()).isEqualTo(500);
  }

  @Test
  void threadsLoseNoCount() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 40; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 2_000; i++) {
                  LoadRequest.get("Events", "p" + i % 7, "r").end(tables);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(only().counts()[Tally.of(OperationClass.READ)]).isEqualTo(80_000);
  }

  @Test
  void samplesAreBoundedAndStandForAll() {
    int weight = 0;
    for (int second = 0; second < 20; second++) {
      for (int i = 0; i < 20_000; i++) {
        LoadRequest.get("Events", "p", "r").end(tables);
      }
      List<Sample> samples = recorder.samples();
      assertThat(samples).hasSizeLessThanOrEqualTo(Recorder.SAMPLES_MAX);
      if (second > 0) {
        weight += samples.stream().mapToInt(Sample::weight).sum();
      }
    }
    assertThat(weight).isBetween(19 * 19_000, 19 * 21_000);
  }

  /** Compares with a model that counts each key alone; the seed is fixed. */
  @Test
  void rangesAdaptAndCountsStayRight() {
    Random random = new Random(11);
    Splits splits = new Splits(random);
    for (int minute = 0; minute < 30; minute++) {
      Map<String, Long> model = new HashMap<>();
      for (int i = 0; i < 3_000; i++) {
        String key = "key%04d".formatted((int) Math.abs(random.nextGaussian() * 300));
        model.merge(key, 1L, Long::sum);
        LoadRequest.get("Events", key, "r").end(tables);
        if (i % 1_000 == 999) {
          splits.add(recorder.samples());
        }
      }
      Generation last = recorder.replace(new Generation(splits.next(minute % 5 == 0)));
      Counted found = last.counted().get(0);
      List<String> bounds = found.ranges().bounds();
      for (int i = 0; i < bounds.size(); i++) {
        String from = bounds.get(i);
        String to = i + 1 < bounds.size() ? bounds.get(i + 1) : "\uffff";
        long expected =
            model.entrySet().stream()
                .filter(e -> e.getKey().compareTo(from) >= 0 && e.getKey().compareTo(to) < 0)
                .mapToLong(Map.Entry::getValue)
                .sum();
        assertThat(found.byRange()[i][Tally.READS]).isEqualTo(expected);
      }
      splits.count(last.counted());
      if (minute == 29) {
        assertThat(bounds).hasSizeBetween(16, Splits.SPACE_RANGES_MAX);
      }
    }
  }

  @Test
  void anIdleTableGetsItsRangesMerged() {
    Splits splits = new Splits(new Random(1));
    List<String> bounds = new ArrayList<>(List.of(""));
    for (int i = 0; i < 100; i++) {
      bounds.add("k%03d".formatted(i));
    }
    SpaceName name = new SpaceName("acme", "table", "Events");
    Generation unused =
        recorder.replace(new Generation(List.of(new Generation.Start(name, bounds))));
    for (int i = 0; i < 5_000; i++) {
      LoadRequest.get("Events", "k050", "r").end(tables);
    }
    splits.add(recorder.samples());
    splits.count(recorder.replace(new Generation(List.of())).counted());
    List<Generation.Start> next = splits.next(true);
    assertThat(next).hasSize(1);
    assertThat(next.get(0).bounds()).containsExactly("", "k050", "k051");
  }

  @Test
  void aBoundIsTheShortestTextThatDivides() {
    assertThat(Splits.shortest("abc", "abd9999")).isEqualTo("abd");
    assertThat(Splits.shortest("abc", "abcd")).isEqualTo("abcd");
    assertThat(Splits.shortest("", "x".repeat(500))).isEqualTo("x");
  }
}
