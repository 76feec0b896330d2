package io.lazuli.server.auth;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.ApiVersion;

/** A service's answer to a request without any credentials (auth 7). */
public enum Anonymous {
  /** Authentication failed. The table service gives this answer where it does not accept tokens. */
  REFUSED {
    @Override
    ServiceError answer(Request request) {
      return CommonErrors.AUTHENTICATION_FAILED;
    }
  },
  /**
   * Credentials are missing. The queue service gives this answer; clients with an older version get
   * {@link #REFUSED}.
   */
  CHALLENGED {
    @Override
    ServiceError answer(Request request) {
      return isOlder(request)
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
    ServiceError answer(Request request) {
      return isOlder(request)
          ? CommonErrors.RESOURCE_NOT_FOUND
          : CommonErrors.NO_AUTHENTICATION_INFORMATION;
    }
  };

  private static final String CHALLENGE_VERSION = "2019-12-12";

  abstract ServiceError answer(Request request);

  private static boolean isOlder(Request request) {
    String version = ApiVersion.of(request);
    return version != null && version.compareTo(CHALLENGE_VERSION) < 0;
  }
}
