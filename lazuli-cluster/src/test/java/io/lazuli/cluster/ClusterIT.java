package io.lazuli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class ClusterIT {
  private Optional<Process> owner = Optional.empty();

  @AfterEach
  void end() {
    owner.ifPresent(Process::destroyForcibly);
  }

  @Test
  void nothingIsLeftOfAClusterWhoseOwnerIsKilled() throws IOException {
    Process process = startOwner();
    String[] told = line(process).split(" ", -1);
    ProcessHandle hbase = ProcessHandle.of(Long.parseLong(told[0])).orElseThrow();
    Path folder = Path.of(told[1]).getParent().getParent();
    assertThat(hbase.isAlive()).isTrue();
    assertThat(Path.of(told[1])).content().contains("hbase.zookeeper.property.clientPort");
    assertThat(told[2]).startsWith("localhost,");
    assertThat(told[3]).as("regions of user tables").isEqualTo("0");
    process.destroyForcibly();
    await().atMost(Duration.ofMinutes(1)).until(() -> !hbase.isAlive());
    assertThat(folder).doesNotExist();
  }

  @Test
  @Tag("long")
  void aPausedProcessEndsWithTheOwnerToo() throws IOException {
    Process process = startOwner();
    String[] told = line(process).split(" ", -1);
    ProcessHandle hbase = ProcessHandle.of(Long.parseLong(told[0])).orElseThrow();
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    assertThat(line(process)).isEqualTo("paused");
    process.destroyForcibly();
    await().atMost(Duration.ofMinutes(1)).until(() -> !hbase.isAlive());
    Path folder = Path.of(told[1]).getParent().getParent();
    await().atMost(Duration.ofMinutes(1)).until(() -> !Files.exists(folder));
  }

  @Test
  void theErrorQuotesTheLogOfAProcessThatEndsAtStart() {
    ClusterSpec wrong =
        ClusterSpec.inOneProcess().withSetting("hbase.zookeeper.property.clientPort", "nonsense");
    assertThatThrownBy(() -> Cluster.start(wrong))
        .isInstanceOf(ClusterException.class)
        .hasMessageStartingWith("master-0 ")
        .hasMessageContaining("nonsense");
  }

  @Test
  void invalidSpecsAreRejected() {
    assertThatThrownBy(() -> ClusterSpec.of(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ClusterSpec.inOneProcess().withHdfs())
        .isInstanceOf(IllegalArgumentException.class);
  }

  private Process startOwner() throws IOException {
    Process started =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                ClusterOwner.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    owner = Optional.of(started);
    return started;
  }

  private static String line(Process process) throws IOException {
    return process.inputReader(StandardCharsets.UTF_8).readLine();
  }
}
