package io.lazuli.storage.hbase.history;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.cluster.ClusterSpec;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Histories in which processes are paused for longer than their session lasts and then continue.
 * The data is in HDFS, which prevents a region server that has lost its regions from writing to
 * their log.
 */
@Tag("long")
final class PauseHistoryIT {
  /** Sessions last ten seconds. */
  private static final Duration PAUSE = Duration.ofSeconds(25);

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    // The master itself waits this long for hbase:meta from the paused server.
    cluster = Cluster.start(ClusterSpec.of(3).withHdfs().withSetting("hbase.rpc.timeout", "10000"));
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  /** A paused region server or master ends itself, so a new one replaces it. */
  @AfterEach
  void heal() {
    Stream.concat(Stream.of(cluster.master()), cluster.regionServers().stream())
        .filter(process -> !process.alive())
        .forEach(ClusterProcess::restart);
    cluster.awaitReady();
  }

  @Test
  void nothingIsWrongWhenARegionServerPauses() {
    pause("pause of a region server, HDFS", "c00");
  }

  /** The paused server is then also the one that answers where regions are. */
  @Test
  void nothingIsWrongWhenTheServerOfMetaPauses() {
    pause("pause of the region server of hbase:meta, HDFS", "b00");
  }

  private static void pause(String name, String target) {
    FaultRun.with(
        cluster.clientConfig(),
        name,
        run -> run.regions().spread(),
        run -> {
          ClusterProcess paused = run.regions().processOf(cluster, target);
          EngineServer idle = run.startIdleServer();
          paused.pause();
          FaultRun.pass(PAUSE);
          // From now on there are writes that the paused server does not know.
          run.awaitRecovery();
          // These send their first reads to the paused server, where they wait until it continues.
          run.load().add(idle, 0, 16);
          paused.resume();
        });
  }

  @Test
  void nothingIsWrongWhenTheMasterPauses() {
    FaultRun.with(
        cluster.clientConfig(),
        "pause of the master, HDFS",
        run -> {
          cluster.master().pause();
          FaultRun.pass(PAUSE);
          cluster.master().resume();
        });
  }

  @Test
  void nothingIsWrongWhenAServerPauses() {
    FaultRun.with(
        cluster.clientConfig(),
        "pause of a Lazuli server, HDFS",
        run -> {
          try (ServerProcess server = run.startServer()) {
            run.load().add(server, 4, 2);
            FaultRun.pass(Duration.ofSeconds(5));
            server.pause(PAUSE);
            FaultRun.pass(Duration.ofSeconds(5));
          }
        });
  }

  @Test
  void nothingIsWrongWhenARegionServerIsKilled() {
    FaultRun.with(
        cluster.clientConfig(),
        "kill -9 of a region server, HDFS",
        run -> run.regions().spread(),
        run -> {
          ClusterProcess killed = run.regions().processOf(cluster, "c00");
          killed.kill();
          killed.restart();
        });
  }
}
