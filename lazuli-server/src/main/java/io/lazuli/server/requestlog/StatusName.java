package io.lazuli.server.requestlog;

import io.lazuli.server.event.Authentication;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestStatus;

/** The name of a request's outcome in the log (logs-and-metrics 5). */
final class StatusName {
  /** From this protocol version on, the log names client errors by their error code. */
  private static final String CODES_SINCE = "2017-04-17";

  private StatusName() {}

  /**
   * Returns the name of an outcome.
   *
   * @param version the protocol version that the request asked for; empty if it asked for none
   * @param target path and query of the request
   */
  static String of(RequestEvent event, String version, String target) {
    RequestStatus status = RequestStatus.of(event, target);
    boolean byCode =
        status == RequestStatus.CLIENT_OTHER_ERROR
            && !event.errorCode().isEmpty()
            && version.compareTo(CODES_SINCE) >= 0;
    return byCode ? event.errorCode() : status.label(event.authentication());
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
