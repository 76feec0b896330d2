package io.lazuli.server.admin;

import io.lazuli.server.error.ServiceError;

/** The refusals of the admin port. Their texts are for people. */
public final class AdminErrors {
  public static final ServiceError WRONG_HOST =
      new ServiceError(
          "MisdirectedRequest",
          421,
          "The admin port is not served under the name in the address. The setting console-hosts"
              + " adds names.");
  public static final ServiceError FOREIGN_ORIGIN =
      new ServiceError("ForeignOrigin", 403, "Another web page sent this request.");
  public static final ServiceError HEADER_MISSING =
      new ServiceError("HeaderMissing", 403, "The header X-Lazuli-Console is missing.");
  public static final ServiceError BEYOND_LOOPBACK =
      new ServiceError(
          "ConsoleIsOff",
          403,
          "Other machines can reach the admin port, so the console and commands need an"
              + " administrator with a password (console-users) and TLS.");

  public static final ServiceError NEEDS_HTTPS =
      new ServiceError(
          "NeedsHttps",
          403,
          "Passwords and tokens are accepted over https only, because other machines can reach the"
              + " admin port.");

  private AdminErrors() {}
}
