package io.lazuli.server.identity;

import io.lazuli.server.auth.TokenCheck;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * An issuer that is a part of this server. Its tokens are verified like those of any other one.
 *
 * @param name the claim {@code iss} of its tokens, a URL
 * @param published its keys, as a JSON Web Key Set
 */
public record OwnIssuer(String name, UUID tenant, String published) {

  /**
   * Returns the verification of its tokens.
   *
   * @param workers the threads that verify signatures
   */
  public TokenCheck tokens(IssuedTokens.Workers workers, Clock clock) {
    IssuedTokens.Trusted trusted = new IssuedTokens.Trusted(keys(), Set.of(tenant));
    return new IssuedTokens(Map.of(name, trusted), new Audiences(Set.of()), workers, clock);
  }

  /** Returns the challenge for clients without a valid token (auth 8). */
  public String challenge() {
    return TokenConfig.challenge(URI.create(name).getRawAuthority(), tenant);
  }

  private IssuerKeys keys() {
    try {
      return new Constant(KeySet.parse(published));
    } catch (KeysException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Keys that do not change while the server runs. */
  private record Constant(KeySet current) implements IssuerKeys {
    @Override
    public CompletionStage<KeySet> newer() {
      return CompletableFuture.completedFuture(current);
    }

    @Override
    public String trouble() {
      return "";
    }
  }
}
