package io.lazuli.server.account;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * One key of an account. It signs, and does not print itself. Safe for use by many threads: each
 * keeps a {@link Mac} of its own, because making one costs as much as signing.
 */
public final class AccountKey {
  private static final String ALGORITHM = "HmacSHA256";

  private final String base64;
  private final ThreadLocal<Mac> mac;

  /**
   * @param base64 the key as it stands in connection strings
   * @throws IllegalArgumentException if it is empty or not base64
   */
  public AccountKey(String base64) {
    this.base64 = base64;
    SecretKeySpec secret = new SecretKeySpec(Base64.getDecoder().decode(base64), ALGORITHM);
    this.mac = ThreadLocal.withInitial(() -> newMac(secret));
  }

  /** A new key of 64 random bytes, as Azure's are. */
  public static AccountKey random(SecureRandom randomness) {
    byte[] key = new byte[64];
    randomness.nextBytes(key);
    return new AccountKey(Base64.getEncoder().encodeToString(key));
  }

  /** The signature of a message. */
  public byte[] sign(byte[] message) {
    return mac.get().doFinal(message);
  }

  /** The key itself, for connection strings. */
  public String base64() {
    return base64;
  }

  private static Mac newMac(SecretKeySpec secret) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      return mac;
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
