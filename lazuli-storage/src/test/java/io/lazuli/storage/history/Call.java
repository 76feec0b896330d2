package io.lazuli.storage.history;

import java.util.Locale;

/**
 * One request of a client and its answer.
 *
 * @param start the time before the request, in nanoseconds of a clock that all clients share
 * @param end the time after the answer; {@link #NEVER} if the answer was lost
 * @param client the number of the client
 */
public record Call(long start, long end, int client, Step step) {
  /** The end of a request whose answer was lost: it may still take effect at any time. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final double NANOS_PER_MILLI = 1e6;

  /** Returns true if the answer was lost. */
  public boolean isOpen() {
    return end == NEVER;
  }

  /** Returns a line with the times in milliseconds after the origin. */
  public String line(long origin) {
    return line(start, end, origin, client, step.toString());
  }

  /** Returns a line of a report. */
  public static String line(long start, long end, long origin, int client, String what) {
    return String.format(
        Locale.ROOT,
        "%12.3f .. %-12s client %-3d %s",
        (start - origin) / NANOS_PER_MILLI,
        end == NEVER
            ? "no answer"
            : String.format(Locale.ROOT, "%.3f ms", (end - origin) / NANOS_PER_MILLI),
        client,
        what);
  }
}
