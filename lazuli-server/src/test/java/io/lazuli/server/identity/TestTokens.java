package io.lazuli.server.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.function.UnaryOperator;

/** Keys and tokens of tests. */
public final class TestTokens {
  public static final String ISSUER = "https://issuer.example/realms/one";
  public static final String OTHER_ISSUER = "https://issuer.example/realms/two";
  public static final String AUDIENCE = "https://storage.azure.com";

  /** Keys are expensive to make. */
  public static final RSAKey RSA = rsa("rsa-1");

  public static final RSAKey OTHER_RSA = rsa("rsa-1");
  public static final ECKey EC = ec("ec-1", Curve.P_256);

  private TestTokens() {}

  public static RSAKey rsa(String id) {
    try {
      return new RSAKeyGenerator(2_048).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  public static ECKey ec(String id, Curve curve) {
    try {
      return new ECKeyGenerator(curve).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the document with the public parts of keys. */
  public static String published(JWK... keys) {
    return new JWKSet(List.of(keys)).toPublicJWKSet().toString();
  }

  /** Returns claims that are valid now. */
  public static JWTClaimsSet.Builder claims(Instant now) {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience(AUDIENCE)
        .subject("somebody")
        .issueTime(Date.from(now))
        .notBeforeTime(Date.from(now))
        .expirationTime(Date.from(now.plusSeconds(3_600)));
  }

  public static String signed(JWTClaimsSet claims) {
    return signed(claims, JWSAlgorithm.RS256, RSA, header -> header);
  }

  public static String signed(
      JWTClaimsSet claims, JWSAlgorithm algorithm, JWK key, UnaryOperator<JWSHeader.Builder> more) {
    try {
      JWSHeader header = more.apply(new JWSHeader.Builder(algorithm).keyID(key.getKeyID())).build();
      SignedJWT token = new SignedJWT(header, claims);
      JWSSigner signer =
          key instanceof RSAKey rsa ? new RSASSASigner(rsa) : new ECDSASigner(key.toECKey());
      token.sign(signer);
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }
}
