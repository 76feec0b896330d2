package io.lazuli.storage.hbase.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Counts the calls that region servers receive for a request, from their own metrics. The calls
 * that they receive without requests are subtracted. Prints the figures. The bound detects a
 * request that makes many calls.
 */
@Tag("long")
final class CallsPerRequestIT {
  private static final Duration TURN = Duration.ofSeconds(6);
  private static final Duration IDLE = Duration.ofSeconds(10);

  /** Region servers report their metrics every second. */
  private static final Duration REPORTED = Duration.ofMillis(2_500);

  private static final int QUEUES = 8;
  private static final double CALLS_PER_GET_MAX = 3;

  @Test
  void callsOfRequests() throws IOException {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(3));
        Placement placement = new Placement(cluster)) {
      TestAccount account = TestAccount.development(PackedServers.start(cluster, 1).get(0));
      Samples samples = new Samples(account, "calls", 200, QUEUES);
      samples.store();
      double idle = callsPerSecond(placement, () -> PacedClients.pass(IDLE));
      System.out.printf(Locale.ROOT, "calls without requests: %.1f/s%n", idle);
      for (Kind kind : Kind.values()) {
        boolean isPoint = kind == Kind.POINT_GET || kind == Kind.INSERT;
        for (int connections : isPoint ? new int[] {1, 8, 64} : new int[] {1, 8}) {
          double calls = measure(placement, samples, kind, connections, idle);
          assertThat(kind != Kind.POINT_GET || calls < CALLS_PER_GET_MAX).isTrue();
        }
      }
    }
  }

  /** Prints and returns the number of calls for each request. */
  private static double measure(
      Placement placement, Samples samples, Kind kind, int connections, double idle) {
    // The first requests look up regions and read what is cached later.
    turn(samples, kind, connections, Duration.ofSeconds(2));
    long[] served = new long[1];
    long begin = System.nanoTime();
    double perSecond =
        callsPerSecond(placement, () -> served[0] = turn(samples, kind, connections, TURN));
    double seconds = (System.nanoTime() - begin) / 1e9;
    double calls = (perSecond - idle) * seconds / served[0];
    System.out.printf(
        Locale.ROOT,
        "%s, %d connections: %.2f calls for each of %d requests (%.0f/s)%n",
        kind.text,
        connections,
        calls,
        served[0],
        served[0] * 1e9 / TURN.toNanos());
    return calls;
  }

  private static long turn(Samples samples, Kind kind, int connections, Duration length) {
    PacedClients clients =
        new PacedClients(
            kind.text, connections, Duration.ZERO, number -> samples.client(kind, number));
    PacedClients.pass(length);
    clients.close();
    Map<Outcome, Long> outcomes = PacedClients.outcomes(clients.done());
    assertThat(outcomes.get(Outcome.BROKEN)).isZero();
    return clients.done().size();
  }

  /** Returns the calls per second that all region servers receive during some work. */
  private static double callsPerSecond(Placement placement, Runnable work) {
    long begin = System.nanoTime();
    long before = sum(placement.calls());
    work.run();
    PacedClients.pass(REPORTED);
    long after = sum(placement.calls());
    return (after - before) * 1e9 / (System.nanoTime() - begin);
  }

  private static long sum(Map<ServerName, Long> calls) {
    return calls.values().stream().mapToLong(Long::longValue).sum();
  }
}
