package io.lazuli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes with hosts of their own: cuts, clocks and disks do what fault tests rely on. */
@Tag("long")
final class OwnHostsIT {
  private static final Duration MAX = Duration.ofMinutes(2);

  /** The master refuses a region server that is 30 s ahead. */
  private static final Duration AHEAD = Duration.ofSeconds(25);

  private static final Path NAMESPACES = Path.of("/run/netns");

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void hostsAreCutAndHealedAndHaveWrongClocks() {
    assumeThat(ClusterSpec.obstacle()).isEmpty();
    try (Cluster cluster = Cluster.start(ClusterSpec.of(2).withHdfs().withOwnHosts())) {
      ClusterProcess server = cluster.regionServers().get(1);
      long begin = System.nanoTime();
      cluster.network().cut(server, cluster.zooKeeper());
      // It ends itself, because its session is over.
      Awaitility.await().atMost(MAX).until(() -> !server.alive());
      System.out.printf("ended after %d s%n", (System.nanoTime() - begin) / 1_000_000_000);
      cluster.network().heal(server, cluster.zooKeeper());
      server.setClock(AHEAD);
      server.restart();
      cluster.awaitReady();
      String name = server.serverName().orElseThrow();
      long started = Long.parseLong(name.substring(name.lastIndexOf(',') + 1));
      assertThat(started - System.currentTimeMillis()).isPositive();
    }
    assertThat(NAMESPACES.resolve("lazuli-" + ProcessHandle.current().pid() + "-zookeeper-0"))
        .doesNotExist();
  }
}
