package io.lazuli.cluster.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The demonstration, with servers whose engine needs no cluster, so that it needs no other module.
 */
@Tag("long")
final class ClusterDemoIT {
  @Test
  void everythingIsPrintedAndStopsOnRequest() throws IOException, InterruptedException {
    Process demo = start("--region-servers=1", "--servers=2", "--engine=memory");
    try (BufferedReader lines = demo.inputReader(StandardCharsets.UTF_8)) {
      List<String> told = new ArrayList<>();
      String line = lines.readLine();
      while (line != null && !line.startsWith("ready;")) {
        told.add(line);
        line = lines.readLine();
      }
      assertThat(line).as("after %s", told).isNotNull();
      assertThat(told).filteredOn(one -> one.startsWith("DefaultEndpointsProtocol=")).hasSize(2);
      List<ProcessHandle> processes = demo.descendants().toList();
      assertThat(processes).hasSize(5);
      Path site = Path.of(folder(told));
      assertThat(site).exists();

      demo.toHandle().destroy();
      assertThat(demo.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(processes).noneMatch(ProcessHandle::isAlive);
      assertThat(site.getParent().getParent()).doesNotExist();
    } finally {
      demo.destroyForcibly();
    }
  }

  private static String folder(List<String> told) {
    return told.stream()
        .filter(line -> line.startsWith("cluster  "))
        .map(line -> line.substring("cluster  ".length()))
        .findFirst()
        .orElseThrow();
  }

  private static Process start(String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx64m");
    command.add("-Dlazuli.server=" + System.getProperty("lazuli.server"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ClusterDemo.class.getName(), "cluster-demo"));
    command.addAll(List.of(options));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
