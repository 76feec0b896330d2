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
 * What clients see when processes stand still for longer than their session lasts and then go on,
 * on HDFS, which keeps a region server that has lost its regions from writing to their log.
 */
@Tag("long")
final class PauseHistoryTest {
  /** Sessions last ten seconds. */
  private static final Duration PAUSE = Duration.ofSeconds(25);

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    // The master itself asks the paused server for so long what hbase:meta says.
    cluster = Cluster.start(ClusterSpec.of(3).withHdfs().withSetting("hbase.rpc.timeout", "10000"));
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  /** A region server or master that was paused ends itself: another takes its place. */
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

  /** The one that is asked where regions are is then as forgetful as the one that has them. */
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
          // Only now is there something that the paused server does not know.
          run.awaitRecovery();
          // These send their first reads to the old place, where they wait for its awakening.
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
