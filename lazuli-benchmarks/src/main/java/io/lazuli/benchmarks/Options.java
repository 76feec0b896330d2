package io.lazuli.benchmarks;

import io.lazuli.benchmarks.scenario.Scale;
import io.lazuli.benchmarks.scenario.Scenario;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The options of the command line.
 *
 * @param only the names of the scenarios to run
 * @param jar the packed server
 * @param before an earlier packed server to compare with
 * @param folder the parent folder of the servers' data, so that the disk can be chosen
 * @param out a file for the report and the raw figures
 */
record Options(
    Scale scale,
    Set<String> only,
    Path jar,
    Optional<Path> before,
    Path folder,
    Optional<Path> out) {

  static final String USAGE =
      """
      Drives the packed Lazuli server, a bare echo server and (if installed) Azurite in
      alternation and prints the results as ratios.

        --quick          takes about a minute; results are noisy
        --full           everything, with a million entities; takes long
        --only A,B       only these: %s
        --rounds N       rounds per figure; the median is printed
        --jar FILE       the packed server (lazuli-server/target/lazuli.jar)
        --before FILE    an earlier packed server, for "before" and "logs"
        --folder DIR     where the servers keep their data (lazuli-benchmarks/target)
        --out FILE       also write the report and the figures of every round here

      Azurite is searched on PATH and in AZURITE_HOME/node_modules/.bin.
      LAZULI_JAVA_OPTS replaces the Java options of Lazuli and of the echo server.
      """
          .formatted(String.join(", ", names()));

  /**
   * Parses the arguments; the message of an {@link IllegalArgumentException} says what is wrong.
   */
  static Options parse(List<String> arguments) {
    Scale scale = Scale.standard();
    Optional<Integer> rounds = Optional.empty();
    Set<String> only = Set.copyOf(names());
    Path jar = Path.of("lazuli-server", "target", "lazuli.jar");
    Optional<Path> before = Optional.empty();
    Path folder = Path.of("lazuli-benchmarks", "target");
    Optional<Path> out = Optional.empty();
    Iterator<String> left = split(arguments).iterator();
    while (left.hasNext()) {
      String option = left.next();
      switch (option) {
        case "--quick" -> scale = Scale.quick();
        case "--full" -> scale = Scale.whole();
        case "--only" -> only = known(value(option, left));
        case "--rounds" -> rounds = Optional.of(positive(option, value(option, left)));
        case "--jar" -> jar = Path.of(value(option, left));
        case "--before" -> before = Optional.of(Path.of(value(option, left)));
        case "--folder" -> folder = Path.of(value(option, left));
        case "--out" -> out = Optional.of(Path.of(value(option, left)));
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
    return new Options(rounds.map(scale::withRounds).orElse(scale), only, jar, before, folder, out);
  }

  /** Splits {@code --a=b} into {@code --a b}. */
  private static List<String> split(List<String> arguments) {
    List<String> parts = new ArrayList<>();
    arguments.forEach(argument -> parts.addAll(Arrays.asList(argument.split("=", 2))));
    return parts;
  }

  private static String value(String option, Iterator<String> left) {
    if (!left.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return left.next();
  }

  private static int positive(String option, String value) {
    try {
      int number = Integer.parseInt(value);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + " needs a number, not " + value, e);
    }
    throw new IllegalArgumentException(option + " needs a number above 0, not " + value);
  }

  private static Set<String> known(String list) {
    Set<String> chosen = Set.of(list.split(",", -1));
    for (String name : chosen) {
      if (!names().contains(name)) {
        throw new IllegalArgumentException("unknown scenario " + name + "; known: " + names());
      }
    }
    return chosen;
  }

  private static List<String> names() {
    return Scenario.all().stream().map(Scenario::name).collect(Collectors.toList());
  }
}
