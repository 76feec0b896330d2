package io.lazuli.storage.hbase.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.storage.hbase.requests.PacedClients.Done;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.Function;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A region server pauses while many clients request its partitions. Requests for partitions of
 * other region servers must not wait for it. Prints the rate of these requests during the pauses,
 * relative to their rate in the two seconds before each pause. The bound detects a collapse; it
 * does not judge a machine.
 *
 * <p>On two cores, clients that wait for a paused server leave processor time to the others. All
 * clients together are therefore limited to a third of the rate that the machine has just shown. At
 * the beginning of a pause, each client of the paused server sends a request, so that all of them
 * wait for it.
 */
@Tag("long")
final class PausedServerIT {
  private static final int ON_PAUSED = 24;
  private static final int ON_HEALTHY = 8;
  private static final int ROUNDS = Integer.getInteger("pause.rounds", 8);
  private static final int POINTS = 40;

  /** The divisor of the full rate for each of the two groups of clients. */
  private static final int SHARE_OF_FULL_RATE = 6;

  private static final Duration WARM_UP = Duration.ofSeconds(8);
  private static final Duration FULL_RATE_TIME = Duration.ofSeconds(5);
  private static final Duration BEFORE = Duration.ofSeconds(2);
  private static final Duration REST = Duration.ofMillis(700);
  private static final Duration RECOVERY_MAX = Duration.ofMinutes(2);
  private static final List<Duration> PAUSES =
      List.of(Duration.ofSeconds(1), Duration.ofMillis(300));

  /** The figures of one pause. */
  private record Pause(Duration length, double before, double during) {
    double ratio() {
      return during / before;
    }
  }

  @Test
  void requestsForHealthyServersGoOn() throws IOException {
    try (Cluster cluster = Cluster.start(PackedServers.spec(3));
        Placement placement = new Placement(cluster)) {
      TestAccount account = TestAccount.development(PackedServers.start(cluster, 1).get(0));
      Samples healthy = new Samples(account, "healthy", POINTS, ON_HEALTHY);
      Samples paused = new Samples(account, "paused", POINTS, ON_PAUSED);
      healthy.store();
      Map<TableName, SortedSet<byte[]>> others = placement.rows();
      paused.store();
      Map<TableName, SortedSet<byte[]>> all = placement.rows();
      ServerName victim = victim(placement);
      Function<byte[], ServerName> owner = owner(placement, victim, others);
      placement.split(all, owner);
      placement.move(all, owner);
      Map<TableName, SortedSet<byte[]>> own = Placement.without(all, others);
      placement.clear(victim, own, placement.serverOfMeta());
      placement.require(own, key -> victim);
      ClusterProcess process = Placement.process(cluster, victim);
      List<Double> medians = new ArrayList<>();
      for (Kind kind : Kind.values()) {
        medians.addAll(measure(kind, healthy, paused, process));
      }
      placement.require(own, key -> victim);
      assertThat(medians).allMatch(median -> median > 0.5);
    }
  }

  /** Returns a server that holds neither {@code hbase:meta} nor a catalogue. */
  private static ServerName victim(Placement placement) {
    return placement.servers().stream()
        .filter(server -> !server.equals(placement.serverOfMeta()))
        .findFirst()
        .orElseThrow();
  }

  private static Function<byte[], ServerName> owner(
      Placement placement, ServerName victim, Map<TableName, SortedSet<byte[]>> others) {
    ServerName meta = placement.serverOfMeta();
    ServerName third =
        placement.servers().stream()
            .filter(server -> !server.equals(meta) && !server.equals(victim))
            .findFirst()
            .orElseThrow();
    return key -> others.values().stream().anyMatch(keys -> keys.contains(key)) ? third : victim;
  }

