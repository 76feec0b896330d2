package io.lazuli.conformance.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.ClusterSpec;
import io.lazuli.cluster.LazuliJars;
import io.lazuli.cluster.LazuliNode;
import io.lazuli.cluster.LazuliPorts;
import io.lazuli.storage.history.Crowd.Result;
import io.lazuli.storage.history.http.HistoryRun;
import io.lazuli.storage.history.http.HistoryRun.Crowds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The servers of a cluster are replaced one after another, by a version that knows the next data
 * format and back, while clients of all services work. The format rises once every server that
 * lives can read it, and servers that cannot are kept out, also one that slept through it.
 */
@Tag("long")
class RollingUpgradeIT {
  private static final int SECONDS = 4;
  private static final int LEASE_SECONDS = 20;
  private static final int OLD = 2;
  private static final int NEXT = 3;
  private static final Duration STEP_MAX = Duration.ofMinutes(10);

  /** The operations that are checked between two steps. */
  private static final long OPERATIONS = Long.getLong("upgrade.operations", 4_000);

  private final HttpClient http = HttpClient.newHttpClient();
  @TempDir private Path folder;
  private FaultyCluster cluster;
  private Crowds crowds;

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void nothingIsWrongWhileServersAreReplaced() throws IOException, InterruptedException {
    LazuliJars next = NextVersion.make(FaultyCluster.jars(), folder);
    long seed = HistoryRun.seedOf("history.seed");
    try (FaultyCluster started = new FaultyCluster(ClusterSpec.of(2), this::shortLeases)) {
      cluster = started;
      LazuliNode sleeper =
          cluster.cluster().addLazuli(FaultyCluster.jars(), "hbase", LazuliPorts.free());
      sleeper.connectionString();
      crowds = cluster.run("upgrade", seed).start(Long.MAX_VALUE / 8, SECONDS);
      work("two servers of this version");
      replace(0, next, true);
      work("one of the next version");
      replace(0, FaultyCluster.jars(), true);
      work("back to this version");
      replace(1, next, false);
      work("the other one of the next version");
      assertThat(format(cluster.servers().get(1))).as("while an old server lives").isEqualTo(OLD);
      sleeper.process().pause();
      replace(0, next, false);
      assertThat(format(cluster.servers().get(0))).as("old servers may live").isEqualTo(OLD);
      awaitNextFormat();
      work("both of the next version, and the next format");
      sleeper.process().resume();
      assertKeptOut(sleeper);
      assertAnOldServerDoesNotStart();
      work("the next format goes on");
      Result result = crowds.stop();
      System.out.printf("rolling upgrade: %s, seed %d%n", result, seed);
      HistoryRun.assertNothingWrong(result);
    }
  }

  /** The format rises when the leases of killed servers have ended, which takes minutes else. */
  private void shortLeases(Path clientConfig) {
    try {
      Files.writeString(
          clientConfig,
          Files.readString(clientConfig)
              .replace(
                  "</configuration>",
                  "<property><name>lazuli.format.lease.seconds</name><value>"
                      + LEASE_SECONDS
                      + "</value></property></configuration>"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until more operations were checked. A check comes only after hundreds of calls. */
  private void work(String phase) throws InterruptedException {
    long begin = crowds.operations();
    Awaitility.await()
        .atMost(STEP_MAX)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> crowds.operations() >= begin + OPERATIONS || crowds.isBroken());
    if (crowds.isBroken()) {
      System.out.println("the clients have stopped: " + phase);
      HistoryRun.assertNothingWrong(crowds.stop());
    }
    System.out.printf("%d operations: %s%n", crowds.operations(), phase);
  }

  private void replace(int number, LazuliJars jars, boolean orderly) {
    cluster.replace(number, jars, orderly);
  }

  private void awaitNextFormat() {
    Awaitility.await()
        .atMost(STEP_MAX)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> cluster.servers().stream().allMatch(server -> format(server) == NEXT));
  }

  /** The server has slept since before the format rose, and answers nothing from the store. */
  private void assertKeptOut(LazuliNode sleeper) {
    for (int i = 0; i < 20; i++) {
      assertThat(cluster.serves(sleeper)).isFalse();
    }
    HttpResponse<String> health = get(sleeper, "/health");
    assertThat(health.statusCode()).isEqualTo(503);
    assertThat(health.body()).contains("data format " + NEXT);
  }

  private void assertAnOldServerDoesNotStart() {
    LazuliNode old = cluster.cluster().addLazuli(FaultyCluster.jars(), "hbase", LazuliPorts.free());
    assertThat(old.process().awaitExit(STEP_MAX)).hasValue(1);
    assertThat(old.process().log())
        .content()
        .containsPattern(
            "(?m)^lazuli: the store in the namespace lazuli has data format 3, but this server"
                + " reads data formats up to 2: .*$");
  }

  private int format(LazuliNode server) {
    return get(server, "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("lazuli_data_format "))
        .map(line -> (int) Double.parseDouble(line.substring(line.indexOf(' '))))
        .findFirst()
        .orElseThrow();
  }

  private HttpResponse<String> get(LazuliNode server, String path) {
    URI uri = URI.create(server.adminEndpoint() + path);
    try {
      return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
