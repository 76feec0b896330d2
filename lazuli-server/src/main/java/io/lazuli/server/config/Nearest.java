package io.lazuli.server.config;

import java.util.Collection;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Guesses which name somebody meant: the one with the fewest letters to change. */
public final class Nearest {
  private Nearest() {}

  /** The nearest of the known names; null if none resembles what was written. */
  public static @Nullable String find(String written, Collection<String> known) {
    return known.stream()
        .filter(name -> distance(written, name) <= Math.max(2, written.length() / 3))
        .min(Comparator.comparingInt(name -> distance(written, name)))
        .orElse(null);
  }

  /** The same as the end of a line: a question, or nothing. */
  static String hint(String written, Collection<String> known) {
    String nearest = find(written, known);
    return nearest == null ? "" : "; did you mean " + nearest + "?";
  }

  /** Letters to insert, remove or replace; two rows of the usual table are enough. */
  private static int distance(String from, String to) {
    int[] above = new int[to.length() + 1];
    for (int column = 0; column <= to.length(); column++) {
      above[column] = column;
    }
    for (int row = 1; row <= from.length(); row++) {
      int[] here = new int[to.length() + 1];
      here[0] = row;
      for (int column = 1; column <= to.length(); column++) {
        int replaced = from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1;
        int edited = Math.min(above[column], here[column - 1]) + 1;
        here[column] = Math.min(edited, above[column - 1] + replaced);
      }
      above = here;
    }
    return above[to.length()];
  }
}
