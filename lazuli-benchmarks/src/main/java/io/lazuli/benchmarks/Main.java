package io.lazuli.benchmarks;

import io.lazuli.benchmarks.load.LoadFailedException;
import io.lazuli.benchmarks.scenario.Scenario;
import io.lazuli.benchmarks.scenario.Stage;
import io.lazuli.benchmarks.server.Servers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The main class of the load driver. The exit status is 0 when everything was measured, whether the
 * aims were met or not; 1 when a server responded wrongly or did not start; 2 for an invalid
 * command line.
 */
public final class Main {
  private final Options options;
  private final Report report = new Report();
  private String running = "";
  private boolean failed;

  private Main(Options options) {
    this.options = options;
  }

  public static void main(String[] arguments) throws IOException {
    List<String> given = List.of(arguments);
    if (given.contains("--help")) {
      System.out.print(Options.USAGE);
      return;
    }
    try {
      System.exit(new Main(Options.parse(given)).run());
    } catch (IllegalArgumentException e) {
      System.out.println(e.getMessage() + "\n\n" + Options.USAGE);
      System.exit(2);
    }
  }

  private int run() throws IOException {
    if (!Files.exists(options.jar())) {
      report.line(options.jar() + " does not exist: build the server first.");
      return 1;
    }
    Path folder = Files.createTempDirectory(Files.createDirectories(options.folder()), "bench");
    try (Stage stage =
        Stage.open(
            options.scale(),
            new Servers(options.jar(), options.before()),
            folder,
            series -> report.raw(running, series))) {
      describe(stage, folder);
      for (Scenario scenario : Scenario.all()) {
        if (options.only().contains(scenario.name())) {
          run(scenario, stage);
        }
      }
      report.aims();
    } finally {
      delete(folder);
    }
    if (options.out().isPresent()) {
      report.write(options.out().get());
    }
    return failed ? 1 : 0;
  }

  private void describe(Stage stage, Path folder) throws IOException {
    report.line("# Lazuli benchmark\n");
    report.line("- " + options.scale());
    report.line(
        String.format(
            Locale.ROOT,
            "- %d cores, load %.2f at the start, Java %s, %s, data on %s",
            Runtime.getRuntime().availableProcessors(),
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
            System.getProperty("java.version"),
            System.getProperty("os.name"),
            Files.getFileStore(folder).type()));
    report.line("- Servers and driver share the cores. Figures are medians of alternating rounds.");
    if (stage.azurite().isEmpty()) {
      report.line("- Azurite was not measured: no azurite-table on PATH or in AZURITE_HOME.");
    }
  }

  /**
   * Runs one scenario. If it fails, the whole run fails at its end, but the other scenarios still
   * run.
   */
  private void run(Scenario scenario, Stage stage) {
    running = scenario.name();
    try {
      report.section(scenario.run(stage));
    } catch (IOException | UncheckedIOException | LoadFailedException e) {
      failed = true;
      report.line("\n## FAILED: " + scenario.name() + "\n\n" + e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
