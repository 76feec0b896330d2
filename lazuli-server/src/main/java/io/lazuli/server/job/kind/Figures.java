package io.lazuli.server.job.kind;

import java.util.Locale;

/** Numbers in sentences. */
final class Figures {
  private Figures() {}

  static String number(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }

  static String count(long n, String one, String many) {
    return number(n) + " " + (n == 1 ? one : many);
  }

  static String entities(long n) {
    return count(n, "entity", "entities");
  }

  static String bytes(long n) {
    if (n < 1 << 10) {
      return n + " B";
    }
    String[] units = {"KiB", "MiB", "GiB", "TiB"};
    double value = n;
    int unit = -1;
    while (value >= 1 << 10 && unit < units.length - 1) {
      value /= 1 << 10;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
  }
}
