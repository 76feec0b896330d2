package io.lazuli.conformance.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.cluster.HostedRegion;
import io.lazuli.cluster.Network;
import io.lazuli.cluster.SmallDisk;
import io.lazuli.storage.history.Crowd.Result;
import io.lazuli.storage.history.http.HistoryRun;
import io.lazuli.storage.history.http.HistoryRun.Crowds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Nothing that clients of tables, queues and blobs see contradicts the promises of the services
 * while networks between processes are cut, ZooKeeper is away, clocks are wrong, HDFS is full or a
 * region has no server, alone and at the same time. Afterwards both servers serve everything again
 * without a restart. Each process has a host of its own.
 */
@Tag("long")
@Timeout(value = 3, unit = TimeUnit.HOURS)
class HostFaultIT {
  /** Messages that a lost answer hides are visible again after this time. */
  private static final int SECONDS = 4;

  /** Longer than a lease of a Lazuli server, and shorter than a session of ZooKeeper. */
  private static final Duration SHORT = Duration.ofSeconds(5);

  /** Longer than a session. */
  private static final Duration LONG = Duration.ofSeconds(20);

  /** In memory, so it must be small. */
  private static final int DISK_MEBIBYTES = 1_024;

  private static final long ENDLESS = Long.MAX_VALUE / 10;

  private static FaultyCluster faulty;

  /** What happens and ends again. */
  private interface Fault {
    void begin();

    void end();
  }

  @BeforeAll
  static void start() {
    assumeThat(ClusterSpec.obstacle()).isEmpty();
    faulty =
        new FaultyCluster(ClusterSpec.of(3).withHdfs().withOwnHosts().withDisksOf(DISK_MEBIBYTES));
  }

  @AfterAll
  static void end() {
    if (faulty != null) {
      faulty.close();
    }
  }

