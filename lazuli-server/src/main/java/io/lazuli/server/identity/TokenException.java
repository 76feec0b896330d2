package io.lazuli.server.identity;

import io.lazuli.server.auth.Bearer;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;

/** A token is refused. The message is a constant text for the sender; it has no stack trace. */
final class TokenException extends Exception {
  private static final long serialVersionUID = 1;

  static final String FORM = "The token is not in the correct format.";
  static final String NOT_YET = "Lifetime validation failed. The token is not yet valid.";
  static final String EXPIRED = "Lifetime validation failed. The token is expired.";
  static final String ISSUER = "Issuer validation failed. Issuer did not match.";
  static final String AUDIENCE = "Audience validation failed. Audience did not match.";
  static final String TENANT = "Tenant validation failed. Tenant did not match.";
  static final String SIGNATURE = "Signature validation failed.";

  TokenException(String message) {
    super(message, null, false, false);
  }

  /** Returns the answer to the request that carries the token. */
  ServiceException refusal() {
    return CommonErrors.INVALID_TOKEN.exception().with(Bearer.DETAIL, String.valueOf(getMessage()));
  }
}
