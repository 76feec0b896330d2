package io.lazuli.storage.hbase.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.cluster.ClusterSpec;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Histories while regions split, move and merge and processes are killed, on three region servers
 * that keep their data in a folder, where it survives the death of a process.
 */
@Tag("long")
final class FaultHistoryIT {
  private static final int ROUNDS = 3;

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(ClusterSpec.of(3));
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  @AfterEach
  void heal() {
    cluster.awaitReady();
  }

  @Test
  void nothingIsWrongWhileRegionsSplitMoveAndMerge() {
    FaultRun.with(
        cluster.clientConfig(),
        "split, move, merge",
        run -> {
          for (int round = 0; round < ROUNDS; round++) {
            run.regions().split("c00");
            run.regions().split("c03");
            assertThat(run.regions().count()).isEqualTo(3);
            run.awaitRecovery();
            run.regions().move("c00");
            run.regions().move("c03");
            run.regions().move("b00");
            run.awaitRecovery();
            run.regions().merge("c00", "c03");
            run.regions().merge("b00", "c00");
            assertThat(run.regions().count()).isEqualTo(1);
          }
        });
  }

  @Test
  void nothingIsWrongWhenARegionServerIsKilled() {
    FaultRun.with(
        cluster.clientConfig(),
        "kill -9 of a region server",
        run -> run.regions().spread(),
        run -> {
          ClusterProcess killed = run.regions().processOf(cluster, "c00");
          killed.kill();
          killed.restart();
        });
  }

  @Test
  void nothingIsWrongWhenTheMasterIsKilled() {
    FaultRun.with(
        cluster.clientConfig(),
        "kill -9 of the master",
        run -> run.regions().spread(),
        run -> {
          cluster.master().kill();
          FaultRun.pass(Duration.ofSeconds(5));
          cluster.master().restart();
          cluster.awaitReady();
        });
  }

  @Test
  void nothingIsWrongWhenAServerIsKilled() {
    FaultRun.with(
        cluster.clientConfig(),
        "kill -9 of a Lazuli server",
        run -> {
          for (int round = 0; round < ROUNDS; round++) {
            try (ServerProcess server = run.startServer()) {
              run.load().add(server, 4, 2);
              FaultRun.pass(Duration.ofSeconds(5));
            }
            run.awaitRecovery();
          }
        });
  }
}
