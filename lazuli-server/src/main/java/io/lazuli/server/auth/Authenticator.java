package io.lazuli.server.auth;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountRegistry;
import io.lazuli.server.account.Caller;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.Step;
import java.util.concurrent.CompletionStage;

/**
 * The authentication step: chooses the scheme of a request (auth.md 9) and lets pass who proves to
 * hold a key of the addressed account. A header decides over a signature in the query.
 */
public final class Authenticator implements Step {
  private final AccountRegistry accounts;
  private final SharedKey sharedKey;

  public Authenticator(AccountRegistry accounts, SharedKey sharedKey) {
    this.accounts = accounts;
    this.sharedKey = sharedKey;
  }

  @Override
  public CompletionStage<Response> handle(Request request, Endpoint next) {
    return next.handle(request.withCaller(caller(request)));
  }

  private Caller caller(Request request) {
    Address address = request.address();
    Account account = accounts.find(address.account());
    if (account == null) {
      throw CommonErrors.AUTHENTICATION_FAILED.exception();
    }
    String authorization = request.header("Authorization");
    if (authorization == null) {
      // A shared access signature would be checked here; without one there are no credentials.
      throw CommonErrors.AUTHENTICATION_FAILED.exception();
    }
    verifyHeader(request, account, authorization);
    return new Caller(account.name(), address.secondary());
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
