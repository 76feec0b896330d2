package io.lazuli.conformance.siege;

import java.util.List;
import java.util.Locale;

/**
 * The outcome of one attack.
 *
 * @param operations the successful operations of the legitimate client during the attack
 * @param busy its answers that clients repeat: 503, and 500 OperationTimedOut
 * @param broken its requests that got no answer
 * @param refused its new connections that were not admitted
 * @param wrong its answers that contradict the protocol or what was stored
 * @param unanswered the questions to the admin port that got no answer
 * @param residentMib the highest resident memory of the server
 * @param stopSeconds the time from SIGTERM to the end of the process; NaN if it was not asked
 * @param faults what must not happen; empty if the server withstood the attack
 */
record SiegeReport(
    String attack,
    String offered,
    long operations,
    double p99Millis,
    long busy,
    long broken,
    long refused,
    long wrong,
    long unanswered,
    long residentMib,
    double stopSeconds,
    List<String> faults) {

  static final String HEAD =
      "| attack | offered | operations | p99 ms | 503 | broken | not admitted | wrong | admin"
          + " unanswered | resident MiB | SIGTERM to end, s | result |\n"
          + "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";

  SiegeReport {
    faults = List.copyOf(faults);
  }

  /** Returns the report with the outcome of SIGTERM. */
  SiegeReport withStop(double seconds, List<String> allFaults) {
    return new SiegeReport(
        attack,
        offered,
        operations,
        p99Millis,
        busy,
        broken,
        refused,
        wrong,
        unanswered,
        residentMib,
        seconds,
        allFaults);
  }

  /** Returns the report as a row of a Markdown table. */
  String row() {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %,d | %.1f | %d | %d | %d | %d | %d | %d | %s | %s |",
        attack,
        offered,
        operations,
        p99Millis,
        busy,
        broken,
        refused,
        wrong,
        unanswered,
        residentMib,
        Double.isNaN(stopSeconds) ? "" : String.format(Locale.ROOT, "%.1f", stopSeconds),
        faults.isEmpty() ? "withstood" : String.join("; ", faults));
  }
}