  /** Each pair of processes loses what it sends to each other, or in one direction only. */
  @Test
  void networksBetweenAllPairsAreCut() throws Exception {
    Random random = random();
    List<ClusterProcess> all = faulty.processes();
    List<Fault> faults = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      for (int j = 0; j < i; j++) {
        faults.add(cut(all.get(i), all.get(j), random.nextInt(3)));
      }
    }
    Collections.shuffle(faults, random);
    int max = Integer.getInteger("history.pairs", faults.size());
    assertNothingWrong("cuts", faults.subList(0, max), random);
  }

  @Test
  void zooKeeperIsAway() throws Exception {
    ClusterProcess zooKeeper = faulty.cluster().zooKeeper();
    Random random = random();
    assertNothingWrong(
        "zookeeper",
        List.of(
            paused(zooKeeper),
            killed(zooKeeper),
            both(killed(zooKeeper), killed(faulty.cluster().regionServers().get(0))),
            both(paused(zooKeeper), killed(faulty.cluster().master()))),
        random);
  }

  /** Two or three faults of any kind begin one after the other and last together. */
  @Test
  void severalFaultsHappenAtOnce() throws Exception {
    Random random = random();
    List<Fault> faults = new ArrayList<>();
    for (int i = 0; i < Integer.getInteger("history.rounds", 15); i++) {
      Fault two = both(anyFault(random), anyFault(random));
      faults.add(random.nextBoolean() ? two : both(two, anyFault(random)));
    }
    assertNothingWrong("several", faults, random);
  }

  /** Within the bounds of docs/operations.md, in which machines keep time. */
  @Test
  void clocksAreWrong() throws Exception {
    Random random = random();
    List<Fault> faults = new ArrayList<>();
    for (int seconds : new int[] {20, -20, 50, -50}) {
      faults.add(wrongClock(faulty.servers().get(0).process(), Duration.ofSeconds(seconds)));
    }
    assertNothingWrong("clocks", faults, random);
  }

  @Test
  void hdfsIsFull() throws Exception {
    assertNothingWrong("full", List.of(fullDisks(), fullDisks()), random());
  }

  @Test
  void regionsHaveNoServer() throws Exception {
    Random random = random();
    List<Fault> faults = new ArrayList<>();
    for (HostedRegion region : faulty.cluster().regions()) {
      if (!region.table().startsWith("hbase:")) {
        faults.add(stuck(region));
      }
    }
    Collections.shuffle(faults, random);
    assertNothingWrong("stuck", faults.subList(0, Math.min(5, faults.size())), random);
  }

  private static Random random() {
    long seed = HistoryRun.seedOf("history.seed");
    System.out.println("faults of hosts, seed " + seed);
    return new Random(seed);
  }

  /** Clients work all the time, while the faults happen one after the other. */
  private static void assertNothingWrong(String name, List<Fault> faults, Random random)
      throws Exception {
    faulty.recover();
    Crowds crowds = faulty.run(name, random.nextLong()).start(ENDLESS, SECONDS);
    Duration longest = Duration.ZERO;
    for (Fault fault : faults) {
      Duration duration = random.nextInt(3) == 0 ? SHORT : LONG;
      sleep(SHORT);
      fault.begin();
      sleep(duration);
      fault.end();
      FaultyCluster.Recovery recovery = faulty.recover();
      System.out.printf("%s for %d s: %s%n", fault, duration.toSeconds(), recovery);
      longest = recovery.time().compareTo(longest) > 0 ? recovery.time() : longest;
      if (crowds.isBroken()) {
        break;
      }
    }
    Result result = crowds.stop();
    System.out.printf(
        "%s: %d faults: %s; served again after %d s at most%n",
        name, faults.size(), result, longest.toSeconds());
    HistoryRun.assertNothingWrong(result);
    assertThat(result.operations()).isPositive();
  }

  private static Fault anyFault(Random random) {
    Cluster cluster = faulty.cluster();
    ClusterProcess server = any(faulty.servers(), random).process();
    ClusterProcess regionServer = any(cluster.regionServers(), random);
    List<ClusterProcess> all = faulty.processes();
    return switch (random.nextInt(7)) {
      case 0 -> killed(regionServer);
      case 1 -> paused(regionServer);
      case 2 -> paused(server);
      case 3 -> killed(cluster.master());
      case 4 -> paused(cluster.zooKeeper());
      case 5 -> cut(server, regionServer, random.nextInt(3));
      default -> {
        ClusterProcess one = any(all, random);
        ClusterProcess other = any(all, random);
        yield one == other ? paused(cluster.nameNode()) : cut(one, other, random.nextInt(3));
      }
    };
  }

  private static <T> T any(List<T> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }

  /** Cuts both directions, or the first or the second one. */
  private static Fault cut(ClusterProcess one, ClusterProcess other, int direction) {
    Network network = faulty.cluster().network();
    String arrow = direction == 0 ? " and " : direction == 1 ? " to " : " from ";
    return fault(
        "cut of " + one.name() + arrow + other.name(),
        () -> {
          if (direction != 2) {
            network.cutOneWay(one, other);
          }
          if (direction != 1) {
            network.cutOneWay(other, one);
          }
        },
        () -> network.heal(one, other));
  }

  private static Fault paused(ClusterProcess process) {
    return fault("pause of " + process.name(), process::pause, process::resume);
  }

  /** The process starts again at the end. */
  private static Fault killed(ClusterProcess process) {
    return fault("kill of " + process.name(), process::kill, process::restart);
  }

  private static Fault wrongClock(ClusterProcess process, Duration ahead) {
    return fault(
        "clock of " + process.name() + " set by " + ahead.toSeconds() + " s",
        () -> process.setClock(ahead),
        () -> process.setClock(Duration.ZERO));
  }

  /**
   * A data node that could not finish a write refuses to recover its block until it is started
   * again, as docs/operations.md says.
   */
  private static Fault fullDisks() {
    Cluster cluster = faulty.cluster();
    return fault(
        "full disks",
        () -> cluster.disks().forEach(SmallDisk::fill),
        () -> {
          cluster.disks().forEach(SmallDisk::free);
          cluster.dataNodes().forEach(ClusterProcess::restart);
        });
  }

  private static Fault stuck(HostedRegion region) {
    Cluster cluster = faulty.cluster();
    return fault(
        "region " + region.table() + " from " + region.start() + " without a server",
        () -> cluster.unassign(region),
        () -> cluster.assign(region));
  }

  private static Fault both(Fault first, Fault second) {
    return fault(
        first + " + " + second,
        () -> {
          first.begin();
          second.begin();
        },
        () -> {
          second.end();
          first.end();
        });
  }

  private static Fault fault(String name, Runnable begin, Runnable end) {
    return new Fault() {
      @Override
      public void begin() {
        begin.run();
      }

      @Override
      public void end() {
        end.run();
      }

      @Override
      public String toString() {
        return name;
      }
    };
  }

  private static void sleep(Duration duration) {
    Awaitility.await().pollDelay(duration).atMost(duration.plusMinutes(1)).until(() -> true);
  }
}
