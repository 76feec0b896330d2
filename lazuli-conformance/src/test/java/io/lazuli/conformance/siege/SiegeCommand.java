package io.lazuli.conformance.siege;

import io.lazuli.conformance.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs attacks of the full form against any packed server, each against a new process, and prints a
 * row of figures for each: {@code SiegeCommand JAR [ATTACK …]}. The system property {@code
 * siege.short} selects the short form.
 */
final class SiegeCommand {

  private SiegeCommand() {}

  public static void main(String[] arguments) throws IOException {
    Path jar = Path.of(arguments[0]);
    List<String> names = Arrays.asList(arguments).subList(1, arguments.length);
    Strength strength = Boolean.getBoolean("siege.short") ? Strength.SHORT : Strength.FULL;
    System.out.println(SiegeReport.HEAD);
    for (Attack attack : Attacks.all()) {
      if (names.isEmpty() || names.contains(attack.name())) {
        System.out.println(run(jar, attack, strength).row());
      }
    }
    System.exit(0);
  }

  /** Runs one attack against a new server, and then stops the server with SIGTERM. */
  static SiegeReport run(Path jar, Attack attack, Strength strength) throws IOException {
    Path folder = ServerProcess.temporaryFolder();
    try (Target target =
        attack.isSecure()
            ? Target.startSecure(jar, folder, strength)
            : Target.start(jar, folder, strength)) {
      Siege siege = new Siege(target, strength);
      SiegeReport report = siege.run(attack);
      double seconds = siege.stop();
      List<String> faults = new ArrayList<>(report.faults());
      if (Double.isNaN(seconds)) {
        faults.add("SIGTERM was ignored for " + Siege.STOP_SECONDS_MAX + " s");
      }
      return report.withStop(seconds, faults);
    }
  }
}
