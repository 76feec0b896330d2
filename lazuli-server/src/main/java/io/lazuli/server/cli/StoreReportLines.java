package io.lazuli.server.cli;

import io.lazuli.server.config.ServerStartException;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StoreReport;
import io.lazuli.storage.StoredDamage;
import java.io.PrintWriter;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** Prints what {@code lazuli verify} and {@code lazuli repair} found. */
final class StoreReportLines {
  private StoreReportLines() {}

  /** Prints a line for each damaged place, then the notes. Returns the exit code. */
  static int print(CommandSpec spec, Supplier<StoreReport> work) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try {
      StoreReport report = work.get();
      for (StoredDamage damage : report.damage()) {
        out.printf("%s, offset %d: %s%n", damage.file(), damage.offset(), damage.problem());
      }
      report.notes().forEach(out::println);
      out.flush();
      if (report.damage().isEmpty()) {
        return 0;
      }
      err.println("lazuli: " + report.damage().size() + " damaged, see above");
    } catch (EngineOpenException | ServerStartException e) {
      err.println("lazuli: " + e.getMessage());
    }
    return 1;
  }
}
