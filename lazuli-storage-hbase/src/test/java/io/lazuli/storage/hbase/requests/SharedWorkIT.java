package io.lazuli.storage.hbase.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.cluster.LazuliNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two packed servers share the background work of one store that nobody uses: each walk runs once,
 * the work of a killed server is taken over, and a restart begins no round before its time. Prints
 * the calls that the region server receives. {@code -Dlazuli.jar} names the jar of another version;
 * of one without shared work, only the calls are printed.
 */
@Tag("long")
final class SharedWorkIT {
  private static final int QUEUES = 200;
  private static final int BLOBS = 1_000;
  private static final Duration SETTLED = Duration.ofSeconds(100);
  private static final Duration WINDOW = Duration.ofMinutes(2);

  /** Region servers report their metrics every second. */
  private static final Duration REPORTED = Duration.ofMillis(2_500);

  private static final Duration TAKEN_OVER_MAX = Duration.ofSeconds(30);
  private static final Pattern SHARDS =
      Pattern.compile("(?m)^lazuli_work_shards\\{walk=\"([a-z]+)\"} ([0-9.]+)$");
  private static final Map<String, Integer> ALL =
      Map.of(
          "analytics",
          4,
          "chunks",
          1,
          "containers",
          4,
          "copies",
          4,
          "load",
          1,
          "logs",
          1,
          "queues",
          4);

  @Test
  void serversShareTheWorkOfAnIdleStore() throws IOException {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(1));
        Placement placement = new Placement(cluster)) {
      LazuliNode first = PackedServers.start(cluster, 1).get(0);
      store(TestAccount.development(first));
      // Versions before those that share work are measured with this option, for a comparison.
      boolean shares = !Boolean.getBoolean("work.before");
      assertThat(shards(first).isEmpty()).isNotEqualTo(shares);
      PacedClients.pass(SETTLED);
      double one = callsPerMinute(placement, "one server");
      LazuliNode second = PackedServers.start(cluster, 1).get(0);
      if (shares) {
        awaitFairShares(first, second);
        requireNoRound(second);
      }
      double two = callsPerMinute(placement, "two servers, from the start of the second one");
      double settled = callsPerMinute(placement, "two servers");
      kill(first, second, shares);
      second.process().kill();
      first.process().restart();
      String unused = first.connectionString();
      double restarted = callsPerMinute(placement, "one server, from its start");
      System.out.printf(
          Locale.ROOT,
          "ratios to one server: %.2f, %.2f, %.2f%n",
          two / one,
          settled / one,
          restarted / one);
      if (shares) {
        requireNoRound(first);
        // A second server beats, and adds no walk.
        assertThat(settled).isLessThan(1.5 * one);
      }
    }
  }

  private static void store(TestAccount account) throws IOException {
    try (SignedConnection queues = account.connect(Service.QUEUE);
        SignedConnection blobs = account.connect(Service.BLOB)) {
      for (int i = 0; i < QUEUES; i++) {
        assertThat(queues.send("PUT", "/idle-" + i, "").status()).isEqualTo(201);
      }
      assertThat(blobs.send("PUT", "/idle?restype=container", "").status()).isEqualTo(201);
      Map<String, String> block = Map.of("x-ms-blob-type", "BlockBlob");
      for (int i = 0; i < BLOBS; i++) {
        assertThat(blobs.send("PUT", "/idle/blob" + i, block, new byte[100]).status())
            .isEqualTo(201);
      }
    }
  }

  private static void awaitFairShares(LazuliNode first, LazuliNode second) {
    Awaitility.await()
        .atMost(TAKEN_OVER_MAX)
        .untilAsserted(
            () -> {
              Map<String, Integer> of = shards(first);
              Map<String, Integer> other = shards(second);
              ALL.forEach(
                  (walk, shards) -> {
                    int here = of.getOrDefault(walk, 0);
                    int there = other.getOrDefault(walk, 0);
                    assertThat(here + there).as(walk).isEqualTo(shards);
                    assertThat(Math.abs(here - there)).as(walk).isLessThanOrEqualTo(1);
                  });
            });
  }

  private static void kill(LazuliNode first, LazuliNode second, boolean shares) {
    long killed = System.nanoTime();
    first.process().kill();
    if (!shares) {
      return;
    }
    Awaitility.await()
        .atMost(TAKEN_OVER_MAX)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> shards(second).equals(ALL));
    double seconds = (System.nanoTime() - killed) / 1e9;
    System.out.printf(Locale.ROOT, "taken over %.1f s after the kill%n", seconds);
    assertThat(value(second, "lazuli_work_taken_over_total")).isPositive();
  }

  /** The walks over containers and chunks are hourly; the first server has done them. */
  private static void requireNoRound(LazuliNode server) {
    for (String walk : List.of("containers", "chunks")) {
      assertThat(value(server, "lazuli_work_rounds_total{walk=\"%s\"}".formatted(walk)))
          .as(walk)
          .isZero();
    }
  }

  /** Returns the shards of each walk that a server does. */
  private static Map<String, Integer> shards(LazuliNode server) {
    Map<String, Integer> shards = new TreeMap<>();
    Matcher lines = SHARDS.matcher(metrics(server));
    while (lines.find()) {
      shards.put(lines.group(1), (int) Double.parseDouble(lines.group(2)));
    }
    return shards;
  }

  private static double value(LazuliNode server, String metric) {
    return metrics(server)
        .lines()
        .filter(line -> line.startsWith(metric + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(metric.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  private static String metrics(LazuliNode server) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(server.adminEndpoint().resolve("/metrics")).build();
      return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /**
   * Returns and prints the calls that the region server receives while nobody asks for anything.
   */
  private static double callsPerMinute(Placement placement, String what) {
    PacedClients.pass(REPORTED);
    long begin = System.nanoTime();
    long before = calls(placement);
    PacedClients.pass(WINDOW);
    long after = calls(placement);
    double perMinute = (after - before) * 60e9 / (System.nanoTime() - begin);
    System.out.printf(Locale.ROOT, "%s: %.0f calls per minute%n", what, perMinute);
    return perMinute;
  }

  private static long calls(Placement placement) {
    return placement.calls().values().stream().mapToLong(Long::longValue).sum();
  }
}
