package io.lazuli.server.development;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.lazuli.server.watch.RefusedFileException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.ParseException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What proves that a client may have tokens, and what signs them. Both are in a file, so that
 * clients and their tokens survive a restart of the server.
 *
 * @param secret the identity header, the client secret and the federated token, all in one
 * @param key signs the tokens
 */
record DevelopmentKeys(String secret, ECKey key) {
  private static final String HEAD = "lazuli development identity 1";
  private static final int SECRET_BYTES = 32;

  /**
   * Reads the keys in a folder, and makes them if there are none.
   *
   * @throws RefusedFileException if the file cannot be used
   */
  static DevelopmentKeys of(Path folder) {
    SecretFile file = new SecretFile("keys", folder.resolve("keys"));
    String text = file.edit(found -> found.isEmpty() ? create().text() : found);
    try {
      return parse(text);
    } catch (RefusedFileException e) {
      throw new RefusedFileException(file.path() + " is refused; " + e.getMessage());
    }
  }

  private static DevelopmentKeys create() {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    try {
      ECKey key =
          new ECKeyGenerator(Curve.P_256)
              .keyUse(KeyUse.SIGNATURE)
              .algorithm(JWSAlgorithm.ES256)
              .keyIDFromThumbprint(true)
              .generate();
      return new DevelopmentKeys(HexFormat.of().formatHex(secret), key);
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private static DevelopmentKeys parse(String text) {
    String[] lines = text.split("\r?\n", -1);
    if (lines.length < 3 || !lines[0].equals(HEAD) || lines[1].isBlank()) {
      throw new RefusedFileException("it is not '" + HEAD + "', a secret and a key");
    }
    try {
      ECKey key = ECKey.parse(lines[2]);
      if (!key.isPrivate() || !Curve.P_256.equals(key.getCurve())) {
        throw new RefusedFileException("line 3 is not a private key of the curve P-256");
      }
      return new DevelopmentKeys(lines[1].strip(), key);
    } catch (ParseException e) {
      throw new RefusedFileException("line 3 is not a JSON Web Key");
    }
  }

  private String text() {
    return HEAD + "\n" + secret + "\n" + key.toJSONString() + "\n";
  }

  /** Compares a text with the secret, in a time that does not depend on the content. */
  boolean isSecret(@Nullable String text) {
    return text != null
        && MessageDigest.isEqual(
            text.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the JSON Web Key Set with the public key. */
  String published() {
    return new JWKSet(key.toPublicJWK()).toString();
  }

  /** Omits the secrets. */
  @Override
  public String toString() {
    return "key " + key.getKeyID();
  }
}
