package io.lazuli.server.http;

import io.lazuli.server.error.ServiceError;

/** Errors of HTTP itself. */
final class HttpErrors {
  static final ServiceError MALFORMED =
      new ServiceError("InvalidInput", 400, "The request is not well-formed HTTP.");
  static final ServiceError URI_TOO_LONG =
      new ServiceError("InvalidUri", 414, "The request URI is too long.");
  static final ServiceError HEADERS_TOO_LARGE =
      new ServiceError("InvalidHeaderValue", 431, "The request headers are too large.");

  /** The code in the event of a request whose client disconnected. Nobody reads the answer. */
  static final ServiceError CLIENT_GONE =
      new ServiceError("ClientClosedConnection", 499, "The client closed the connection.");

  private HttpErrors() {}
}
