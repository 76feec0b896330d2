package io.lazuli.server.console.json;

import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;

/** The errors that only the console has. Their texts are for people. */
public final class ConsoleErrors {
  public static final ServiceError SIGN_IN_NEEDED =
      new ServiceError(
          "SignInNeeded", 401, "Nobody is signed in. lazuli console prints a link that signs in.");
  public static final ServiceError SIGN_IN_FAILED =
      new ServiceError(
          "SignInFailed", 403, "The link was used or is too old, or the password is wrong.");
  public static final ServiceError TOO_MANY_ATTEMPTS =
      new ServiceError(
          "TooManyAttempts", 429, "Too many attempts to sign in failed. Wait a minute.");
  public static final ServiceError ROLE_TOO_SMALL =
      new ServiceError("RoleTooSmall", 403, "This needs the role {role}.");
  public static final ServiceError NO_ROUTE =
      new ServiceError("NoSuchRoute", 404, "There is nothing at this address.");
  public static final ServiceError WRONG_METHOD =
      new ServiceError("WrongMethod", 405, "This address does not have this method.");
  public static final ServiceError INVALID_TOKEN =
      new ServiceError("InvalidToken", 400, "The page token is not one of this list.");
  public static final ServiceError BAD_REQUEST = new ServiceError("InvalidInput", 400, "{why}");
  public static final ServiceError NO_ACCOUNT =
      new ServiceError("AccountNotFound", 404, "There is no account of this name.");
  public static final ServiceError MESSAGE_CHANGED =
      new ServiceError(
          "MessageChanged", 409, "Somebody took or changed the message in the same moment.");

  private ConsoleErrors() {}

  /** Returns an error about the request. The text must not quote what the client sent. */
  public static ServiceException badRequest(String why) {
    return BAD_REQUEST.exception().with("why", why);
  }
}
