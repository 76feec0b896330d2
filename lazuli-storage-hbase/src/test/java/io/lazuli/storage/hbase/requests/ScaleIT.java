package io.lazuli.storage.hbase.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lazuli.cluster.ProcessorQuota;
import io.lazuli.cluster.simulation.Prediction;
import io.lazuli.storage.hbase.requests.ScaleCluster.Quotas;
import io.lazuli.storage.hbase.requests.SpreadTable.Mix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Measures what requests cost with one region server, lets the model of {@code lazuli-cluster}
 * compute from these costs the rates with one, two and three region servers, and compares them with
 * the rates of other turns of the same run. Prints all turns, the costs, and a table. Region
 * servers have a small quota, so that they are the bottleneck on a machine of two cores.
 */
@Tag("long")
final class ScaleIT {
  private static final int ROUNDS = Integer.getInteger("scale.rounds", 5);
  private static final int WARM_UP = Integer.getInteger("scale.warm-up", 4);
  private static final int CLIENTS = Integer.getInteger("scale.clients", 32);

  /** What issue 27 asks for. */
  private static final double ERROR_MAX = 0.25;

  private static final Duration QUOTA =
      Duration.ofNanos(1_000L * Integer.getInteger("scale.quota-micros", 3_000));
  private static final Quotas REGION_SERVERS = new Quotas(QUOTA, Duration.ZERO);
  private static final Quotas LAZULI = new Quotas(Duration.ZERO, QUOTA);

  private static final Mix GET = new Mix(1, 0, 0, 0, 0);
  private static final Mix INSERT = new Mix(0, 1, 0, 0, 0);
  private static final Mix QUERY = new Mix(0, 0, 1, 0, 0);
  private static final Mix BATCH = new Mix(0, 0, 0, 1, 0);
  private static final Mix MIX = new Mix(0.7, 0.2, 0.1, 0, 0);
  private static final Mix HOT = new Mix(1, 0, 0, 0, 0.5);

  /** Requests that are predicted, and what is bounded. */
  private record Comparison(String name, Mix mix, Quotas quotas) {}

  private static final List<Comparison> COMPARISONS =
      List.of(
          new Comparison("point GETs", GET, REGION_SERVERS),
          new Comparison("70 % GETs, 20 % inserts, 10 % queries", MIX, REGION_SERVERS),
          new Comparison("point GETs, half of them of one partition", HOT, REGION_SERVERS),
          new Comparison("queries of 20 entities", QUERY, REGION_SERVERS),
          new Comparison("point GETs, the Lazuli server has the quota", GET, LAZULI));

  @Test
  void theModelPredictsTheRates() throws IOException {
    String obstacle = ProcessorQuota.obstacle();
    assumeTrue(obstacle.isEmpty(), obstacle);
    List<MeasuredTurn> turns = new ArrayList<>();
    try (ScaleCluster cluster = new ScaleCluster()) {
      warmUp(cluster);
      for (int round = 0; round < ROUNDS; round++) {
        cluster.flush();
        calibrate(cluster, turns);
        for (int servers = 1; servers <= ScaleCluster.SERVERS; servers++) {
          for (Comparison each : COMPARISONS) {
            add(turns, cluster.turn(each.name, each.mix, servers, CLIENTS, each.quotas));
          }
        }
      }
    }
    Properties costs = new Calibration(turns).costs(GET, INSERT, QUERY, BATCH);
    store(costs);
    double largest = 0;
    for (Comparison each : COMPARISONS) {
      for (int servers = 1; servers <= ScaleCluster.SERVERS; servers++) {
        largest = Math.max(largest, compare(turns, costs, each, servers));
      }
    }
    assertThat(largest).isLessThanOrEqualTo(ERROR_MAX);
  }

  /** Repeats the work until the quick compilers of all processes have compiled it. */
  private static void warmUp(ScaleCluster cluster) throws IOException {
    int all = ScaleCluster.SERVERS;
    for (int turn = 0; turn < WARM_UP; turn++) {
      for (Mix mix : List.of(GET, new Mix(0.5, 0.2, 0.2, 0.1, 0))) {
        System.out.println(cluster.turn("warm-up", mix, all, CLIENTS, Quotas.NONE));
      }
      System.out.println(cluster.turn("warm-up", MIX, all, 4, Quotas.NONE));
      System.out.println(cluster.queueTurn("warm-up", 8, Quotas.NONE));
    }
  }

  /** Measures with one region server. These turns give the costs, and nothing else. */
  private static void calibrate(ScaleCluster cluster, List<MeasuredTurn> turns) throws IOException {
    add(turns, cluster.turn(Calibration.IDLE, GET, 1, 0, REGION_SERVERS));
    for (Mix mix : List.of(GET, INSERT, QUERY, BATCH)) {
      for (int clients : new int[] {4, 12, 48}) {
        add(turns, cluster.turn(Calibration.UNDER_LOAD, mix, 1, clients, REGION_SERVERS));
      }
    }
    for (Mix mix : List.of(GET, INSERT)) {
      add(turns, cluster.turn(Calibration.ALONE, mix, 1, 1, Quotas.NONE));
    }
    for (int clients : new int[] {4, 12}) {
      add(turns, cluster.queueTurn(Calibration.UNDER_LOAD, clients, REGION_SERVERS));
    }
  }

  private static void add(List<MeasuredTurn> turns, MeasuredTurn turn) {
    System.out.println(turn);
    turns.add(turn);
  }

  private static void store(Properties costs) throws IOException {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(costs).forEach((key, value) -> text.append(key + "=" + value + "\n"));
    System.out.println(text);
    Files.writeString(Path.of("target/costs.properties"), text);
  }

  /** Prints the predicted and the measured rate, and returns the relative difference. */
  private static double compare(
      List<MeasuredTurn> turns, Properties costs, Comparison comparison, int servers) {
    List<MeasuredTurn> same =
        turns.stream()
            .filter(turn -> turn.name().equals(comparison.name) && turn.servers() == servers)
            .toList();
    Mix mix = comparison.mix;
    Prediction predicted =
        Prediction.of(
            costs,
            new Prediction.Cluster(
                servers,
                CLIENTS,
                ScaleCluster.PERIOD,
                comparison.quotas.regionServer(),
                comparison.quotas.lazuli()),
            new Prediction.Mix(mix.gets(), mix.inserts(), mix.queries(), mix.batches(), mix.hot()));
    double measured = MeasuredTurn.median(same, MeasuredTurn::rate);
    System.out.printf(
        Locale.ROOT,
        "| %s | %d | %.0f | %.0f (%.0f to %.0f) | %.2f | %.2f, %.2f | %.1f, %.1f | %s | %.0f |%n",
        comparison.name,
        servers,
        predicted.rate(),
        measured,
        same.stream().mapToDouble(MeasuredTurn::rate).min().orElse(0),
        same.stream().mapToDouble(MeasuredTurn::rate).max().orElse(0),
        predicted.rate() / measured,
        predicted.callsPerRequest(),
        MeasuredTurn.median(same, turn -> turn.sum("calls") / turn.rate()),
        predicted.p50Millis(),
        MeasuredTurn.median(same, turn -> turn.figure("p50")),
        predicted.busiest(),
        MeasuredTurn.median(same, turn -> turn.figure("load")));
    return Math.abs(predicted.rate() / measured - 1);
  }
}
