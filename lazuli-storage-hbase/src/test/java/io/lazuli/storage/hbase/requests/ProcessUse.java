package io.lazuli.storage.hbase.requests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The processor time of processes at some moment, in seconds, of whole processes. */
record ProcessUse(Map<String, Double> seconds, long nanos) {
  private static final double TICKS = 100;

  /**
   * Reads the time of processes.
   *
   * @param processes their ids, by the names under which they are counted
   */
  static ProcessUse now(Map<String, Long> processes) {
    Map<String, Double> seconds = new LinkedHashMap<>();
    processes.forEach((name, pid) -> seconds.put(name, seconds(pid)));
    return new ProcessUse(seconds, System.nanoTime());
  }

  /** Returns the processors that a process has used on average. */
  double cores(String process, ProcessUse earlier) {
    return (seconds.get(process) - earlier.seconds.get(process)) / (nanos - earlier.nanos) * 1e9;
  }

  private static double seconds(long pid) {
    try {
      String text = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
      String[] words = text.substring(text.lastIndexOf(')') + 2).split(" ", 15);
      return (Long.parseLong(words[11]) + Long.parseLong(words[12])) / TICKS;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
