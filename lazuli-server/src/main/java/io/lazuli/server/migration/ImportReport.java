package io.lazuli.server.migration;

import io.lazuli.server.error.ServiceException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Reports the progress of an import and counts what was left out. Mutable. */
public final class ImportReport {
  private final Consumer<String> progress;
  private final Consumer<String> problems;
  private final Map<String, Long> imported = new LinkedHashMap<>();
  private final Set<String> accounts = new TreeSet<>();
  private long leftOut;

  /**
   * @param progress receives lines about imported items
   * @param problems receives lines about problems and items left out
   */
  public ImportReport(Consumer<String> progress, Consumer<String> problems) {
    this.progress = progress;
    this.problems = problems;
  }

  void progress(String line) {
    progress.accept(line);
  }

  /** Counts one imported item. */
  void imported(String what) {
    imported(what, 1);
  }

  void imported(String what, long count) {
    imported.merge(what, count, Long::sum);
  }

  /** Records that data of the account was imported. */
  void uses(String account) {
    accounts.add(account);
  }

  /** Returns the accounts whose data was imported. */
  Set<String> accounts() {
    return accounts;
  }

  void leftOut(String what, String why) {
    leftOut++;
    warn("left out: " + what + ": " + why);
  }

  /** Reports something that the operator must know although nothing is left out. */
  void warn(String line) {
    // Anybody may have chosen the names in this line, and it goes to a terminal.
    problems.accept(line.replaceAll("\\p{Cntrl}", "?"));
  }

  /** Reports something that a service refused, with the error code. */
  void leftOut(String what, ServiceException why) {
    leftOut(what, why.error().code() + ": " + why.text().replaceAll("\\s+", " "));
  }

  /** Returns the number of items that were reported as left out. */
  public long leftOut() {
    return leftOut;
  }

  /** Returns a text with the number of imported items of each kind. */
  public String summary() {
    return imported.isEmpty()
        ? "nothing"
        : imported.entrySet().stream()
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(Collectors.joining(", "));
  }
}
