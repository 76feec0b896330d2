package io.lazuli.server.admin.caller;

import io.lazuli.server.access.HostName;
import io.lazuli.server.access.Identity;
import io.lazuli.server.admin.AdminErrors;
import io.lazuli.server.admin.AdminGate;
import io.lazuli.server.auth.TokenCheck;
import io.lazuli.server.console.session.Role;
import io.lazuli.server.console.session.Session;
import io.lazuli.server.console.session.SignIn;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.event.Subject;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.WorkerPool;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who may use the admin port: callers with a token and a role of the server, and users of the
 * console with their password. Credentials count only where they do not cross a network in the
 * clear.
 */
public final class AdminCallers implements AdminGate {
  /** The audience of one account is not one of the server, so no account and service is named. */
  private static final String NO_ACCOUNT = "";

  private static final String SERVICE = "admin";

  private final boolean loopback;
  private final @Nullable TokenCheck tokens;
  private final Function<Identity, @Nullable Role> roles;
  private final SignIn signIn;
  private final WorkerPool workers;

  /**
   * @param loopback whether only this machine can reach the port
   * @param tokens verifies tokens; null if the server trusts no issuer
   * @param roles finds the role of an identity on the server; null for none
   * @param workers one thread, which compares passwords
   */
  public AdminCallers(
      boolean loopback,
      @Nullable TokenCheck tokens,
      Function<Identity, @Nullable Role> roles,
      SignIn signIn,
      WorkerPool workers) {
    this.loopback = loopback;
    this.tokens = tokens;
    this.roles = roles;
    this.signIn = signIn;
    this.workers = workers;
  }

  @Override
  public CompletionStage<Boolean> isReader(Request request) {
    if (loopback) {
      return CompletableFuture.completedFuture(true);
    }
    String basic = credentials(request, "basic");
    if (basic != null) {
      requirePrivate(request);
      return workers.call(
          () -> CompletableFuture.completedFuture(hasPassword(basic)), request.loop());
    }
    return session(request).thenApply(session -> session != null);
  }

  private boolean isPrivate(Request request) {
    return loopback
        || request.scheme().equals("https")
        || HostName.of(request.remoteAddress()).isLoopback();
  }

  /** Returns whether the user and the password before a colon are right; any role may read. */
  private boolean hasPassword(String basic) {
    String text;
    try {
      text = new String(Base64.getDecoder().decode(basic), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return false;
    }
    int colon = text.indexOf(':');
    return colon > 0 && signIn.isUser(text.substring(0, colon), text.substring(colon + 1));
  }

  /**
   * Returns the session of a caller with a token, which lasts for this request; null if the request
   * has none. The stage fails with the refusal if the token is invalid or has no role.
   */
  public CompletionStage<@Nullable Session> session(Request request) {
    String token = credentials(request, "bearer");
    if (token == null || tokens == null) {
      return CompletableFuture.completedFuture(null);
    }
    requirePrivate(request);
    return tokens
        .identity(token, NO_ACCOUNT, SERVICE, request.loop())
        .thenApply(
            identity -> {
              request.details().subject(identity.subject(Subject.Kind.TOKEN));
              Role role = roles.apply(identity);
              if (role == null) {
                throw CommonErrors.AUTHORIZATION_PERMISSION_MISMATCH.exception();
              }
              return new Session("token " + identity.principal(), role, Instant.MAX);
            });
  }

  private void requirePrivate(Request request) {
    if (!isPrivate(request)) {
      throw AdminErrors.NEEDS_HTTPS.exception();
    }
  }

  /** Returns the credentials of a scheme; null if the request has none. */
  private static @Nullable String credentials(Request request, String scheme) {
    String header = request.header("Authorization");
    if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(scheme + " ")) {
      return null;
    }
    return header.substring(scheme.length() + 1).strip();
  }
}