  private static List<Double> measure(
      Kind kind, Samples healthy, Samples paused, ClusterProcess process) throws IOException {
    double fullRate = fullRate(kind, healthy, paused);
    List<Pause> pauses = new ArrayList<>();
    List<Done> ofHealthy;
    List<Done> ofPaused;
    try (PacedClients onHealthy =
            clients(kind, healthy, ON_HEALTHY, interval(ON_HEALTHY, fullRate));
        PacedClients onPaused = clients(kind, paused, ON_PAUSED, interval(ON_PAUSED, fullRate))) {
      PacedClients.pass(BEFORE);
      for (int round = 0; round < ROUNDS; round++) {
        for (Duration length : PAUSES) {
          pauses.add(pause(length, onHealthy, onPaused, process));
        }
      }
      ofHealthy = onHealthy.done();
      ofPaused = onPaused.done();
    }
    List<Double> medians = new ArrayList<>();
    for (Duration length : PAUSES) {
      medians.add(print(kind, length, pauses));
    }
    System.out.printf(
        Locale.ROOT,
        "%s, %.0f/s without a limit: healthy %s, longest wait %.2f s; paused %s, longest wait %.2f"
            + " s%n",
        kind.text,
        fullRate,
        PacedClients.outcomes(ofHealthy),
        PacedClients.longestSeconds(ofHealthy),
        PacedClients.outcomes(ofPaused),
        PacedClients.longestSeconds(ofPaused));
    if (kind == Kind.INSERT) {
      System.out.printf(
          "acknowledged inserts that were read again: %d healthy, %d paused%n",
          healthy.requireInserted(), paused.requireInserted());
    }
    return medians;
  }

  private static PacedClients clients(Kind kind, Samples samples, int count, Duration interval) {
    return new PacedClients(kind.text, count, interval, number -> samples.client(kind, number));
  }

  /** Pauses the region server once. Returns when all its clients are served again. */
  private static Pause pause(
      Duration length, PacedClients onHealthy, PacedClients onPaused, ClusterProcess process) {
    PacedClients.pass(REST.plus(BEFORE));
    long beforeEnd = System.nanoTime();
    process.pause();
    onPaused.hurry();
    long start = System.nanoTime();
    PacedClients.pass(length);
    long end = System.nanoTime();
    process.resume();
    Awaitility.await().atMost(RECOVERY_MAX).until(() -> onPaused.allServedSince(end));
    List<Done> done = onHealthy.done();
    double before = PacedClients.rate(done, beforeEnd - BEFORE.toNanos(), beforeEnd);
    return new Pause(length, before, PacedClients.rate(done, start, end));
  }

  /** Prints the ratios of all pauses of one length, and returns their median. */
  private static double print(Kind kind, Duration length, List<Pause> all) {
    List<Pause> pauses = all.stream().filter(each -> each.length.equals(length)).toList();
    List<Double> ratios = pauses.stream().map(Pause::ratio).sorted().toList();
    double median = (ratios.get(ratios.size() / 2) + ratios.get((ratios.size() - 1) / 2)) / 2;
    double before = pauses.stream().mapToDouble(Pause::before).average().orElse(0);
    double during = pauses.stream().mapToDouble(Pause::during).average().orElse(0);
    System.out.printf(
        Locale.ROOT,
        "%s, %d pauses of %d ms: %.2f x the rate (%.2f to %.2f), all together %.2f x of %.0f/s%n",
        kind.text,
        pauses.size(),
        length.toMillis(),
        median,
        ratios.get(0),
        ratios.get(ratios.size() - 1),
        during / before,
        before);
    return median;
  }

  /** Returns the rate of all clients without pauses between their requests. */
  private static double fullRate(Kind kind, Samples healthy, Samples paused) {
    try (PacedClients some = clients(kind, healthy, ON_HEALTHY, Duration.ZERO);
        PacedClients more = clients(kind, paused, ON_PAUSED, Duration.ZERO)) {
      PacedClients.pass(WARM_UP);
      long begin = System.nanoTime();
      PacedClients.pass(FULL_RATE_TIME);
      long end = System.nanoTime();
      List<Done> done = new ArrayList<>(some.done());
      done.addAll(more.done());
      return PacedClients.rate(done, begin, end);
    }
  }

  private static Duration interval(int clients, double fullRate) {
    return Duration.ofNanos((long) (1e9 * clients * SHARE_OF_FULL_RATE / fullRate));
  }
}
