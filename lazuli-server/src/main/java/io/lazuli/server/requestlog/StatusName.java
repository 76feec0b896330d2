package io.lazuli.server.requestlog;

import io.lazuli.server.event.Authentication;
import io.lazuli.server.event.RequestEvent;

/** The name of a request's outcome (logs-and-metrics 5). */
final class StatusName {
  /** From this protocol version on, the log names client errors by their error code. */
  private static final String CODES_SINCE = "2017-04-17";

  private static final String OTHER_ERROR = "ClientOtherError";

  private StatusName() {}

  /**
   * Returns the name of an outcome.
   *
   * @param version the protocol version that the request asked for; empty if it asked for none
   * @param hasTimeout true if the client set a timeout
   */
  static String of(RequestEvent event, String version, boolean hasTimeout) {
    String base = base(event, hasTimeout);
    boolean byCode =
        base.equals(OTHER_ERROR)
            && !event.errorCode().isEmpty()
            && version.compareTo(CODES_SINCE) >= 0;
    return byCode ? event.errorCode() : prefixed(event.authentication(), base);
  }

  private static String base(RequestEvent event, boolean hasTimeout) {
    int status = event.status();
    if (!event.transfer().complete()) {
      return "NetworkError";
    } else if (status < 300) {
      return "Success";
    } else if (status == 401 || status == 403) {
      return "AuthorizationError";
    } else if (status < 500) {
      return OTHER_ERROR;
    } else if (status == 503) {
      return "ThrottlingError";
    } else if (!event.errorCode().equals("OperationTimedOut")) {
      return "ServerOtherError";
    }
    return hasTimeout ? "ClientTimeoutError" : "ServerTimeoutError";
  }

  private static String prefixed(Authentication authentication, String base) {
    return switch (authentication) {
      case KEY -> base;
      case SAS -> "SAS" + base;
      case ANONYMOUS -> "Anonymous" + base;
    };
  }

  /**
   * Returns true if the request is logged. Anonymous requests are logged only with certain outcomes
   * (logs-and-metrics 2.3).
   */
  static boolean isLogged(RequestEvent event) {
    int status = event.status();
    boolean worthKnowing = status < 300 || status == 304 || (status >= 500 && status != 503);
    return event.authentication() != Authentication.ANONYMOUS
        || (worthKnowing && event.transfer().complete());
  }
}
