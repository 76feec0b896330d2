package io.lazuli.server;

import io.lazuli.server.auth.Bearer;
import io.lazuli.server.auth.RoleLookup;
import io.lazuli.server.auth.TokenCheck;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.identity.BasicTokens;
import io.lazuli.server.identity.IssuedTokens;
import io.lazuli.server.identity.OwnIssuer;
import io.lazuli.server.identity.TokenConfig;
import io.lazuli.server.identity.TrustedIssuers;
import io.lazuli.server.role.Role;
import io.lazuli.server.watch.WatchException;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the verification of tokens that a server is configured with. */
final class ServerTokens {
  private static final Logger LOG = LoggerFactory.getLogger(ServerTokens.class);

  private ServerTokens() {}

  /**
   * Throws unless the settings fit together.
   *
   * @throws ServerStartException if they contradict each other
   */
  static void require(ServerConfig config) {
    String problem =
        config
            .tokens()
            .contradiction(config.listeners().tls() != null, ServerAccounts.isLoopback(config));
    if (!problem.isEmpty()) {
      throw new ServerStartException(problem);
    }
  }

  /**
   * Starts the verification.
   *
   * @param roles finds the access of a verified identity
   * @param own the issuer of this server, which is then the only one; null if it has none
   * @return null if the server accepts no tokens
   * @throws ServerStartException if it cannot run as configured
   */
  static @Nullable Bearer start(
      ServerFrame frame, RoleLookup roles, WorkerPool workers, @Nullable OwnIssuer own) {
    TokenConfig tokens = frame.config().tokens();
    Clock clock = Clock.systemUTC();
    IssuedTokens.Workers verifiers = (work, back) -> workers.call(work::run, back);
    if (own != null) {
      return new Bearer(own.tokens(verifiers, clock), roles, false, own.challenge());
    } else if (!tokens.isOn()) {
      return null;
    }
    if (tokens.oauth() == TokenConfig.OAuth.BASIC) {
      LOG.warn(
          "oauth = basic: signatures of tokens are NOT checked; everybody who reaches this server"
              + " can read and change everything");
      return bearer(
          new BasicTokens(clock),
          (account, service, identity) -> Role.everything(identity),
          tokens);
    }
    try {
      TrustedIssuers issuers =
          new TrustedIssuers(
              tokens, verifiers, clock, Limits.ACCOUNTS_CHECK_PERIOD, frame.closers()::push);
      frame.health().add(issuers::trouble);
      return bearer(issuers.tokens(), roles, tokens);
    } catch (WatchException e) {
      throw new ServerStartException(e.getMessage());
    }
  }

  private static Bearer bearer(TokenCheck check, RoleLookup roles, TokenConfig tokens) {
    return new Bearer(check, roles, tokens.overHttp(), tokens.challenge());
  }
}
