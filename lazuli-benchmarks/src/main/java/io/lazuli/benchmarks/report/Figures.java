package io.lazuli.benchmarks.report;

import java.util.Locale;

/** Formats numbers for people, with three significant digits. */
public final class Figures {
  private Figures() {}

  public static String number(double value) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    double size = Math.abs(value);
    if (size >= 100) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, size >= 10 ? "%.1f" : "%.2f", value);
  }

  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  public static String ratio(double value) {
    return number(value) + " x";
  }
}
