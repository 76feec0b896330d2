package io.lazuli.server.auth;

import io.lazuli.server.access.Access;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.event.Subject;
import io.lazuli.server.http.Request;
import java.util.concurrent.CompletionStage;

/**
 * Authenticates requests with bearer tokens (auth 8): a token is verified, and the roles of its
 * identity determine the access.
 *
 * @param overHttp true if tokens are also accepted over plain http, for loopback
 * @param challenge the header that tells clients where to get a token
 */
public record Bearer(TokenCheck tokens, RoleLookup roles, boolean overHttp, String challenge) {
  /** The name of the scheme, as it stands before a token. */
  static final String SCHEME = "Bearer";

  /** The detail that queues and blobs show in an error. */
  public static final String DETAIL = "AuthenticationErrorDetail";

  /**
   * Returns the access that a token grants. The stage fails with the refusal.
   *
   * @param service the label of the service
   */
  CompletionStage<Access> access(Request request, String service, String token) {
    if (!overHttp && !request.scheme().equals("https")) {
      throw CommonErrors.AUTHENTICATION_FAILED
          .exception()
          .with(DETAIL, "Authentication scheme Bearer is not allowed with HTTP.");
    }
    String account = request.address().account();
    return tokens
        .identity(token, account, service, request.loop())
        .thenApply(
            identity -> {
              request.details().subject(identity.subject(Subject.Kind.TOKEN));
              return roles.access(account, service, identity);
            });
  }
}
