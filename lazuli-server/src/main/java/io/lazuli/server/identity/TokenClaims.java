package io.lazuli.server.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import io.lazuli.server.access.Identity;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The claims of a token. */
final class TokenClaims {
  /** The difference that the clocks of an issuer and of the server may have. */
  static final Duration SKEW_MAX = Duration.ofMinutes(5);

  /** The most groups, and the most application roles, of one identity. */
  static final int GROUPS_MAX = 500;

  private final JWTClaimsSet claims;

  TokenClaims(JWTClaimsSet claims) {
    this.claims = claims;
  }

  /**
   * Returns the issuer.
   *
   * @throws TokenException if the token names none
   */
  String issuer() throws TokenException {
    return require(claims.getIssuer());
  }

  List<String> audiences() {
    List<String> audiences = claims.getAudience();
    return audiences == null ? List.of() : audiences;
  }

  Instant expiry() throws TokenException {
    return require(claims.getExpirationTime()).toInstant();
  }

  /**
   * Checks that the token is valid now.
   *
   * @throws TokenException if it is not
   */
  void requireTimes(Instant now) throws TokenException {
    if (!now.minus(SKEW_MAX).isBefore(expiry())) {
      throw new TokenException(TokenException.EXPIRED);
    }
    Instant latest = now.plus(SKEW_MAX);
    if (isAfter(claims.getNotBeforeTime(), latest) || isAfter(claims.getIssueTime(), latest)) {
      throw new TokenException(TokenException.NOT_YET);
    }
  }

  private static boolean isAfter(@Nullable Date time, Instant latest) {
    return time != null && time.toInstant().isAfter(latest);
  }

  /**
   * Checks that the token belongs to one of the tenants.
   *
   * @param tenants empty if it needs no tenant
   * @throws TokenException if it does not
   */
  void requireTenant(Set<UUID> tenants) throws TokenException {
    String named = text("tid");
    UUID tenant = named == null ? null : Issuer.uuid(named);
    if (!tenants.isEmpty() && (tenant == null || !tenants.contains(tenant))) {
      throw new TokenException(TokenException.TENANT);
    }
  }

  /**
   * Returns the identity. A subject stands for a missing object id, and the other way round.
   *
   * @throws TokenException if the token names nobody, or a claim has another type
   */
  Identity identity() throws TokenException {
    String object = text("oid");
    String subject = claims.getSubject();
    String application = text("appid");
    Set<String> roles = new LinkedHashSet<>(texts(claims.getClaim("roles")));
    // Keycloak's form of application roles.
    if (claims.getClaim("realm_access") instanceof Map<?, ?> realm) {
      roles.addAll(texts(realm.get("roles")));
    }
    return new Identity(
        issuer(),
        text("tid"),
        object,
        application == null ? text("azp") : application,
        require(subject == null ? object : subject),
        texts(claims.getClaim("groups")),
        bounded(roles));
  }

  private @Nullable String text(String claim) throws TokenException {
    Object value = claims.getClaim(claim);
    if (value != null && !(value instanceof String)) {
      throw new TokenException(TokenException.FORM);
    }
    return (String) value;
  }

  private static Set<String> texts(@Nullable Object value) throws TokenException {
    Set<String> texts = new LinkedHashSet<>();
    Collection<?> all = value instanceof Collection<?> list ? list : listOf(value);
    for (Object one : all) {
      if (!(one instanceof String text)) {
        throw new TokenException(TokenException.FORM);
      }
      texts.add(text);
    }
    return bounded(texts);
  }

  private static List<Object> listOf(@Nullable Object value) {
    return value == null ? List.of() : List.of(value);
  }

  private static Set<String> bounded(Set<String> texts) throws TokenException {
    if (texts.size() > GROUPS_MAX) {
      throw new TokenException("The token has too many groups.");
    }
    return texts;
  }

  static <T> T require(@Nullable T value) throws TokenException {
    if (value == null) {
      throw new TokenException(TokenException.FORM);
    }
    return value;
  }
}
