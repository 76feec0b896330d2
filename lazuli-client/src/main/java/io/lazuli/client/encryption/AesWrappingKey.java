package io.lazuli.client.encryption;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import reactor.core.publisher.Mono;

/**
 * A local AES key that wraps content keys as in RFC 3394: with {@code A256KW}, or with {@code
 * A128KW} or {@code A192KW} for data of older programs. A wrapped key that was changed cannot be
 * unwrapped. Immutable.
 */
public final class AesWrappingKey implements WrappingKey {
  private static final String TRANSFORMATION = "AESWrap";

  private final String id;
  private final SecretKey key;
  private final String algorithm;

  private AesWrappingKey(String id, SecretKey key, String algorithm) {
    this.id = id;
    this.key = key;
    this.algorithm = algorithm;
  }

  /**
   * Creates a wrapping key of 16, 24 or 32 bytes; use 32 for new keys.
   *
   * @throws IllegalArgumentException if the key has another size, or does not expose its bytes
   */
  public static AesWrappingKey of(String id, SecretKey key) {
    byte[] bytes = key.getEncoded();
    if (bytes == null || (bytes.length != 16 && bytes.length != 24 && bytes.length != 32)) {
      throw new IllegalArgumentException("An AES key must have 16, 24 or 32 bytes: key " + id);
    }
    return of(id, bytes);
  }

  /** Creates a wrapping key from the bytes of the key, like {@link #of(String, SecretKey)}. */
  public static AesWrappingKey of(String id, byte[] key) {
    if (key.length != 16 && key.length != 24 && key.length != 32) {
      throw new IllegalArgumentException("An AES key must have 16, 24 or 32 bytes: key " + id);
    }
    return new AesWrappingKey(id, new SecretKeySpec(key, "AES"), "A" + key.length * 8 + "KW");
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public String algorithm() {
    return algorithm;
  }

  @Override
  public Mono<byte[]> wrap(byte[] contentKey) {
    return Mono.fromCallable(
        () -> cipher(Cipher.WRAP_MODE).wrap(new SecretKeySpec(contentKey, "AES")));
  }

  @Override
  public Mono<byte[]> unwrap(String wrappedBy, byte[] wrappedKey) {
    return Mono.fromCallable(() -> unwrapped(wrappedBy, wrappedKey));
  }

  private byte[] unwrapped(String wrappedBy, byte[] wrappedKey) throws GeneralSecurityException {
    if (!wrappedBy.equals(algorithm)) {
      throw new NoSuchAlgorithmException("The algorithm is not " + algorithm + ": " + wrappedBy);
    }
    if (wrappedKey.length < 24 || wrappedKey.length % 8 != 0) {
      throw new InvalidKeyException("Invalid length of a wrapped key: " + wrappedKey.length);
    }
    Key unwrapped = cipher(Cipher.UNWRAP_MODE).unwrap(wrappedKey, "AES", Cipher.SECRET_KEY);
    return unwrapped.getEncoded();
  }

  private Cipher cipher(int mode) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(TRANSFORMATION);
    cipher.init(mode, key);
    return cipher;
  }

  /** Returns the id and the algorithm, never the key. */
  @Override
  public String toString() {
    return "AesWrappingKey[" + id + ", " + algorithm + "]";
  }
}
