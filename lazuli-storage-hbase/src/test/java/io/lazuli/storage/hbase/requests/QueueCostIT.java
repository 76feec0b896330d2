package io.lazuli.storage.hbase.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The cost of a get with its delete, compared with two puts of messages and with two inserts of
 * entities, in alternating turns: with small and large backlogs, and while the large one is
 * drained. Then the rate with one to eight consumers on one and on two servers. The cost is the
 * processor time of Lazuli and of the region server, as in {@link ServerCostIT}. Prints the
 * figures. The bound detects a collapse; it does not judge a machine.
 */
@Tag("long")
final class QueueCostIT {
  private static final int TURNS = Integer.getInteger("cost.turns", 7);
  private static final int WARM_UP_TURNS = Integer.getInteger("cost.warm-up", 10);
  private static final int SMALL = Integer.getInteger("cost.small", 1_000);
  private static final int LARGE = Integer.getInteger("cost.large", 100_000);

  /** The parts of the drain whose costs are compared. */
  private static final int DRAIN_PARTS = 5;

  /** A part of the drain ends after this time, however many messages are left. */
  private static final Duration DRAIN_PART_MAX =
      Duration.ofSeconds(Integer.getInteger("cost.drain-seconds", 120));

  private static final int[] CONNECTIONS =
      Arrays.stream(System.getProperty("cost.connections", "1,8").split(","))
          .mapToInt(Integer::parseInt)
          .toArray();
  private static final int MANY = 64;
  private static final int DRAINERS = 8;
  private static final int[] CONSUMERS = {1, 2, 4, 8};
  private static final int SERVERS = 2;
  private static final double RATIO_MAX = 20;

  private static final Duration TURN = Duration.ofMillis(1_500);
  private static final Duration IDLE = Duration.ofSeconds(10);

  /** One turn: requests per second, and processor time for each in microseconds. */
  private record Turn(double rate, double ofLazuli, double ofRegionServer) {
    double cost() {
      return ofLazuli + ofRegionServer;
    }
  }

  /**
   * A cluster and its servers.
   *
   * @param idle what the processes use in a second without requests
   */
  private record Setting(
      Cluster cluster, List<TestAccount> servers, Samples entities, ProcessorTime idle) {}

  @Test
  void aGetWithItsDeleteComparedWithTwoInserts() throws IOException {
    try (Cluster cluster = Cluster.start(PackedServers.spec(1))) {
      PackedServers.set(cluster, "lazuli.lease.millis", "1000");
      List<TestAccount> servers =
          PackedServers.start(cluster, SERVERS).stream().map(TestAccount::development).toList();
      Samples entities = new Samples(servers.get(0), "cost", 200, 1);
      entities.storeEntities();
      Setting setting = new Setting(cluster, servers, entities, idle(cluster, servers));
      QueueSamples queue = QueueSamples.create(servers.get(0), "cost-queue");
      warmUp(setting, queue);
      for (int connections : CONNECTIONS) {
        compare(setting, queue, SMALL, connections);
      }
      for (int connections : CONNECTIONS) {
        compare(setting, queue, LARGE, connections);
      }
      rates(setting, queue);
      drain(setting, queue);
    }
  }

  private static ProcessorTime idle(Cluster cluster, List<TestAccount> servers) {
    PacedClients.pass(IDLE);
    ProcessorTime.Snapshot before = ProcessorTime.now(cluster, servers);
    PacedClients.pass(IDLE);
    return ProcessorTime.now(cluster, servers).since(before).share(1.0 / IDLE.toSeconds(), 1);
  }

  /** Repeats the work until the JIT compilers of all processes have compiled it. */
  private static void warmUp(Setting setting, QueueSamples queue) {
    for (int turn = 0; turn < WARM_UP_TURNS; turn++) {
      for (int server = 0; server < SERVERS; server++) {
        TestAccount account = setting.servers.get(server);
        turn(setting, DRAINERS, number -> queue.puts(account));
        turn(setting, DRAINERS, number -> queue.takes(account));
        turn(setting, DRAINERS, number -> setting.entities.client(Kind.INSERT, number, account));
      }
    }
  }

