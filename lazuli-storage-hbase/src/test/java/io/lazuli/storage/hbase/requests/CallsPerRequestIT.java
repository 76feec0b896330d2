package io.lazuli.storage.hbase.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Counts the calls that region servers receive for a request, from their own metrics. The calls
 * that they receive without requests are subtracted. Prints the figures. A point GET is one call.
 */
@Tag("long")
final class CallsPerRequestIT {
  private static final Duration TURN = Duration.ofSeconds(6);
  private static final Duration IDLE = Duration.ofSeconds(10);

  /** Region servers report their metrics every second. */
  private static final Duration REPORTED = Duration.ofMillis(2_500);

  private static final int QUEUES = 8;

  /** One, and renewals of leases, and the variation of the calls without requests. */
  private static final double CALLS_PER_GET_MAX = 1.25;

  @Test
  void callsOfRequests() throws IOException {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(3));
        Placement placement = new Placement(cluster)) {
      // The default. Other tests have shorter leases, with more renewals.
      PackedServers.set(cluster, "lazuli.lease.millis", "1000");
      TestAccount account = TestAccount.development(PackedServers.start(cluster, 1).get(0));
      Samples samples = new Samples(account, "calls", 200, QUEUES);
      samples.store();
      double idle = count(placement, () -> PacedClients.pass(IDLE)).perSecond();
      System.out.printf(Locale.ROOT, "calls without requests: %.1f/s%n", idle);
      for (Kind kind : Kind.values()) {
        boolean isPoint = kind == Kind.POINT_GET || kind == Kind.INSERT;
        for (int connections : isPoint ? new int[] {1, 8, 64} : new int[] {1, 8}) {
          double calls =
              measure(
                  placement, kind.text, connections, idle, number -> samples.client(kind, number));
          assertThat(kind != Kind.POINT_GET || calls < CALLS_PER_GET_MAX).isTrue();
        }
      }
      samples.storePolicy();
      for (int connections : new int[] {1, 8, 64}) {
        String text = Kind.POINT_GET.text + " with a stored policy";
        assertThat(measure(placement, text, connections, idle, number -> samples.grantedClient()))
            .isLessThan(CALLS_PER_GET_MAX);
      }
    }
  }

  /** Prints and returns the number of calls for each request. */
  private static double measure(
      Placement placement,
      String kind,
      int connections,
      double idle,
      IntFunction<Samples.Client> client) {
    // The first requests look up regions and read what is cached later.
    turn(kind, connections, Duration.ofSeconds(2), client);
    long[] served = new long[1];
    Calls all = count(placement, () -> served[0] = turn(kind, connections, TURN, client));
    double calls = (all.count - idle * all.seconds) / served[0];
    System.out.printf(
        Locale.ROOT,
        "%s, %d connections: %.2f calls for each of %d requests (%.0f/s)%n",
        kind,
        connections,
        calls,
        served[0],
        served[0] * 1e9 / TURN.toNanos());
    return calls;
  }

  private static long turn(
      String kind, int connections, Duration length, IntFunction<Samples.Client> client) {
    PacedClients clients = new PacedClients(kind, connections, Duration.ZERO, client);
    PacedClients.pass(length);
    clients.close();
    Map<Outcome, Long> outcomes = PacedClients.outcomes(clients.done());
    assertThat(outcomes.get(Outcome.BROKEN)).isZero();
    return clients.done().size();
  }

  private record Calls(long count, double seconds) {
    double perSecond() {
      return count / seconds;
    }
  }

  /** Returns the calls that all region servers receive during some work. */
  private static Calls count(Placement placement, Runnable work) {
    // The metrics must show everything that came before.
    PacedClients.pass(REPORTED);
    long begin = System.nanoTime();
    long before = sum(placement.calls());
    work.run();
    PacedClients.pass(REPORTED);
    long after = sum(placement.calls());
    return new Calls(after - before, (System.nanoTime() - begin) / 1e9);
  }

  private static long sum(Map<ServerName, Long> calls) {
    return calls.values().stream().mapToLong(Long::longValue).sum();
  }
}
