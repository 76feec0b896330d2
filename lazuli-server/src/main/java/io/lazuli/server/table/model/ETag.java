package io.lazuli.server.table.model;

import org.jspecify.annotations.Nullable;

/** An entity's tag: its timestamp, dressed as {@code W/"datetime'…'"} (table-rest 4.6). */
public final class ETag {
  private static final String HEAD = "W/\"datetime'";
  private static final String TAIL = "'\"";

  private ETag() {}

  public static String text(long ticks) {
    return HEAD + DateTimeText.format(ticks).replace(":", "%3A") + TAIL;
  }

  /**
   * Reads a tag. SDKs hand back variants: without the closing quote (a policy of the Java SDK
   * strips it), with other spellings of the colon, without the weakness mark.
   *
   * @return null if it is none
   */
  public static @Nullable Long parse(String text) {
    int from = text.indexOf("datetime'");
    if (from < 0) {
      return null;
    }
    String head = text.substring(0, from);
    int end = text.indexOf('\'', from + 9);
    if (end < 0 || !isOneOf(head, "W/\"", "W/", "\"", "") || !isTail(text.substring(end + 1))) {
      return null;
    }
    String time = text.substring(from + 9, end).replace("%3A", ":").replace("%3a", ":");
    return DateTimeText.parse(time);
  }

  private static boolean isTail(String text) {
    return isOneOf(text, "\"", "");
  }

  private static boolean isOneOf(String text, String... choices) {
    for (String choice : choices) {
      if (text.equals(choice)) {
        return true;
      }
    }
    return false;
  }
}