  private static void compare(Setting setting, QueueSamples queue, int backlog, int connections) {
    TestAccount server = setting.servers.get(0);
    queue.fill(backlog, MANY, setting.servers);
    List<Turn> puts = new ArrayList<>();
    List<Turn> takes = new ArrayList<>();
    List<Turn> inserts = new ArrayList<>();
    List<Double> byPuts = new ArrayList<>();
    List<Double> byInserts = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      int before = queue.backlog();
      Turn put = turn(setting, connections, number -> queue.puts(server));
      // Takes what was put, so that the backlog stays the same.
      AtomicLong left = new AtomicLong(queue.backlog() - before);
      Turn take =
          turn(setting, connections, number -> QueueSamples.limited(queue.takes(server), left));
      Turn insert =
          turn(
              setting, connections, number -> setting.entities.client(Kind.INSERT, number, server));
      puts.add(put);
      takes.add(take);
      inserts.add(insert);
      byPuts.add(take.cost() / (2 * put.cost()));
      byInserts.add(take.cost() / (2 * insert.cost()));
    }
    byPuts.sort(null);
    byInserts.sort(null);
    System.out.printf(
        Locale.ROOT,
        "backlog %d, %d connections: get with delete %s, put %s, insert %s; in two puts %.2f x"
            + " (%.2f to %.2f), in two inserts %.2f x (%.2f to %.2f)%n",
        backlog,
        connections,
        text(takes),
        text(puts),
        text(inserts),
        byPuts.get(TURNS / 2),
        byPuts.get(0),
        byPuts.get(TURNS - 1),
        byInserts.get(TURNS / 2),
        byInserts.get(0),
        byInserts.get(TURNS - 1));
    assertThat(byPuts.get(TURNS / 2)).isLessThan(RATIO_MAX);
  }

  private static void rates(Setting setting, QueueSamples queue) {
    for (int servers = 1; servers <= SERVERS; servers++) {
      List<List<Turn>> turns = new ArrayList<>();
      for (int i = 0; i < CONSUMERS.length; i++) {
        turns.add(new ArrayList<>());
      }
      int used = servers;
      for (int turn = 0; turn < TURNS; turn++) {
        if (queue.backlog() < LARGE / 2) {
          queue.fill(LARGE, MANY, setting.servers);
        }
        for (int i = 0; i < CONSUMERS.length; i++) {
          turns
              .get(i)
              .add(
                  turn(
                      setting,
                      CONSUMERS[i],
                      number -> queue.takes(setting.servers.get(number % used))));
        }
      }
      for (int i = 0; i < CONSUMERS.length; i++) {
        System.out.printf(
            Locale.ROOT,
            "%d Lazuli, %d consumers: get with delete %s%n",
            servers,
            CONSUMERS[i],
            text(turns.get(i)));
      }
    }
  }

  private static void drain(Setting setting, QueueSamples queue) {
    queue.fill(LARGE, MANY, setting.servers);
    for (int part = 0; part < DRAIN_PARTS; part++) {
      int before = queue.backlog();
      AtomicLong left = new AtomicLong(LARGE / DRAIN_PARTS);
      Turn turn =
          turn(
              setting,
              DRAINERS,
              DRAIN_PART_MAX,
              number ->
                  QueueSamples.limited(queue.takes(setting.servers.get(number % SERVERS)), left));
      System.out.printf(
          Locale.ROOT,
          "drain from %d to %d messages, %d consumers on %d Lazuli: get with delete %s%n",
          before,
          queue.backlog(),
          DRAINERS,
          SERVERS,
          text(List.of(turn)));
    }
  }

  private static String text(List<Turn> turns) {
    return String.format(
        Locale.ROOT,
        "%.0f + %.0f µs, %.0f/s",
        median(turns, Turn::ofLazuli),
        median(turns, Turn::ofRegionServer),
        median(turns, Turn::rate));
  }

  private static double median(List<Turn> turns, ToDoubleFunction<Turn> figure) {
    return turns.stream().mapToDouble(figure).sorted().toArray()[turns.size() / 2];
  }

  private static Turn turn(Setting setting, int clients, IntFunction<Samples.Client> client) {
    return turn(setting, clients, TURN, client);
  }

  /** Measures one turn, which ends after a time, or when all clients were refused. */
  private static Turn turn(
      Setting setting, int clients, Duration length, IntFunction<Samples.Client> client) {
    AtomicLong served = new AtomicLong();
    ProcessorTime.Snapshot before = ProcessorTime.now(setting.cluster, setting.servers);
    long begin = System.nanoTime();
    QueueSamples.run(
        clients, number -> counted(client.apply(number), begin + length.toNanos(), served));
    double seconds = (System.nanoTime() - begin) / 1e9;
    ProcessorTime used =
        ProcessorTime.now(setting.cluster, setting.servers)
            .since(before)
            .without(setting.idle.share(seconds, 1));
    double done = Math.max(1, served.get());
    return new Turn(done / seconds, used.servers() / done / 1e3, used.regionServers() / done / 1e3);
  }

  /** Returns a client that counts its requests, and is refused when its time is over. */
  private static Samples.Client counted(Samples.Client client, long end, AtomicLong served) {
    return new Samples.Client() {
      @Override
      public Outcome request() {
        Outcome outcome = System.nanoTime() - end < 0 ? client.request() : Outcome.REFUSED;
        if (outcome == Outcome.SERVED) {
          served.incrementAndGet();
        }
        return outcome;
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }
}
