package io.lazuli.server.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.lazuli.server.access.Identity;
import io.lazuli.server.auth.TokenCheck;
import java.text.ParseException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the tokens of the trusted issuers. A verified token is remembered by its text until it
 * expires or the keys of its issuer change, so that its signature is checked once. Cheap checks
 * come first: only a token whose claims are right can cause a call of its issuer. Thread-safe.
 */
public final class IssuedTokens implements TokenCheck {
  /** The most memory of remembered tokens, as their characters and a share for the rest. */
  static final int CACHE_BYTES_MAX = 16 << 20;

  /** The share of one remembered token that does not depend on its length. */
  private static final int ENTRY_BYTES = 500;

  /**
   * The algorithms of signatures with a public key. With any other one, the sender could sign
   * himself: with none at all, or with a published key as a secret.
   */
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

  /**
   * An issuer that the operator trusts.
   *
   * @param tenants the tenants that its tokens must name; empty if they need none
   */
  record Trusted(IssuerKeys keys, Set<UUID> tenants) {}

  /** Runs work on another thread. */
  @FunctionalInterface
  public interface Workers {
    CompletionStage<Identity> call(Work work, Executor back);
  }

  /** Work that a worker does. */
  @FunctionalInterface
  public interface Work {
    CompletionStage<Identity> run();
  }

  /** A token whose signature was verified with these keys. */
  private record Verified(
      Identity identity,
      List<String> audiences,
      Instant expiry,
      IssuerKeys issuer,
      KeySet keys,
      int length) {}

  /**
   * The text of a token. A digest of all of it would cost more than the rest of the check, so its
   * hash is that of the end of the signature, which nobody can choose for a token that is valid.
   * Texts are then compared as a whole.
   */
  private static final class Text {
    private static final int HASHED_CHARS = 32;

    private final String token;
    private final int hash;

    Text(String token) {
      this.token = token;
      this.hash = token.substring(Math.max(0, token.length() - HASHED_CHARS)).hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Text text && token.equals(text.token);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    /** Omits the token. */
    @Override
    public String toString() {
      return "a token";
    }
  }

  /** A token whose claims are right. */
  private record Claimed(SignedJWT token, TokenClaims claims, Trusted issuer) {}

  private final Map<String, Trusted> issuers;
  private final Audiences audiences;
  private final Workers workers;
  private final Clock clock;
  private final Cache<Text, Verified> verified =
      Caffeine.newBuilder()
          .maximumWeight(CACHE_BYTES_MAX)
          .<Text, Verified>weigher((text, one) -> ENTRY_BYTES + 2 * one.length())
          .executor(Runnable::run)
          .build();

  /**
   * @param issuers the trusted issuers, by the names that tokens have for them
   * @param workers the threads that verify signatures
   */
  IssuedTokens(Map<String, Trusted> issuers, Audiences audiences, Workers workers, Clock clock) {
    this.issuers = Map.copyOf(issuers);
    this.audiences = audiences;
    this.workers = workers;
    this.clock = clock;
  }

  @Override
  public CompletionStage<Identity> identity(
      String token, String account, String service, Executor back) {
    if (token.length() > TokenForm.TOKEN_CHARS_MAX) {
      return CompletableFuture.failedFuture(new TokenException(TokenException.FORM).refusal());
    }
    Text text = new Text(token);
    Verified known = verified.getIfPresent(text);
    if (known != null && isInForce(known)) {
      return accepted(known, account, service);
    }
    return workers.call(() -> verify(text, account, service), back);
  }

  private boolean isInForce(Verified known) {
    return clock.instant().isBefore(known.expiry) && known.keys.isStill(known.issuer.current());
  }

  private CompletionStage<Identity> accepted(Verified token, String account, String service) {
    return audiences.contain(token.audiences, account, service)
        ? CompletableFuture.completedFuture(token.identity)
        : CompletableFuture.failedFuture(new TokenException(TokenException.AUDIENCE).refusal());
  }

  private CompletionStage<Identity> verify(Text text, String account, String service) {
    try {
      Claimed claimed = claimed(text.token, account, service);
      JWSHeader header = claimed.token.getHeader();
      KeySet keys = claimed.issuer.keys.current();
      JWSVerifier verifier = keys.verifier(header);
      if (verifier != null) {
        return CompletableFuture.completedFuture(remembered(claimed, verifier, keys, text));
      }
      return claimed.issuer.keys.newer().thenCompose(newer -> withNewKeys(claimed, newer, text));
    } catch (TokenException e) {
      return CompletableFuture.failedFuture(e.refusal());
    }
  }

  private CompletionStage<Identity> withNewKeys(Claimed claimed, KeySet keys, Text text) {
    try {
      JWSVerifier verifier = keys.verifier(claimed.token.getHeader());
      return CompletableFuture.completedFuture(remembered(claimed, verifier, keys, text));
    } catch (TokenException e) {
      return CompletableFuture.failedFuture(e.refusal());
    }
  }

  /** Checks the signature, and remembers the token. */
  private Identity remembered(
      Claimed claimed, @Nullable JWSVerifier verifier, KeySet keys, Text text)
      throws TokenException {
    Identity identity = claimed.claims.identity();
    if (verifier == null || !isSigned(claimed.token, verifier)) {
      throw new TokenException(TokenException.SIGNATURE);
    }
    verified.put(
        text,
        new Verified(
            identity,
            claimed.claims.audiences(),
            claimed.claims.expiry(),
            claimed.issuer.keys,
            keys,
            text.token.length()));
    return identity;
  }

  private static boolean isSigned(SignedJWT token, JWSVerifier verifier) {
    try {
      return token.verify(verifier);
    } catch (JOSEException e) {
      return false;
    }
  }

  /** Parses a token and checks everything but its signature. */
  private Claimed claimed(String token, String account, String service) throws TokenException {
    JWT parsed = TokenForm.parse(token);
    if (!(parsed instanceof SignedJWT signed)) {
      throw new TokenException(TokenException.SIGNATURE);
    }
    requireHeader(signed.getHeader());
    TokenClaims claims = new TokenClaims(claims(signed));
    Trusted issuer = issuers.get(claims.issuer());
    if (issuer == null) {
      throw new TokenException(TokenException.ISSUER);
    }
    claims.requireTimes(clock.instant());
    claims.requireTenant(issuer.tenants);
    if (!audiences.contain(claims.audiences(), account, service)) {
      throw new TokenException(TokenException.AUDIENCE);
    }
    return new Claimed(signed, claims, issuer);
  }

  private static JWTClaimsSet claims(SignedJWT token) throws TokenException {
    try {
      return TokenClaims.require(token.getJWTClaimsSet());
    } catch (ParseException e) {
      throw new TokenException(TokenException.FORM);
    }
  }

  private static void requireHeader(JWSHeader header) throws TokenException {
    if (!ALGORITHMS.contains(header.getAlgorithm())) {
      throw new TokenException(TokenException.SIGNATURE);
    }
    JOSEObjectType type = header.getType();
    boolean isToken = type == null || TYPES.contains(type.getType().toLowerCase(Locale.ROOT));
    // An extension that must be understood is not: there is none for tokens of Azure Storage.
    boolean extended = header.getCriticalParams() != null || !header.isBase64URLEncodePayload();
    if (!isToken || extended) {
      throw new TokenException(TokenException.FORM);
    }
  }
}
