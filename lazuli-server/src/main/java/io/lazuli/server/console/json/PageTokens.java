package io.lazuli.server.console.json;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Page tokens: the position at which the next page begins, signed together with the list that it
 * belongs to. A token of another list, or of nobody, is refused.
 */
public final class PageTokens {
  private static final String VERSION = "p1.";
  private static final int MAC_BYTES = 16;

  /** Longer than any token of ours: two keys of 1,024 characters, three bytes each. */
  private static final int CHARS_MAX = 12 << 10;

  private final SecretKeySpec key;

  /**
   * @param key at least 32 random bytes
   */
  public PageTokens(byte[] key) {
    this.key = new SecretKeySpec(key, "HmacSHA256");
  }

  /**
   * Returns a token.
   *
   * @param list what makes the list: its route, its resource and its filters
   */
  public String write(List<String> list, byte[] position) {
    byte[] mac = mac(list, position);
    byte[] all = Arrays.copyOf(mac, MAC_BYTES + position.length);
    System.arraycopy(position, 0, all, MAC_BYTES, position.length);
    return VERSION + Base64.getUrlEncoder().withoutPadding().encodeToString(all);
  }

  /** Returns the position of a token; throws unless it is one of this list. */
  public byte[] read(List<String> list, String token) {
    byte[] all = decode(token);
    if (all.length < MAC_BYTES) {
      throw ConsoleErrors.INVALID_TOKEN.exception();
    }
    byte[] position = Arrays.copyOfRange(all, MAC_BYTES, all.length);
    if (!MessageDigest.isEqual(mac(list, position), Arrays.copyOf(all, MAC_BYTES))) {
      throw ConsoleErrors.INVALID_TOKEN.exception();
    }
    return position;
  }

  private static byte[] decode(String token) {
    if (!token.startsWith(VERSION) || token.length() > CHARS_MAX) {
      throw ConsoleErrors.INVALID_TOKEN.exception();
    }
    try {
      return Base64.getUrlDecoder().decode(token.substring(VERSION.length()));
    } catch (IllegalArgumentException e) {
      throw ConsoleErrors.INVALID_TOKEN.exception();
    }
  }

  private byte[] mac(List<String> list, byte[] position) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      for (String part : list) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_16BE);
        mac.update(ByteBuffer.allocate(4).putInt(bytes.length).array());
        mac.update(bytes);
      }
      mac.update(ByteBuffer.allocate(4).putInt(-1).array());
      return Arrays.copyOf(mac.doFinal(position), MAC_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HMAC-SHA-256", e);
    }
  }
}
