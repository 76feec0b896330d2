package io.lazuli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every role in its own process, and the operations of fault tests on them. */
@Tag("long")
final class DistributedClusterIT {
  @Test
  void serversAreKilledPausedRestartedAndAdded() {
    Path folder;
    try (Cluster cluster = Cluster.start(ClusterSpec.of(2))) {
      folder = cluster.clientConfig().getParent().getParent();
      assertThat(cluster.regionServers()).hasSize(2).allMatch(ClusterProcess::alive);
      ClusterProcess second = cluster.regionServers().get(1);
      String before = second.serverName().orElseThrow();

      second.kill();
      assertThat(second.alive()).isFalse();
      second.restart();
      cluster.awaitReady();
      assertThat(second.serverName()).isPresent().get().isNotEqualTo(before);

      second.pause();
      assertThat(second.alive()).isTrue();
      second.resume();
      cluster.addRegionServer();
      cluster.awaitReady();
      assertThat(cluster.regionServers()).hasSize(3);

      cluster.master().restart();
      cluster.awaitReady();
    }
    assertThat(folder).doesNotExist();
  }

  @Test
  void theSameOnHdfs() {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(1).withHdfs())) {
      assertThat(cluster.dataNodes()).hasSize(3).allMatch(ClusterProcess::alive);
      assertThat(cluster.regionServers()).hasSize(1);
    }
  }
}
