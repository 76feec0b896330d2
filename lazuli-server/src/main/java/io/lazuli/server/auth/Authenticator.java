package io.lazuli.server.auth;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountRegistry;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.event.Authentication;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.pipeline.Step;
import java.util.concurrent.CompletionStage;

/**
 * The authentication step: chooses the scheme of a request (auth.md 9) and lets pass who proves to
 * hold a key of the addressed account, or what somebody signed with it. A header decides over a
 * signature in the query.
 */
public final class Authenticator implements Step {
  private final AccountRegistry accounts;
  private final SharedKey sharedKey;
  private final SharedAccessSignature sharedAccess;
  private final Anonymous anonymous;

  /**
   * @param anonymous what to answer when there are no credentials
   */
  public Authenticator(
      AccountRegistry accounts,
      SharedKey sharedKey,
      SharedAccessSignature sharedAccess,
      Anonymous anonymous) {
    this.accounts = accounts;
    this.sharedKey = sharedKey;
    this.sharedAccess = sharedAccess;
    this.anonymous = anonymous;
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
    verifyHeader(request, account, authorization);
    return next.handle(from(request, account, new Access.Full()));
  }

  /** What nobody has signed may still be a read of what was opened to anybody. */
  private Request withoutCredentials(Request request, Account account) {
    ServiceError refusal = anonymous.answer(request);
    boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
    if (anonymous != Anonymous.PUBLIC || !reads || !account.isEnabled()) {
      throw refusal.exception();
    }
    return from(request, account, new Access.OfAnybody(refusal, false, false));
  }

  /** Only who has proved to hold a key learns that the account is disabled. */
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
    switch (scheme) {
      case "SharedKeyLite" -> sharedKey.verifyLite(request, account, credentials);
      case "SharedKey" -> sharedKey.verify(request, account, credentials);
      // No issuer of tokens is configured (auth.md 8).
      case "Bearer" -> throw CommonErrors.AUTHENTICATION_FAILED.exception();
      default -> throw CommonErrors.INVALID_AUTHENTICATION_INFO.exception();
    }
  }
}
