package io.lazuli.server.account;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * One key of an account. It signs messages, and its {@code toString} does not reveal the key. Safe
 * for use by many threads: each thread has its own {@link Mac}, because creating a {@code Mac}
 * costs as much as signing.
 */
public final class AccountKey {
  private static final String ALGORITHM = "HmacSHA256";

  private final String base64;
  private final byte[] bytes;
  private final ThreadLocal<Mac> mac;

  /**
   * @param base64 the key as in connection strings
   * @throws IllegalArgumentException if it is empty or not base64
   */
  public AccountKey(String base64) {
    this.base64 = base64;
    this.bytes = Base64.getDecoder().decode(base64);
    SecretKeySpec secret = new SecretKeySpec(bytes, ALGORITHM);
    this.mac = ThreadLocal.withInitial(() -> newMac(secret));
  }

  /** Returns a new key of 64 random bytes, as in Azure. */
  public static AccountKey random(SecureRandom randomness) {
    byte[] key = new byte[64];
    randomness.nextBytes(key);
    return new AccountKey(Base64.getEncoder().encodeToString(key));
  }

  /** Returns the signature of a message. */
  public byte[] sign(byte[] message) {
    return mac.get().doFinal(message);
  }

  /** Returns the key itself, for connection strings. */
  public String base64() {
    return base64;
  }

  /** Returns whether both are the same key, even if their base64 differs in its padding. */
  boolean isSameAs(AccountKey other) {
    return MessageDigest.isEqual(bytes, other.bytes);
  }

  /**
   * Returns the number of bytes that somebody must guess. Zeros at the end do not count, because
   * the signing algorithm fills short keys with zeros.
   */
  int length() {
    int length = bytes.length;
    while (length > 0 && bytes[length - 1] == 0) {
      length--;
    }
    return length;
  }

  private static Mac newMac(SecretKeySpec secret) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      return mac;
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("this Java platform lacks " + ALGORITHM, e);
    }
  }
}
