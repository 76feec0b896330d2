package io.lazuli.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lazuli tour} as the start script runs it: the packed programs and the packed server. */
class TourTest {
  private static final int COLUMNS_MAX = 120;
  private static final int SECONDS_MAX = 120;

  @TempDir Path temporary;

  /** Netty unpacks a library here for a moment, during which the tour may be interrupted. */
  @TempDir Path libraries;

  @Test
  void itShowsEveryScenarioAndLosesNothing() throws IOException, InterruptedException {
    Process tour = tour();
    List<String> lines = tour.inputReader(StandardCharsets.UTF_8).lines().toList();
    assertThat(tour.waitFor()).as("%s", lines).isZero();
    assertThat(lines)
        .anyMatch(line -> line.matches(" *PartitionKey .* RowKey eq .* point +1 +1"))
        .anyMatch(line -> line.matches(" *PartitionKey .* RowKey lt .* row range +10 +10"))
        .anyMatch(line -> line.matches(" *PartitionKey .* LastName .* partition +250 +50"))
        .anyMatch(line -> line.matches(" *LastName .* table +1000 +200"))
        .contains("   find by e-mail address -> 000223")
        .contains("   read the department -> 2 employees, jun@contoso.com")
        .contains("   find by e-mail address in all departments -> Marketing")
        .contains("   read from the archive -> jones@contoso.com")
        .contains("   ratings of employee 123 -> [3, 4, 5, 6]")
        .contains("   the last ten of 30 claims -> [30, 29, 28, 27, 26, 25, 24, 23, 22, 21]")
        .contains("   drop all days before yesterday -> 2 tables deleted")
        .contains("   count 3 more messages at 9 -> 16 now")
        .contains("   read it -> 307201 bytes")
        .contains("   remove orphaned blobs older than a second -> 1 removed")
        .contains("        0 acknowledged inserts were lost")
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS_MAX));
  }

  @Test
  void itCanBeInterrupted() throws IOException, InterruptedException {
    Process tour = tour();
    try (BufferedReader lines = tour.inputReader(StandardCharsets.UTF_8)) {
      String line = lines.readLine();
      while (!line.startsWith("1. ")) {
        line = lines.readLine();
      }
      tour.destroy();
      assertThat(tour.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).as("it ends").isTrue();
    }
    assertThat(tour.exitValue()).isNotZero();
  }

  /** Before, every word was ignored, and the tour began. */
  @Test
  void helpIsPrintedWithoutATour() throws IOException, InterruptedException {
    Process help = tour("--help");
    List<String> lines = help.inputReader(StandardCharsets.UTF_8).lines().toList();
    assertThat(help.waitFor()).isZero();
    assertThat(lines).hasSize(4).first().isEqualTo("Usage: lazuli tour");
  }

  @Test
  void anUnknownOptionIsRefused() throws IOException, InterruptedException {
    Process refused = tour("--fast");
    assertThat(refused.inputReader(StandardCharsets.UTF_8).lines()).isEmpty();
    assertThat(refused.waitFor()).isEqualTo(2);
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(temporary).as("folders").isEmptyDirectory();
    assertThat(ProcessHandle.allProcesses().filter(this::isOfTheTour)).as("processes").isEmpty();
  }

  private boolean isOfTheTour(ProcessHandle process) {
    return process.info().commandLine().orElse("").contains(temporary.toString());
  }

  private Process tour(String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + temporary));
    command.add("-Dio.netty.native.workdir=" + libraries);
    command.add("-Dlazuli.server=" + Path.of("..", "lazuli-server", "target", "lazuli.jar"));
    command.addAll(List.of("-jar", Path.of("target", "lazuli-tour.jar").toString(), "tour"));
    command.addAll(List.of(options));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
