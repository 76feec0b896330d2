package io.lazuli.client.query;

import org.jspecify.annotations.Nullable;

/** The ends of text ranges in the order of the service, which compares UTF-16 code units. */
final class TextRange {
  private static final char BEFORE_SURROGATES = Character.MIN_SURROGATE - 1;
  private static final String FIRST_PAIR =
      Character.toString(Character.MIN_SUPPLEMENTARY_CODE_POINT);
  private static final String AFTER_SURROGATES =
      String.valueOf((char) (Character.MAX_SURROGATE + 1));

  private TextRange() {}

  /**
   * Returns the smallest text that is greater than every text with the prefix, or null if there is
   * none. The result contains no unpaired surrogate, because that could not be sent.
   */
  static @Nullable String endOfPrefix(String prefix) {
    for (int end = prefix.length(); end > 0; end--) {
      char last = prefix.charAt(end - 1);
      if (Character.isLowSurrogate(last) && end > 1) {
        int pair = prefix.codePointBefore(end);
        return prefix.substring(0, end - 2) + afterPair(pair);
      }
      if (last == BEFORE_SURROGATES) {
        return prefix.substring(0, end - 1) + FIRST_PAIR;
      }
      if (last < Character.MAX_VALUE) {
        return prefix.substring(0, end - 1) + (char) (last + 1);
      }
    }
    return null;
  }

  private static String afterPair(int pair) {
    return pair == Character.MAX_CODE_POINT ? AFTER_SURROGATES : Character.toString(pair + 1);
  }
}
