package io.lazuli.server.migration;

import io.lazuli.server.error.ServiceException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Tells how an import goes on, and remembers whether something was left out. Mutable. */
public final class ImportReport {
  private final Consumer<String> progress;
  private final Consumer<String> problems;
  private final Map<String, Long> imported = new LinkedHashMap<>();
  private final Set<String> accounts = new TreeSet<>();
  private long leftOut;

  /**
   * @param progress takes lines about what was done
   * @param problems takes lines about what was not
   */
  public ImportReport(Consumer<String> progress, Consumer<String> problems) {
    this.progress = progress;
    this.problems = problems;
  }

  void progress(String line) {
    progress.accept(line);
  }

  /** Counts what was taken over. */
  void imported(String what) {
    imported(what, 1);
  }

  void imported(String what, long count) {
    imported.merge(what, count, Long::sum);
  }

  /** Something of the account was taken over. */
  void uses(String account) {
    accounts.add(account);
  }

  /** Those of which something was taken over. */
  Set<String> accounts() {
    return accounts;
  }

  void leftOut(String what, String why) {
    leftOut++;
    warn("left out: " + what + ": " + why);
  }

  /** Tells what the operator has to know, though nothing is left out. */
  void warn(String line) {
    // Names are anybody's, and this goes to a terminal.
    problems.accept(line.replaceAll("\\p{Cntrl}", "?"));
  }

  /** What a service refused, with its code. */
  void leftOut(String what, ServiceException why) {
    leftOut(what, why.error().code() + ": " + why.text().replaceAll("\\s+", " "));
  }

  /** How many things were named as left out. */
  public long leftOut() {
    return leftOut;
  }

  /** What was taken over, in words. */
  public String summary() {
    return imported.isEmpty()
        ? "nothing"
        : imported.entrySet().stream()
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(Collectors.joining(", "));
  }
}
