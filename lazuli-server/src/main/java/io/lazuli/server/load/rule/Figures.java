package io.lazuli.server.load.rule;

import java.time.Duration;
import java.util.Locale;

/** Numbers as texts for people. */
final class Figures {
  /** The 97.5 % point of the normal distribution: both ends of a 95 % interval. */
  private static final double Z = 1.96;

  private Figures() {}

  /** Returns the lower end of the 95 % interval of a share (Wilson). */
  static double atLeast(double hits, double of) {
    if (of <= 0) {
      return 0;
    }
    double share = Math.min(1, hits / of);
    double square = Z * Z;
    double middle = share + square / (2 * of);
    double margin = Z * Math.sqrt(share * (1 - share) / of + square / (4 * of * of));
    return Math.max(0, (middle - margin) / (1 + square / of));
  }

  static double atLeast(long hits, long of) {
    return atLeast((double) hits, (double) of);
  }

  static String number(long number) {
    return number((double) number);
  }

  static String bytes(long bytes) {
    return bytes((double) bytes);
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, share < 0.1 ? "%.1f %%" : "%.0f %%", share * 100);
  }

  static String number(double number) {
    return String.format(
        Locale.ROOT, number < 10 && number != Math.rint(number) ? "%.1f" : "%,.0f", number);
  }

  static String bytes(double bytes) {
    return bytes >= 1 << 20
        ? String.format(Locale.ROOT, "%.1f MiB", bytes / (1 << 20))
        : String.format(Locale.ROOT, "%,.0f KiB", bytes / (1 << 10));
  }

  static String time(Duration time) {
    long minutes = Math.max(1, time.toMinutes());
    if (minutes < 120) {
      return minutes == 1 ? "1 minute" : minutes + " minutes";
    }
    return minutes < 48 * 60 ? minutes / 60 + " hours" : minutes / (24 * 60) + " days";
  }
}
