package io.lazuli.server.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import java.text.ParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The public keys of an issuer. Only keys for signatures with RSA and elliptic curves count; a
 * symmetric key in a public document is never used.
 */
record KeySet(JWKSet keys) {
  /** The most keys of an issuer. */
  static final int KEYS_MAX = 100;

  private static final int RSA_BITS_MIN = 2_048;

  static final KeySet NONE = new KeySet(new JWKSet());

  /**
   * Parses a document with keys (RFC 7517, 5).
   *
   * @throws KeysException if it is not one, or contains more than public keys
   */
  static KeySet parse(String json) throws KeysException {
    JWKSet keys;
    try {
      keys = JWKSet.parse(json);
    } catch (ParseException | RuntimeException e) {
      throw new KeysException("it is not a JSON Web Key Set");
    }
    if (keys.size() > KEYS_MAX) {
      throw new KeysException("it has more than " + KEYS_MAX + " keys");
    }
    if (keys.getKeys().stream().anyMatch(JWK::isPrivate)) {
      throw new KeysException("it contains a private or a symmetric key");
    }
    return new KeySet(keys);
  }

  /** Returns whether these are the very keys that are in force. */
  @SuppressWarnings("ReferenceEquality") // Cheap, and keys that did not change keep their object.
  boolean isStill(KeySet current) {
    return this == current;
  }

  boolean isEmpty() {
    return keys.isEmpty();
  }

  /**
   * Returns the verifier of the one key that a token names and that fits its algorithm; null if
   * there is none, or more than one. Keys and addresses of keys in the head of the token do not
   * count: whoever made the token wrote them.
   */
  @Nullable JWSVerifier verifier(JWSHeader header) {
    String id = header.getKeyID();
    List<JWK> fitting =
        keys.getKeys().stream()
            .filter(key -> id != null && id.equals(key.getKeyID()) && fits(key, header))
            .toList();
    try {
      if (fitting.size() != 1) {
        return null;
      }
      return fitting.get(0) instanceof RSAKey rsa
          ? new RSASSAVerifier(rsa)
          : new ECDSAVerifier(fitting.get(0).toECKey());
    } catch (JOSEException e) {
      return null;
    }
  }

  private static boolean fits(JWK key, JWSHeader header) {
    JWSAlgorithm algorithm = header.getAlgorithm();
    boolean verifies =
        (key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE))
            && (key.getKeyOperations() == null
                || key.getKeyOperations().contains(KeyOperation.VERIFY));
    boolean sameAlgorithm = key.getAlgorithm() == null || key.getAlgorithm().equals(algorithm);
    boolean sameType =
        JWSAlgorithm.Family.RSA.contains(algorithm)
            ? key instanceof RSAKey && key.size() >= RSA_BITS_MIN
            : key instanceof ECKey;
    return verifies && sameAlgorithm && sameType;
  }
}
