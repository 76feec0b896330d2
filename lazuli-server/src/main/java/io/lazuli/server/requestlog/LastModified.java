package io.lazuli.server.requestlog;

import java.time.DateTimeException;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * Writes the time when the object of a request was last changed, in the format of the logs: {@code
 * Friday, 31-Jul-26 18:21:46 GMT}. The text is copied from the response headers: every line needs
 * it, and formatting a time would cost more. Mutable: remembers the text of the last day; used by
 * one thread.
 */
final class LastModified {
  /** The length of a header such as {@code Fri, 31 Jul 2026 18:21:46 GMT}. */
  private static final int HEADER_CHARS = 29;

  /** The start of the time in a tag. The colons of the time are encoded. */
  private static final String TAG_START = "datetime'";

  private static final int TAG_CHARS_MIN = "2026-07-31T18%3A21%3A46".length();

  private static final int DAY_CHARS = "2026-07-31".length();

  private static final String[] DAYS =
      "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ", -1);
  private static final String[] MONTHS =
      "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ", -1);

  private String knownTag = "";
  private int knownFrom;
  private String knownDay = "";

  /**
   * Appends the time; nothing if the response has none. Entities have no Last-Modified header, so
   * the time is taken from their tag.
   */
  void append(LineBytes out, PickedAnswer answer) {
    if (answer.lastModified.length() == HEADER_CHARS) {
      appendHeader(out, answer.lastModified);
      return;
    }
    int from = answer.etag.indexOf(TAG_START) + TAG_START.length();
    if (from >= TAG_START.length() && answer.etag.length() >= from + TAG_CHARS_MIN) {
      appendTag(out, answer.etag, from);
    }
  }

  private static void appendHeader(LineBytes out, String text) {
    for (String day : DAYS) {
      if (day.startsWith(text.substring(0, 3))) {
        out.add(day);
      }
    }
    out.add(", ").add(text, 5, 7).add('-').add(text, 8, 11).add('-');
    out.add(text, 14, 16).add(text, 16, HEADER_CHARS);
  }

  private void appendTag(LineBytes out, String tag, int from) {
    if (!tag.regionMatches(from, knownTag, knownFrom, DAY_CHARS)) {
      knownDay = dayText(tag, from);
      knownTag = tag;
      knownFrom = from;
    }
    if (knownDay.isEmpty()) {
      return;
    }
    out.add(knownDay);
    out.add(tag, from + 11, from + 13).add(':');
    out.add(tag, from + 16, from + 18).add(':');
    out.add(tag, from + 21, from + 23).add(" GMT");
  }

  /** Returns text such as {@code Friday, 31-Jul-26 }; empty if the tag has no valid date. */
  private static String dayText(String tag, int from) {
    LocalDate day = day(tag, from);
    return day == null
        ? ""
        : DAYS[day.getDayOfWeek().getValue() - 1]
            + ", "
            + tag.substring(from + 8, from + DAY_CHARS)
            + "-"
            + MONTHS[day.getMonthValue() - 1]
            + "-"
            + tag.substring(from + 2, from + 4)
            + " ";
  }

  private static @Nullable LocalDate day(String tag, int from) {
    try {
      return LocalDate.of(
          Integer.parseInt(tag, from, from + 4, 10),
          Integer.parseInt(tag, from + 5, from + 7, 10),
          Integer.parseInt(tag, from + 8, from + 10, 10));
    } catch (NumberFormatException | DateTimeException e) {
      return null;
    }
  }
}
