package io.lazuli.server.event;

/** The outcome of a request as Storage Analytics names it (logs-and-metrics 5). */
public enum RequestStatus {
  SUCCESS("Success", true, true),
  THROTTLING_ERROR("ThrottlingError", false, false),
  CLIENT_TIMEOUT_ERROR("ClientTimeoutError", true, true),
  SERVER_TIMEOUT_ERROR("ServerTimeoutError", false, true),
  CLIENT_OTHER_ERROR("ClientOtherError", true, true),
  SERVER_OTHER_ERROR("ServerOtherError", false, true),
  AUTHORIZATION_ERROR("AuthorizationError", true, true),
  NETWORK_ERROR("NetworkError", true, true);

  private final String word;
  private final boolean billable;
  private final boolean counted;

  RequestStatus(String word, boolean billable, boolean counted) {
    this.word = word;
    this.billable = billable;
    this.counted = counted;
  }

  /**
   * Returns the status of a finished request.
   *
   * @param target path and query of the request, which may contain a timeout
   */
  public static RequestStatus of(RequestEvent event, String target) {
    int status = event.status();
    if (!event.transfer().complete()) {
      return NETWORK_ERROR;
    } else if (status < 300) {
      return SUCCESS;
    } else if (status == 401 || status == 403) {
      return AUTHORIZATION_ERROR;
    } else if (status < 500) {
      return CLIENT_OTHER_ERROR;
    } else if (status == 503) {
      return THROTTLING_ERROR;
    } else if (!event.errorCode().equals("OperationTimedOut")) {
      return SERVER_OTHER_ERROR;
    }
    return hasTimeout(target) ? CLIENT_TIMEOUT_ERROR : SERVER_TIMEOUT_ERROR;
  }

  private static boolean hasTimeout(String target) {
    int query = target.indexOf('?');
    return query >= 0
        && (target.startsWith("timeout=", query + 1) || target.indexOf("&timeout=", query) >= 0);
  }

  /** Returns the name of the status for a kind of caller, such as {@code SASSuccess}. */
  public String label(Authentication caller) {
    return switch (caller) {
      case KEY -> word;
      case SAS -> "SAS" + word;
      case ANONYMOUS -> "Anonymous" + word;
    };
  }

  /** Returns whether Azure charges for the request. */
  public boolean isBillable(Authentication caller) {
    return billable && !isStranger(caller);
  }

  /** Returns whether the request counts for the availability of the service. */
  public boolean isCounted(Authentication caller) {
    return counted && !isStranger(caller);
  }

  private boolean isStranger(Authentication caller) {
    return this == AUTHORIZATION_ERROR && caller == Authentication.ANONYMOUS;
  }
}
