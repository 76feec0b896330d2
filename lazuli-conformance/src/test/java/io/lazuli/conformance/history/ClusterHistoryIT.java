package io.lazuli.conformance.history;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.cluster.LazuliNode;
import io.lazuli.storage.history.Crowd.Result;
import io.lazuli.storage.history.http.HistoryRun;
import io.lazuli.storage.history.http.HistoryRun.Crowds;
import java.io.IOException;
import java.time.Duration;
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
 * Nothing that clients of tables, queues and blobs see contradicts the promises of the services,
 * although they use two servers of a cluster, and processes of the cluster are killed and paused
 * while they work.
 */
@Tag("long")
class ClusterHistoryIT {
  /** Messages that a lost answer hides are visible again after this time. */
  private static final int SECONDS = 4;

  /** Longer than the session of a region server, which then loses its regions. */
  private static final Duration LONG_PAUSE = Duration.ofSeconds(20);

  /** Longer than a lease of a Lazuli server, and shorter than a session. */
  private static final Duration SHORT_PAUSE = Duration.ofSeconds(5);

  private static final Duration STANDSTILL_MAX = Duration.ofMinutes(5);

  private static FaultyCluster faulty;
  private static Cluster cluster;
  private static List<LazuliNode> servers;

  /** What happens to a process. */
  private enum Fault {
    SERVER_KILLED {
      @Override
      void happen(Random random) {
        LazuliNode server = servers.get(random.nextInt(servers.size()));
        server.process().restart();
        server.connectionString();
      }
    },
    REGION_SERVER_KILLED {
      @Override
      void happen(Random random) {
        any(cluster.regionServers(), random).restart();
        cluster.awaitReady();
      }
    },
    SERVER_PAUSED {
      @Override
      void happen(Random random) {
        pause(servers.get(random.nextInt(servers.size())).process(), SHORT_PAUSE);
      }
    },
    MASTER_KILLED {
      @Override
      void happen(Random random) {
        cluster.master().restart();
        cluster.awaitReady();
      }
    },
    REGION_SERVER_PAUSED {
      @Override
      void happen(Random random) {
        ClusterProcess paused = any(cluster.regionServers(), random);
        pause(paused, LONG_PAUSE);
        // It finds that it has lost its regions, and ends.
        Awaitility.await().atMost(STANDSTILL_MAX).until(() -> !paused.alive());
        paused.restart();
        cluster.awaitReady();
      }
    },
    BOTH_SERVERS_KILLED {
      @Override
      void happen(Random random) {
        servers.forEach(server -> server.process().kill());
        servers.forEach(server -> server.process().restart());
        servers.forEach(LazuliNode::connectionString);
      }
    },
    DATA_NODE_KILLED {
      @Override
      void happen(Random random) {
        any(cluster.dataNodes(), random).restart();
      }
    };

    abstract void happen(Random random);

    private static ClusterProcess any(List<ClusterProcess> processes, Random random) {
      return processes.get(random.nextInt(processes.size()));
    }

    private static void pause(ClusterProcess process, Duration duration) {
      process.pause();
      Awaitility.await().pollDelay(duration).atMost(duration.plusMinutes(1)).until(() -> true);
      process.resume();
    }
  }

  @BeforeAll
  static void start() {
    faulty = new FaultyCluster(ClusterSpec.of(3).withHdfs());
    cluster = faulty.cluster();
    servers = faulty.servers();
  }

  @AfterAll
  static void end() {
    faulty.close();
  }

  /** Every fault comes at its share of the operations, each as often as the others. */
  @Test
  @Timeout(value = 3, unit = TimeUnit.HOURS)
  void nothingIsWrongOverKillsAndPauses() throws IOException, InterruptedException {
    long operations = Long.getLong("history.operations", 1_000_000);
    int rounds = Integer.getInteger("history.rounds", 3);
    long seed = HistoryRun.seedOf("history.seed");
    System.out.println("history of a cluster, seed " + seed);
    Random random = new Random(seed);
    long start = System.nanoTime();
    Crowds crowds = faulty.run("history", seed).start(operations, SECONDS);
    int faults = rounds * Fault.values().length;
    for (int i = 0; i < faults && !crowds.isBroken(); i++) {
      awaitOperations(crowds, operations / (faults + 1) * (i + 1));
      Fault fault = Fault.values()[i % Fault.values().length];
      System.out.printf("%d operations: %s%n", crowds.operations(), fault);
      fault.happen(random);
    }
    Result result = crowds.end();
    long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
    System.out.printf("%d faults: %s, %d s, seed %d%n", faults, result, seconds, seed);
    HistoryRun.assertNothingWrong(result);
  }

  /** Waits for a number of checked operations. A check comes only after hundreds of calls. */
  private static void awaitOperations(Crowds crowds, long operations) {
    Awaitility.await()
        .atMost(Duration.ofHours(2))
        .pollInterval(Duration.ofMillis(200))
        .until(() -> crowds.operations() >= operations || crowds.isBroken());
  }
}
