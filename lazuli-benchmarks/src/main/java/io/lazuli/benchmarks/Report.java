package io.lazuli.benchmarks;

import io.lazuli.benchmarks.report.Aim;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.report.Series;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/**
 * Prints each table when it is complete, then the aims, and collects everything for a file.
 * Mutable.
 */
final class Report {
  private final StringBuilder text = new StringBuilder();
  private final Section rounds =
      new Section(
          "Every round",
          "what",
          "round",
          "requests",
          "seconds",
          "per s",
          "CPU us",
          "driver CPU us",
          "p50 ms",
          "p99 ms");
  private final Map<Aim, Double> measured = new EnumMap<>(Aim.class);

  void line(String line) {
    System.out.println(line);
    text.append(line).append('\n');
  }

  void section(Section section) {
    line(section.markdown().stripTrailing());
    measured.putAll(section.measured());
  }

  /** Adds every round of a series to the file. */
  void raw(String scenario, Series series) {
    int round = 0;
    for (Sample sample : series.rounds()) {
      rounds.row(
          scenario + ": " + series.name(),
          Integer.toString(++round),
          Long.toString(sample.requests()),
          Figures.number(sample.seconds()),
          Figures.number(sample.requestsPerSecond()),
          Figures.number(sample.cpuMicros()),
          Figures.number(sample.driverCpuSeconds() * 1e6 / sample.requests()),
          Figures.number(sample.p50Millis()),
          Figures.number(sample.p99Millis()));
    }
  }

  void aims() {
    line("\n## Aims\n");
    for (Aim aim : Aim.values()) {
      Double value = measured.get(aim);
      line("- " + aim.verdict(value == null ? Double.NaN : value));
    }
  }

  void write(Path file) throws IOException {
    Files.writeString(file, text + rounds.markdown(), StandardCharsets.UTF_8);
  }
}
