package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Runs the quick part of {@code lazuli works-with}: the clients of other people that are installed
 * on this machine. The log names those that did not run.
 */
class WorksWithIT {
  private static final int MINUTES_MAX = 5;
  private static final Path SCRIPT = Path.of("..", "works-with", "run");

  @Test
  void installedClientsWriteAndReadData() throws IOException {
    if (!Files.isExecutable(Path.of("/bin/sh"))) {
      System.out.println("[INFO] works-with: DID NOT RUN: there is no Unix shell");
      return;
    }
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", SCRIPT.toString(), "--quick");
    builder
        .environment()
        .put("WORKS_WITH_JAR", AccountUnderTest.serverJar().toAbsolutePath().toString());
    builder.redirectErrorStream(true);
    Process process = builder.start();
    process.onExit().orTimeout(MINUTES_MAX, TimeUnit.MINUTES).exceptionally(late -> end(process));
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = output.lines().toList();
      lines.forEach(line -> System.out.println("[INFO] " + line));
      assertThat(process.onExit().join().exitValue()).as("%s", String.join("\n", lines)).isZero();
    }
  }

  private static Process end(Process process) {
    process.descendants().forEach(ProcessHandle::destroy);
    return process.destroyForcibly();
  }
}
