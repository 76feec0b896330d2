package io.lazuli.server.config;

import java.util.Collection;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Guesses which name was meant: the known name with the fewest characters to change. */
public final class Nearest {
  private Nearest() {}

  /** Returns the nearest of the known names; null if none is similar. */
  public static @Nullable String find(String written, Collection<String> known) {
    return known.stream()
        .filter(name -> distance(written, name) <= Math.max(2, written.length() / 3))
        .min(Comparator.comparingInt(name -> distance(written, name)))
        .orElse(null);
  }

  /** Returns the end of an error message: a question, or nothing. */
  public static String hint(String written, Collection<String> known) {
    String nearest = find(written, known);
    return nearest == null ? "" : "; did you mean " + nearest + "?";
  }

  /**
   * Returns the number of characters to insert, remove or replace. Two rows of the usual table are
   * enough.
   */
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
