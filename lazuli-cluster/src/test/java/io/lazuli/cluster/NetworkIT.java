package io.lazuli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a new network removes: only what killed processes left. */
final class NetworkIT {
  /** No network has these numbers. */
  private static final String LEFT = "lazuli251";

  private static final String USED = "lazuli252";
  private static final String BUSY = "lazuli253";
  private static final String FOREIGN = "lazuli254";
  private static final String PORT = "lazuli253-2";

  @AfterEach
  void removeAll() {
    for (String name : new String[] {PORT, LEFT, USED, BUSY, FOREIGN}) {
      if (exists(name)) {
        Command.run("ip", "link", "del", name);
      }
    }
  }

  @Test
  void onlyBridgesOfKilledProcessesWithoutPortsAreRemoved()
      throws IOException, InterruptedException {
    assumeThat(Network.obstacle()).isEmpty();
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    addBridge(LEFT, Network.address(ended.pid()));
    addBridge(USED, Network.address(ProcessHandle.current().pid()));
    addBridge(BUSY, Network.address(ended.pid()));
    addBridge(FOREIGN, "02:00:00:00:00:01");
    Command.run("ip", "link", "add", PORT, "type", "veth", "peer", "name", "lazuli253-3");
    Command.run("ip", "link", "set", PORT, "master", BUSY);
    Network.create().close();
    assertThat(exists(LEFT)).isFalse();
    assertThat(exists(USED)).isTrue();
    assertThat(exists(BUSY)).isTrue();
    assertThat(exists(FOREIGN)).isTrue();
  }

  @Test
  void onlyNamespacesWithTheNumberOfAProcessAreOurs() {
    assertThat(Network.owner("lazuli-17-zookeeper-0")).hasValue(17);
    assertThat(Network.owner("lazuli-seventeen-zookeeper-0")).isEmpty();
    assertThat(Network.owner("lazuli-99999999999999999999-zookeeper-0")).isEmpty();
    assertThat(Network.owner("lazuli-17")).isEmpty();
    assertThat(Network.owner("other-17-zookeeper-0")).isEmpty();
  }

  @Test
  void everyStepOfACloseRuns() {
    Closing closing = new Closing();
    int[] steps = {0};
    closing.run(
        () -> {
          throw new ClusterException("first", null);
        });
    closing.run(() -> steps[0]++);
    closing.run(
        () -> {
          throw new ClusterException("second", null);
        });
    closing.run(() -> steps[0]++);
    assertThat(steps[0]).isEqualTo(2);
    assertThatThrownBy(closing::end)
        .hasMessage("first")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
  }

  private static void addBridge(String name, String address) {
    Command.run("ip", "link", "add", name, "address", address, "type", "bridge");
  }

  private static boolean exists(String name) {
    return Files.exists(Path.of("/sys/class/net", name));
  }
}
