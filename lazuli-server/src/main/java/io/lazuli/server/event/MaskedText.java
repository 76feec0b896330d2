package io.lazuli.server.event;

/**
 * Masks the signatures in texts that are logged or shown, such as URLs and strings-to-sign. Whoever
 * reads a signature could act as its owner. Names and values are recognised in any letter case, and
 * if parts of them are percent-encoded, once or several times.
 */
public final class MaskedText {
  private static final String MASK = "XXXXX";
  private static final String NAME = "sig";

  /** The characters after which the name of a parameter begins. */
  private static final String BEFORE_NAME = "?&;#\n\r\" ";

  /**
   * The characters that end a value. A space and a comma do not: a space can stand for a plus sign,
   * and a comma joins several values in a string-to-sign.
   */
  private static final String AFTER_VALUE = "&;#\n\r\t\"'<>(){}[]\\";

  private MaskedText() {}

  /** Returns the text with all signatures masked. */
  public static String of(String text) {
    return replaced(text, MASK);
  }

  /** Returns the text without the values of signatures. */
  public static String withoutSignatures(String text) {
    return replaced(text, "");
  }

  private static String replaced(String text, String mask) {
    StringBuilder out = null;
    int copied = 0;
    boolean mayBegin = true;
    for (int at = 0; at < text.length(); ) {
      char c = text.charAt(at);
      boolean isCandidate = mayBegin && (c == 's' || c == 'S' || c == '%');
      int value = isCandidate ? endOfName(text, at) : -1;
      if (value >= 0) {
        out = out == null ? new StringBuilder(text.length()) : out;
        out.append(text, copied, value).append(mask);
        at = endOfValue(text, value);
        copied = at;
        mayBegin = false;
      } else {
        mayBegin = BEFORE_NAME.indexOf(c == '%' ? decoded(text, at) : c) >= 0;
        at = c == '%' ? next(text, at) : at + 1;
      }
    }
    return out == null ? text : out.append(text, copied, text.length()).toString();
  }

  /** Returns the index after {@code sig=} or {@code sig:}; -1 if neither is here. */
  private static int endOfName(String text, int from) {
    int at = from;
    for (int i = 0; i < NAME.length(); i++, at = next(text, at)) {
      if (at >= text.length() || lower(decoded(text, at)) != NAME.charAt(i)) {
        return -1;
      }
    }
    char end = at < text.length() ? decoded(text, at) : 0;
    return end == '=' || end == ':' ? next(text, at) : -1;
  }

  private static int endOfValue(String text, int from) {
    int at = from;
    while (at < text.length() && AFTER_VALUE.indexOf(decoded(text, at)) < 0) {
      at = next(text, at);
    }
    return at;
  }

  private static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
  }

  /** Returns the character that a character or an escape stands for. */
  private static char decoded(String text, int at) {
    int end = next(text, at);
    return end == at + 1 ? text.charAt(at) : (char) (hex(text, end - 2) << 4 | hex(text, end - 1));
  }

  /**
   * Returns the index after a character or an escape. An escape that was escaped again, such as
   * {@code %253D}, is one escape. A percent sign without hexadecimal digits is a character.
   */
  private static int next(String text, int at) {
    if (text.charAt(at) != '%') {
      return at + 1;
    }
    int digits = at + 1;
    while (text.startsWith("25", digits) && areHex(text, digits + 2)) {
      digits += 2;
    }
    return areHex(text, digits) ? digits + 2 : at + 1;
  }

  private static boolean areHex(String text, int at) {
    return at + 1 < text.length() && hex(text, at) >= 0 && hex(text, at + 1) >= 0;
  }

  private static int hex(String text, int at) {
    return Character.digit(text.charAt(at), 16);
  }
}
