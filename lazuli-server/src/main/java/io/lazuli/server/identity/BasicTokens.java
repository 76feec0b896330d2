package io.lazuli.server.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import io.lazuli.server.access.Identity;
import io.lazuli.server.auth.TokenCheck;
import java.text.ParseException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Checks tokens as Azurite does with {@code --oauth basic}: form, times, issuer and audience, and
 * not the signature. Everybody can make such a token, so it proves nothing.
 */
public final class BasicTokens implements TokenCheck {
  /** The issuers of Azure's clouds, whatever the tenant. The last one is the one of tests. */
  private static final List<String> ISSUERS =
      List.of(
          "https://sts.windows.net/",
          "https://sts.microsoftonline.de/",
          "https://sts.chinacloudapi.cn/",
          "https://sts.windows-ppe.net");

  private static final Audiences AUDIENCES = new Audiences(Set.of());

  private final Clock clock;

  public BasicTokens(Clock clock) {
    this.clock = clock;
  }

  @Override
  public CompletionStage<Identity> identity(
      String token, String account, String service, Executor back) {
    try {
      return CompletableFuture.completedFuture(check(token, account, service));
    } catch (TokenException e) {
      return CompletableFuture.failedFuture(e.refusal());
    }
  }

  private Identity check(String token, String account, String service) throws TokenException {
    JWTClaimsSet claims = claims(token);
    Instant now = clock.instant();
    Instant begin = TokenClaims.require(claims.getNotBeforeTime()).toInstant();
    Instant end = TokenClaims.require(claims.getExpirationTime()).toInstant();
    TokenClaims.require(claims.getIssueTime());
    if (now.isBefore(begin)) {
      throw new TokenException(TokenException.NOT_YET);
    } else if (now.isAfter(end)) {
      throw new TokenException(TokenException.EXPIRED);
    }
    String issuer = TokenClaims.require(claims.getIssuer());
    if (ISSUERS.stream().noneMatch(issuer::startsWith)) {
      throw new TokenException(TokenException.ISSUER);
    }
    if (!AUDIENCES.contain(new TokenClaims(claims).audiences(), account, service)) {
      throw new TokenException(TokenException.AUDIENCE);
    }
    boolean named = claims.getSubject() != null || claims.getClaim("oid") != null;
    // Azurite does not ask who sent the token.
    return named
        ? new TokenClaims(claims).identity()
        : new Identity(issuer, null, null, null, "", Set.of(), Set.of());
  }

  private static JWTClaimsSet claims(String token) throws TokenException {
    try {
      return TokenClaims.require(TokenForm.parse(token).getJWTClaimsSet());
    } catch (ParseException e) {
      throw new TokenException(TokenException.FORM);
    }
  }
}
