package io.lazuli.benchmarks.scenario;

import static java.util.Objects.requireNonNull;

import io.lazuli.benchmarks.mapping.MappingBenchmark;
import io.lazuli.benchmarks.report.Aim;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Section;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Compares typed entities of the client library with handwritten {@code TableEntity} code, under
 * JMH.
 */
final class MappingScenario implements Scenario {
  private static final int FORKS = 2;

  private static final String MIXED = " alongside other types";

  @Override
  public String name() {
    return "mapping";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    Scale scale = stage.scale();
    Options options =
        new OptionsBuilder()
            .include(MappingBenchmark.class.getName())
            .forks(FORKS)
            .warmupIterations(scale.rounds())
            .warmupTime(TimeValue.milliseconds(scale.warmUpMillis()))
            .measurementIterations(scale.rounds())
            .measurementTime(TimeValue.milliseconds(scale.roundMillis()))
            .verbosity(VerboseMode.SILENT)
            .build();
    try {
      return section(nanos(new Runner(options).run()));
    } catch (RunnerException e) {
      throw new IOException("JMH did not run", e);
    }
  }

  /** Returns the times by the name of the method and, in a mixed program, a suffix. */
  private static Map<String, Double> nanos(Collection<RunResult> results) {
    return results.stream()
        .collect(
            Collectors.toMap(
                MappingScenario::name, result -> result.getPrimaryResult().getScore()));
  }

  private static String name(RunResult result) {
    boolean mixed = Boolean.parseBoolean(result.getParams().getParam("mixed"));
    return result.getPrimaryResult().getLabel() + (mixed ? MIXED : "");
  }

  private static Section section(Map<String, Double> nanos) {
    Section section =
        new Section("An entity of ten properties, mapped", "what", "ns", "ns / by hand");
    double written = row(section, nanos, "write", "");
    double read = row(section, nanos, "read", "");
    double mixedWritten = row(section, nanos, "write", MIXED);
    double mixedRead = row(section, nanos, "read", MIXED);
    return section
        .remark("By hand: new TableEntity(...).addProperty(...), and casts of getProperty(...).")
        .aim(Aim.MAPPING_WRITE, written)
        .aim(Aim.MAPPING_READ, read)
        .aim(Aim.MAPPING_MIXED_WRITE, mixedWritten)
        .aim(Aim.MAPPING_MIXED_READ, mixedRead);
  }

  private static double row(
      Section section, Map<String, Double> nanos, String what, String suffix) {
    double byHand = requireNonNull(nanos.get(what + "ByHand" + suffix));
    double mapped = requireNonNull(nanos.get(what + suffix));
    section.row(what + " by hand" + suffix, Figures.number(byHand), Figures.ratio(1));
    section.row(what + suffix, Figures.number(mapped), Figures.ratio(mapped / byHand));
    return mapped / byHand;
  }
}
