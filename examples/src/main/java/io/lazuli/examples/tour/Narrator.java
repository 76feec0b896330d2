package io.lazuli.examples.tour;

import io.lazuli.client.query.Query;
import io.lazuli.client.table.Table;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Prints the tour: runs each step and prints its purpose, then its requests. Used by one thread.
 */
final class Narrator {
  private static final String ROW = "   %-84s %-10s %5s %9s%n";
  private static final int WIDTH = 104;

  private final PrintStream out;
  private final RequestWatch watch;
  private int chapters;

  Narrator(PrintStream out, RequestWatch watch) {
    this.out = out;
    this.watch = watch;
  }

  /** Starts a chapter. */
  void chapter(String title, String why) {
    chapters++;
    out.printf("%n%d. %s%n", chapters, title);
    say(why);
  }

  /** Prints a text, wrapped into lines. */
  void say(String text) {
    StringBuilder line = new StringBuilder("  ");
    for (String word : text.split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        out.println(line);
        line = new StringBuilder("  ");
      }
      line.append(' ').append(word);
    }
    out.println(line);
  }

  void queryHeadings() {
    out.println();
    out.printf(ROW, "query", "kind", "read", "returned");
  }

  /** Runs a query and prints its kind, and how many entities the server read and returned. */
  void query(Table<?> table, Query query) {
    watch.forget();
    long returned = table.query(query).count();
    long read = watch.seen().stream().mapToLong(request -> request.read().orElse(0)).sum();
    out.printf(ROW, query, kind(query), read, returned);
  }

  private static String kind(Query query) {
    return query.explain().kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Runs an action and prints its requests; equal requests are printed once. */
  void step(String what, Runnable action) {
    step(
        what,
        () -> {
          action.run();
          return "";
        });
  }

  /** Like {@link #step(String, Runnable)}, for an action with a result to print. */
  void step(String what, Supplier<?> action) {
    watch.forget();
    String result = String.valueOf(action.get());
    List<SeenRequest> seen = watch.seen();
    out.println();
    out.printf("   %s%s%n", what, result.isEmpty() ? "" : " -> " + result);
    counted(seen).forEach((line, times) -> out.println(numbered(line, times)));
    out.printf("     = %d %s%n", seen.size(), seen.size() == 1 ? "request" : "requests");
  }

  private static String numbered(String line, int times) {
    return "     " + line + (times == 1 ? "" : "  x " + times);
  }

  private static Map<String, Integer> counted(List<SeenRequest> seen) {
    Map<String, Integer> lines = new LinkedHashMap<>();
    seen.forEach(request -> lines.merge(request.line(), 1, Integer::sum));
    return lines;
  }
}
