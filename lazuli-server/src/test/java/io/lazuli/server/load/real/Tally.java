package io.lazuli.server.load.real;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts of requests by operation, and of answers that are not a success by code. Thread-safe. */
final class Tally {
  private static final int SURPRISES_MAX = 50;

  private final Map<String, LongAdder> operations = new ConcurrentSkipListMap<>();
  private final Map<String, LongAdder> codes = new ConcurrentSkipListMap<>();
  private final Queue<String> surprises = new ConcurrentLinkedQueue<>();
  private final LongAdder requests = new LongAdder();
  private final LongAdder late = new LongAdder();
  private final AtomicLong lagNanosMax = new AtomicLong();

  void answered(Call call, int status, String code, String detail) {
    requests.increment();
    operations.computeIfAbsent(call.name(), name -> new LongAdder()).increment();
    if (status >= Call.NOT_MODIFIED) {
      codes
          .computeIfAbsent(call.name() + " " + status + " " + code, name -> new LongAdder())
          .increment();
    }
    if (!call.expected().contains(status)) {
      surprised(call.name() + " " + call.path() + ": " + status + " " + code + " " + detail);
    }
  }

  /** Notes something that a program cannot handle. */
  void surprised(String what) {
    if (surprises.size() < SURPRISES_MAX) {
      surprises.add(what);
    }
  }

  /** Notes how much later than planned a piece of work began. */
  void began(long lagNanos) {
    lagNanosMax.accumulateAndGet(lagNanos, Math::max);
    if (lagNanos > 1_000_000_000) {
      late.increment();
    }
  }

  List<String> surprises() {
    return List.copyOf(surprises);
  }

  long requests() {
    return requests.sum();
  }

  /** Returns a line of a table for each operation and for each code. */
  String table(double seconds) {
    StringBuilder text =
        new StringBuilder("| operation | requests | per second |\n| --- | --- | --- |\n");
    operations.forEach((name, count) -> text.append(line(name, count.sum(), seconds)));
    text.append(line("all", requests.sum(), seconds));
    text.append("\n| answer that is not a success | count |\n| --- | --- |\n");
    codes.forEach(
        (code, count) ->
            text.append("| ").append(code).append(" | ").append(count.sum()).append(" |\n"));
    text.append(
        String.format(
            Locale.ROOT,
            "%nwork that began more than a second late: %d; latest by %.1f s%n",
            late.sum(),
            lagNanosMax.get() / 1e9));
    return text.toString();
  }

  private static String line(String name, long count, double seconds) {
    return String.format(Locale.ROOT, "| %s | %,d | %.1f |%n", name, count, count / seconds);
  }
}
