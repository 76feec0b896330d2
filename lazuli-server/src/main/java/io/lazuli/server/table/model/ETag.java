package io.lazuli.server.table.model;

import org.jspecify.annotations.Nullable;

/** The ETag of an entity: its timestamp in the form {@code W/"datetime'…'"} (table-rest 4.6). */
public final class ETag {
  private static final String HEAD = "W/\"datetime'";
  private static final String TAIL = "'\"";

  private ETag() {}

  public static String text(long ticks) {
    return HEAD + DateTimeText.format(ticks).replace(":", "%3A") + TAIL;
  }

  /**
   * Parses a tag. Accepts the variants that SDKs send back: without the closing quote, which a
   * policy of the Java SDK strips, with other encodings of the colon, and without the mark of a
   * weak tag.
   *
   * @return null if the text is not a tag
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
