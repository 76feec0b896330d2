package io.lazuli.server.error;

/** Escapes text for an XML document, as element content or as an attribute. */
public final class XmlText {
  private XmlText() {}

  /**
   * Appends escaped text. Characters that XML 1.0 cannot express become question marks. A carriage
   * return is escaped, because parsers read a raw one as a line feed.
   */
  public static void append(StringBuilder out, String text) {
    append(out, text, "\"");
  }

  /** Appends the value of an attribute in double quotes. */
  public static void appendAttribute(StringBuilder out, String text) {
    append(out, text, "&quot;");
  }

  private static void append(StringBuilder out, String text, String quote) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '"' -> out.append(quote);
        case '\r' -> out.append("&#xD;");
        default -> out.append(isXmlCharacter(text, i) ? c : '?');
      }
    }
  }

  private static boolean isXmlCharacter(String text, int at) {
    char c = text.charAt(at);
    if (Character.isHighSurrogate(c)) {
      return at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }
    return c >= 0x20 ? c < 0xfffe : c == '\n' || c == '\t';
  }
}
