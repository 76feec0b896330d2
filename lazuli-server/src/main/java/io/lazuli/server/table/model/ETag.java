package io.lazuli.server.table.model;

import org.jspecify.annotations.Nullable;

/** The ETag of an entity: its timestamp in the form {@code W/"datetime'…'"} (table-rest 4.6). */
public final class ETag {
  private static final String WEAK = "W/\"";
  private static final String HEAD = WEAK + "datetime'";
  private static final String TAIL = "'\"";

  private ETag() {}

  public static String text(long ticks) {
    return HEAD + DateTimeText.format(ticks).replace(":", "%3A") + TAIL;
  }

  /**
   * Returns true if the text has the form of a weak tag, whatever its content. Any other text is
   * malformed. The closing quote may be missing: a policy of the Java SDK strips it.
   */
  static boolean isWeak(String text) {
    return text.startsWith(WEAK);
  }

  /**
   * Parses a tag. Accepts the variants that SDKs send back: without the closing quote, and with
   * other encodings of the colon.
   *
   * @return null if the text is not a tag of an entity
   */
  static @Nullable Long parse(String text) {
    if (!text.startsWith(HEAD)) {
      return null;
    }
    int end = text.indexOf('\'', HEAD.length());
    if (end < 0 || !(text.endsWith(TAIL) ? end == text.length() - 2 : end == text.length() - 1)) {
      return null;
    }
    String time = text.substring(HEAD.length(), end).replace("%3A", ":").replace("%3a", ":");
    return DateTimeText.parse(time);
  }
}
