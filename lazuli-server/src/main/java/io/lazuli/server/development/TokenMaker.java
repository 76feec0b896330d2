package io.lazuli.server.development;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;

/**
 * Makes the tokens of development identities. They have the claims that version 1 of Entra writes
 * for an application. Thread-safe.
 *
 * @param issuer the claim {@code iss}
 */
record TokenMaker(String issuer, ECKey key, Clock clock) {
  /** The lifetime of a token. */
  static final Duration LIFETIME = Duration.ofHours(1);

  /** A token and its end. */
  record Made(String token, Instant expiry) {}

  Made make(DevelopmentIdentity identity, String resource) {
    Instant now = clock.instant();
    Instant expiry = now.plus(LIFETIME);
    String id = identity.id().toString();
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder()
            .issuer(issuer)
            .audience(resource)
            .issueTime(Date.from(now))
            .notBeforeTime(Date.from(now))
            .expirationTime(Date.from(expiry))
            .subject(id)
            .claim("oid", id)
            .claim("appid", id)
            .claim("app_displayname", identity.name())
            .claim("idtyp", "app")
            .claim("tid", DevelopmentIdentity.TENANT.toString())
            .claim("ver", "1.0")
            .build();
    JWSHeader header =
        new JWSHeader.Builder(JWSAlgorithm.ES256)
            .type(JOSEObjectType.JWT)
            .keyID(key.getKeyID())
            .build();
    SignedJWT token = new SignedJWT(header, claims);
    try {
      token.sign(new ECDSASigner(key));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
    return new Made(token.serialize(), expiry);
  }

  /** Omits the key. */
  @Override
  public String toString() {
    return "tokens of " + issuer;
  }
}
