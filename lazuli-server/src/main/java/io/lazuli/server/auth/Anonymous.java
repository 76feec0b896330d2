package io.lazuli.server.auth;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.ApiVersion;

/** A service's answer to a request without any credentials (auth 7). */
public enum Anonymous {
  /**
   * Authentication failed. The table service gives this answer, unless it accepts tokens and the
   * client has a version that knows them.
   */
  REFUSED {
    @Override
    ServiceError answer(Request request, boolean tokens) {
      return !tokens || isOlder(request, TABLE_CHALLENGE_VERSION)
          ? CommonErrors.AUTHENTICATION_FAILED
          : CommonErrors.NO_AUTHENTICATION_INFORMATION;
    }
  },
  /**
   * Credentials are missing. The queue service gives this answer; clients with an older version get
   * {@link #REFUSED}.
   */
  CHALLENGED {
    @Override
    ServiceError answer(Request request, boolean tokens) {
      return isOlder(request, CHALLENGE_VERSION)
          ? CommonErrors.AUTHENTICATION_FAILED
          : CommonErrors.NO_AUTHENTICATION_INFORMATION;
    }
  },
  /**
   * Like {@link #CHALLENGED}, unless the container's public access level permits the request.
   * Clients with an older version get "not found", as in the live service.
   */
  PUBLIC {
    @Override
    ServiceError answer(Request request, boolean tokens) {
      return isOlder(request, CHALLENGE_VERSION)
          ? CommonErrors.RESOURCE_NOT_FOUND
          : CommonErrors.NO_AUTHENTICATION_INFORMATION;
    }
  };

  private static final String CHALLENGE_VERSION = "2019-12-12";
  private static final String TABLE_CHALLENGE_VERSION = "2020-12-06";

  /**
   * Returns the answer to a request.
   *
   * @param tokens true if the service accepts bearer tokens
   */
  abstract ServiceError answer(Request request, boolean tokens);

  private static boolean isOlder(Request request, String than) {
    String version = ApiVersion.of(request);
    return version != null && version.compareTo(than) < 0;
  }
}
