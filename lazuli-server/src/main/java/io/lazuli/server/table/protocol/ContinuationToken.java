package io.lazuli.server.table.protocol;

import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.TableErrors;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * One part of a continuation token: {@code 1!}, the length of the rest, {@code !}, and the key in
 * URL-safe Base64 without padding (table-rest 7.6). It names the first key of the next page.
 */
final class ContinuationToken {
  private static final String VERSION = "1!";

  private ContinuationToken() {}

  /** Encodes a key. */
  static String encode(byte[] key) {
    String text = Utf8.decode(key, 0, key.length);
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    String rest = Base64.getUrlEncoder().withoutPadding().encodeToString(utf8);
    if (hasDashPadding(rest)) {
      rest += "=";
    }
    return VERSION + rest.length() + "!" + rest;
  }

  /**
   * Decodes a token into the text of the key. Accepts padding with {@code -} or {@code =}, both
   * alphabets, and a raw key without the version.
   */
  static String decode(String token) {
    if (!token.startsWith(VERSION)) {
      return token;
    }
    int mark = token.indexOf('!', VERSION.length());
    if (mark < 0) {
      throw TableErrors.INVALID_INPUT.exception();
    }
    int length = length(token.substring(VERSION.length(), mark));
    String rest = token.substring(mark + 1);
    if (length != rest.length()) {
      throw TableErrors.INVALID_INPUT.exception();
    }
    return text(rest);
  }

  private static int length(String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw TableErrors.INVALID_INPUT.exception();
    }
  }

  private static String text(String rest) {
    int end = rest.length();
    if (hasDashPadding(rest)) {
      end -= rest.charAt(end - 2) == '-' ? 2 : 1;
    }
    while (end > 0 && rest.charAt(end - 1) == '=') {
      end--;
    }
    String standard = rest.substring(0, end).replace('-', '+').replace('_', '/');
    try {
      byte[] bytes = Base64.getDecoder().decode(standard);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (IllegalArgumentException | CharacterCodingException e) {
      throw TableErrors.INVALID_INPUT.exception();
    }
  }

  /**
   * Returns true if the token seems to be padded with dashes, as the tokens of the live service
   * are. If a token of ours ends in a dash, {@link #encode} adds an equals sign, which marks all
   * dashes before it as Base64 digits.
   */
  private static boolean hasDashPadding(String rest) {
    return !rest.isEmpty() && rest.length() % 4 == 0 && rest.endsWith("-");
  }
}
