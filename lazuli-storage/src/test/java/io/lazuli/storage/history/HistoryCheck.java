package io.lazuli.storage.history;

import io.lazuli.storage.history.Operation.Kind;
import io.lazuli.storage.history.Operation.Outcome;
import io.lazuli.storage.history.Operation.Seen;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Checks a history. Every write raises the number of its partition by one, so that numbers give the
 * order of writes. Every number that an operation saw has bounds: at least the highest number that
 * any client knew before the operation began, and at most the number of writes that had begun
 * before it ended.
 */
public final class HistoryCheck {
  private final History history;
  private final List<Violation> violations = new ArrayList<>();

  private HistoryCheck(History history) {
    this.history = history;
  }

  /** Returns the violations; empty if the history can be correct. */
  public static List<Violation> violations(History history) {
    HistoryCheck check = new HistoryCheck(history);
    check.judgeScans();
    history.ends().forEach(check::judgePartition);
    return List.copyOf(check.violations);
  }

  private void judgePartition(String target, long end) {
    List<Operation> writes =
        history.operations().stream()
            .filter(each -> each.isWrite() && each.target().equals(target))
            .filter(each -> each.outcome() != Outcome.FAILED)
            .toList();
    judgeEnd(target, writes, end);
    judgeSights(target, writes, sights(target));
  }

  private void judgeEnd(String target, List<Operation> writes, long end) {
    Set<Long> given = new HashSet<>();
    long highest = 0;
    long acknowledged = 0;
    for (Operation write : writes) {
      if (!write.isAcknowledged()) {
        continue;
      }
      acknowledged++;
      long number = write.seen().get(0).number();
      highest = Math.max(highest, number);
      if (!given.add(number)) {
        add(Violation.Kind.LOST_WRITE, target + ": two writes were acknowledged as " + number);
      }
    }
    if (end < Math.max(highest, acknowledged)) {
      add(
          Violation.Kind.LOST_WRITE,
          target + ": " + end + " at the end, after " + acknowledged + " up to " + highest);
    }
    if (end > writes.size()) {
      add(
          Violation.Kind.COUNTED_TWICE,
          target + ": " + end + " at the end, after " + writes.size() + " writes at most");
    }
  }

  /** A number of a partition that a client saw or wrote. */
  private record Sight(long start, long end, long number, boolean written) {}

  private List<Sight> sights(String target) {
    List<Sight> sights = new ArrayList<>();
    for (Operation each : history.operations()) {
      if (!each.isAcknowledged()) {
        continue;
      }
      for (Seen seen : each.seen()) {
        if (seen.target().equals(target)) {
          sights.add(new Sight(each.start(), each.end(), seen.number(), each.isWrite()));
        }
      }
    }
    return sights;
  }

  private void judgeSights(String target, List<Operation> writes, List<Sight> sights) {
    long[] pending = writes.stream().mapToLong(Operation::start).sorted().toArray();
    List<Sight> byEnd = sights.stream().sorted(Comparator.comparingLong(Sight::end)).toList();
    List<Sight> byStart = sights.stream().sorted(Comparator.comparingLong(Sight::start)).toList();
    long known = 0;
    int next = 0;
    for (Sight sight : byStart) {
      while (next < byEnd.size() && byEnd.get(next).end() < sight.start()) {
        known = Math.max(known, byEnd.get(next).number());
        next++;
      }
      // A write has seen the number before its own.
      long found = sight.written() ? sight.number() - 1 : sight.number();
      if (found < known) {
        add(Violation.Kind.STALE_READ, target + ": found " + found + " after " + known);
      }
      if (sight.number() > countBelow(pending, sight.end())) {
        add(Violation.Kind.COUNTED_TWICE, target + ": found " + sight.number() + " too early");
      }
    }
  }

  private static int countBelow(long[] sorted, long limit) {
    int at = Arrays.binarySearch(sorted, limit);
    int count = at < 0 ? -at - 1 : at;
    while (count < sorted.length && sorted[count] <= limit) {
      count++;
    }
    return count;
  }

  private void judgeScans() {
    for (Operation scan : history.operations()) {
      if (scan.kind() == Kind.SCAN && scan.isAcknowledged()) {
        judgeRows(scan);
        judgeMoment(scan);
      }
    }
  }

  private void judgeRows(Operation scan) {
    SortedSet<String> missing = new TreeSet<>(history.rows().getOrDefault(scan.target(), none()));
    String last = "";
    for (Seen seen : scan.seen()) {
      missing.remove(seen.row());
      if (seen.row().compareTo(last) <= 0) {
        add(Violation.Kind.DISORDER, scan.target() + ": " + seen.row() + " came after " + last);
      }
      last = seen.row();
    }
    if (!missing.isEmpty()) {
      add(
          Violation.Kind.MISSING_ROW,
          scan.target() + ": " + missing.size() + " rows, the first " + missing.first());
    }
  }

  private static SortedSet<String> none() {
    return new TreeSet<>();
  }

  /** A scan of one partition must come from one point in time; a scan of several need not. */
  private void judgeMoment(Operation scan) {
    long numbers = scan.seen().stream().mapToLong(Seen::number).distinct().count();
    if (!scan.target().equals(History.EVERYTHING) && numbers > 1) {
      add(Violation.Kind.TORN_BATCH, scan.target() + ": " + scan.seen());
    }
  }

  private void add(Violation.Kind kind, String what) {
    violations.add(new Violation(kind, what));
  }
}
