package io.lazuli.server.admin;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Prints how far a copy is: a bar for people if they watch, a JSON object in each line for
 * machines, otherwise nothing.
 */
public final class ByteProgress {
  private static final int BAR = 30;
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;
  private final boolean watched;
  private boolean drawn;

  public ByteProgress(PrintWriter out, PrintWriter err, boolean json, boolean watched) {
    this.out = out;
    this.err = err;
    this.json = json;
    this.watched = watched;
  }

  /** Shows the state of a copy that is running. */
  public void show(long done, long total, long bytesPerSecond) {
    long left = Math.max(0, total - done);
    long seconds = bytesPerSecond == 0 ? 0 : left / bytesPerSecond;
    if (json) {
      Map<String, String> line = new LinkedHashMap<>();
      line.put("state", "running");
      line.put("bytesDone", String.valueOf(done));
      line.put("bytes", String.valueOf(total));
      line.put("bytesPerSecond", String.valueOf(bytesPerSecond));
      line.put("secondsLeft", String.valueOf(seconds));
      print(line);
    } else if (watched) {
      int full = total == 0 ? BAR : (int) Math.min(BAR, done * BAR / total);
      err.printf(
          "\r[%s%s] %s of %s, %s/s, %d s left   ",
          "#".repeat(full),
          " ".repeat(BAR - full),
          text(done),
          text(total),
          text(bytesPerSecond),
          seconds);
      err.flush();
      drawn = true;
    }
  }

  /** Shows the result: values for machines, or a sentence for people. */
  public void end(Map<String, String> values, String sentence) {
    if (drawn) {
      err.println();
    }
    if (json) {
      print(values);
    } else {
      out.println(sentence);
      out.flush();
    }
  }

  private void print(Map<String, String> line) {
    out.println(new String(CommandJson.write(line), StandardCharsets.UTF_8));
    out.flush();
  }

  /** Returns a number of bytes for people. */
  public static String text(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
  }
}
