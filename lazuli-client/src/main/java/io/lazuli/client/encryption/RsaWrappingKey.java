package io.lazuli.client.encryption;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import reactor.core.publisher.Mono;

/**
 * A local RSA key pair that wraps content keys with {@code RSA-OAEP}, like the keys of the legacy
 * client, and also unwraps {@code RSA-OAEP-256}. Anyone with the public key can create entities
 * that decrypt, so an RSA key proves less about their writer than an AES key. Immutable.
 */
public final class RsaWrappingKey implements WrappingKey {
  private static final String OAEP = "RSA-OAEP";
  private static final String OAEP_256 = "RSA-OAEP-256";

  private final String id;
  private final PublicKey publicKey;
  private final PrivateKey privateKey;

  private RsaWrappingKey(String id, PublicKey publicKey, PrivateKey privateKey) {
    this.id = id;
    this.publicKey = publicKey;
    this.privateKey = privateKey;
  }

  /**
   * Creates a wrapping key from a key pair.
   *
   * @throws IllegalArgumentException if it is not an RSA pair
   */
  public static RsaWrappingKey of(String id, KeyPair pair) {
    if (!pair.getPublic().getAlgorithm().equals("RSA")) {
      throw new IllegalArgumentException("Not an RSA key pair: key " + id);
    }
    return new RsaWrappingKey(id, pair.getPublic(), pair.getPrivate());
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public String algorithm() {
    return OAEP;
  }

  @Override
  public Mono<byte[]> wrap(byte[] contentKey) {
    return Mono.fromCallable(
        () -> {
          Cipher cipher = cipher();
          cipher.init(Cipher.ENCRYPT_MODE, publicKey, parameters(OAEP));
          return cipher.doFinal(contentKey);
        });
  }

  @Override
  public Mono<byte[]> unwrap(String wrappedBy, byte[] wrappedKey) {
    return Mono.fromCallable(
        () -> {
          Cipher cipher = cipher();
          cipher.init(Cipher.DECRYPT_MODE, privateKey, parameters(wrappedBy));
          return cipher.doFinal(wrappedKey);
        });
  }

  private static Cipher cipher() throws GeneralSecurityException {
    return Cipher.getInstance("RSA/ECB/OAEPPadding");
  }

  /**
   * Returns the OAEP parameters of an algorithm. They are explicit because the JDK's default for
   * OAEP with SHA-256 uses SHA-1 in its mask function.
   */
  private static AlgorithmParameterSpec parameters(String algorithm)
      throws NoSuchAlgorithmException {
    return switch (algorithm) {
      case OAEP -> oaep("SHA-1", MGF1ParameterSpec.SHA1);
      case OAEP_256 -> oaep("SHA-256", MGF1ParameterSpec.SHA256);
      default -> throw new NoSuchAlgorithmException("Not an RSA-OAEP algorithm: " + algorithm);
    };
  }

  private static OAEPParameterSpec oaep(String digest, MGF1ParameterSpec mask) {
    return new OAEPParameterSpec(digest, "MGF1", mask, PSource.PSpecified.DEFAULT);
  }

  /** Returns the id and the algorithm, never the key. */
  @Override
  public String toString() {
    return "RsaWrappingKey[" + id + ", " + OAEP + "]";
  }
}
