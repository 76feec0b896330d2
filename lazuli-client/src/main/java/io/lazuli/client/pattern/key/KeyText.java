package io.lazuli.client.pattern.key;

import java.util.Map;

/**
 * Escapes text for use in a key: the result contains neither the separator nor characters that a
 * key must not contain, and it preserves the order of texts.
 *
 * <p>The neighbour of a forbidden character is the character before it in Unicode. The forbidden
 * character is written as its neighbour and {@code ~}; the neighbour itself is doubled. So {@code
 * /} becomes {@code .~} and {@code .} becomes {@code ..}, which sort between {@code -} and {@code
 * 0} as before. Control characters have no such neighbour: those before the space become a space
 * and two hexadecimal digits, and the space becomes {@code " ~"}; those after {@code ~} become
 * {@code ~} and two digits, as does {@code ~} itself. No code is a prefix of another, and codes
 * sort like their characters, so texts keep their order.
 */
final class KeyText {
  private static final char MARK = '~';
  private static final char LAST_CONTROL = 0x9f;
  private static final int HEX = 16;

  private final char separator;

  /** Maps each neighbour to the forbidden character after it. */
  private final Map<Character, Character> escaped;

  KeyText(char separator) {
    if ("_-|".indexOf(separator) < 0) {
      throw new IllegalArgumentException("the separator must be _ or - or |, not " + separator);
    }
    this.separator = separator;
    this.escaped =
        Map.of('"', '#', '.', '/', '>', '?', '[', '\\', (char) (separator - 1), separator);
  }

  char separator() {
    return separator;
  }

  String escape(String text) {
    StringBuilder key = new StringBuilder(text.length() + HEX);
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (Character.isSurrogate(each) && !isPaired(text, i)) {
        throw new IllegalArgumentException("a key cannot contain an unpaired surrogate");
      }
      append(key, each);
    }
    return key.toString();
  }

  private static boolean isPaired(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at))
        ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
        : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
  }

  private void append(StringBuilder key, char each) {
    if (each < ' ') {
      key.append(' ');
      appendHex(key, each);
    } else if (each == ' ') {
      key.append(' ').append(MARK);
    } else if (each >= MARK && each <= LAST_CONTROL) {
      key.append(MARK);
      appendHex(key, each);
    } else if (escaped.containsKey(each)) {
      key.append(each).append(each);
    } else if (escaped.containsValue(each)) {
      key.append((char) (each - 1)).append(MARK);
    } else {
      key.append(each);
    }
  }

  private static void appendHex(StringBuilder key, char each) {
    key.append(Character.forDigit(each / HEX, HEX)).append(Character.forDigit(each % HEX, HEX));
  }

  /**
   * Reverses {@link #escape}; throws {@link IllegalArgumentException} if the key is not escaped
   * text.
   */
  String unescape(String key) {
    StringBuilder text = new StringBuilder(key.length());
    int at = 0;
    while (at < key.length()) {
      char each = key.charAt(at);
      int length = codeLength(key, at);
      text.append(length == 1 ? each : decoded(key.substring(at, at + length)));
      at += length;
    }
    if (!escape(text.toString()).equals(key)) {
      throw notEscaped(key);
    }
    return text.toString();
  }

  private int codeLength(String key, int at) {
    char each = key.charAt(at);
    boolean special = each == ' ' || each == MARK || escaped.containsKey(each);
    if (!special) {
      return 1;
    }
    boolean hex = each == MARK || (each == ' ' && !key.startsWith(" " + MARK, at));
    int length = hex ? 3 : 2;
    if (at + length > key.length()) {
      throw notEscaped(key);
    }
    return length;
  }

  private char decoded(String code) {
    char first = code.charAt(0);
    if (code.length() == 3) {
      return (char)
          (Character.digit(code.charAt(1), HEX) * HEX + Character.digit(code.charAt(2), HEX));
    }
    if (first == ' ' || code.charAt(1) != MARK) {
      return first;
    }
    return (char) (first + 1);
  }

  private static IllegalArgumentException notEscaped(String key) {
    return new IllegalArgumentException("not an escaped part of a compound key: " + key);
  }
}
