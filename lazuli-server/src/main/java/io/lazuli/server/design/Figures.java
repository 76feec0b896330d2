package io.lazuli.server.design;

import java.util.Locale;

/** Writes numbers for people. */
final class Figures {
  private Figures() {}

  /** Returns a number with grouped digits; below 10 with one decimal if it has one. */
  static String of(double number) {
    return number < 10 && Math.abs(number - Math.rint(number)) > 0.05
        ? String.format(Locale.ROOT, "%.1f", number)
        : String.format(Locale.ROOT, "%,d", Math.round(number));
  }
}
