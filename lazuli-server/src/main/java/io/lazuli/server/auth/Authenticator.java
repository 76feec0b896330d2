package io.lazuli.server.auth;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountRegistry;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.event.Authentication;
import io.lazuli.server.event.Subject;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.pipeline.Step;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The authentication step. It chooses the scheme of a request (auth 9) and accepts a request that
 * is signed with a key of the addressed account, or that carries a valid shared access signature or
 * a valid token. An Authorization header takes precedence over a signature in the query. A service
 * with public access also lets unsigned reads pass.
 */
public final class Authenticator implements Step {
  private final AccountRegistry accounts;
  private final SharedKey sharedKey;
  private final SharedAccessSignature sharedAccess;
  private final Anonymous anonymous;
  private final String service;
  private final @Nullable Bearer bearer;

  /**
   * @param anonymous how the service answers requests without credentials
   * @param service the label of the service
   * @param bearer verifies tokens; null if the server does not accept any
   */
  public Authenticator(
      AccountRegistry accounts,
      SharedKey sharedKey,
      SharedAccessSignature sharedAccess,
      Anonymous anonymous,
      String service,
      @Nullable Bearer bearer) {
    this.accounts = accounts;
    this.sharedKey = sharedKey;
    this.sharedAccess = sharedAccess;
    this.anonymous = anonymous;
    this.service = service;
    this.bearer = bearer;
  }

  @Override
  public CompletionStage<Response> handle(Request request, Endpoint next) {
    Address address = request.address();
    Account account = accounts.find(address.account());
    String authorization = request.header("Authorization");
    if (account == null) {
      throw CommonErrors.AUTHENTICATION_FAILED.exception();
    }
    if (authorization == null) {
      if (request.query().first("sig") == null) {
        return next.handle(withoutCredentials(request, account));
      }
      request.details().authentication(Authentication.SAS);
      return sharedAccess
          .access(request, account)
          .thenCompose(access -> next.handle(from(request, account, access)));
    }
    request.details().authentication(Authentication.KEY);
    String token = bearer == null ? null : token(authorization);
    if (bearer != null && token != null) {
      return bearer
          .access(request, service, token)
          .thenCompose(access -> bound(request, account, access))
          .thenCompose(access -> next.handle(from(request, account, access)));
    }
    requireKeysPermitted(account);
    verifyHeader(request, account, authorization);
    return next.handle(from(request, account, new Access.Full()));
  }

  /**
   * Returns the access of a token, or of the signature that came with it: a signature that is bound
   * to one user is valid only together with a token of this user (blob-features 9.5).
   */
  private CompletionStage<Access> bound(Request request, Account account, Access ofToken) {
    boolean bound = SharedAccessSignature.isBound(request) && ofToken instanceof Access.OfRoles;
    return bound
        ? sharedAccess.access(request, account, ((Access.OfRoles) ofToken).identity())
        : CompletableFuture.completedFuture(ofToken);
  }

  /** Returns the token of an Authorization header; null if the header has another scheme. */
  private static @Nullable String token(String authorization) {
    int space = authorization.indexOf(' ');
    String scheme = space < 0 ? authorization : authorization.substring(0, space);
    return scheme.toLowerCase(Locale.ROOT).equals("bearer")
        ? authorization.substring(scheme.length()).strip()
        : null;
  }

  /** Throws if the account refuses its keys and all signatures made with them. */
  static void requireKeysPermitted(Account account) {
    if (account.options().noSharedKey()) {
      throw CommonErrors.KEY_BASED_AUTHENTICATION_NOT_PERMITTED.exception();
    }
  }

  /**
   * Lets a read without credentials pass if the service has public access. Whether the container
   * permits the read is decided later.
   */
  private Request withoutCredentials(Request request, Account account) {
    ServiceError refusal = anonymous.answer(request, bearer != null);
    boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
    if (anonymous != Anonymous.PUBLIC || !reads || !account.isEnabled()) {
      throw refusal.exception();
    }
    return from(request, account, new Access.OfAnybody(refusal, false, false));
  }

  /**
   * Sets the caller. The check that the account is enabled comes after authentication, so that only
   * an authenticated caller learns that the account is disabled.
   */
  private static Request from(Request request, Account account, Access access) {
    if (!account.isEnabled()) {
      throw CommonErrors.ACCOUNT_IS_DISABLED.exception();
    }
    Address address = request.address();
    return request.withCaller(new Caller(address.account(), address.secondary(), access));
  }

  private void verifyHeader(Request request, Account account, String authorization) {
    int space = authorization.indexOf(' ');
    if (space < 0) {
      throw CommonErrors.INVALID_AUTHENTICATION_INFO.exception();
    }
    String scheme = authorization.substring(0, space);
    String credentials = authorization.substring(space + 1).trim();
    int key =
        switch (scheme) {
          case "SharedKeyLite" -> sharedKey.verifyLite(request, account, credentials);
          case "SharedKey" -> sharedKey.verify(request, account, credentials);
          // No issuer is configured (auth 8).
          case Bearer.SCHEME -> throw CommonErrors.AUTHENTICATION_FAILED.exception();
          default -> throw CommonErrors.INVALID_AUTHENTICATION_INFO.exception();
        };
    request.details().subject(Subject.ofKey(key));
  }
}
