package io.lazuli.server.auth;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.ApiVersion;

/** A service's answer to a request without any credentials (auth 7). */
public enum Anonymous {
  /** The request is not authentic. The table service answers this where it accepts no tokens. */
  REFUSED {
    @Override
    ServiceError answer(Request request) {
      return CommonErrors.AUTHENTICATION_FAILED;
    }
  },
  /**
   * The request lacks credentials, for clients that know this answer. The queue service answers
   * this.
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
   * Like {@link #CHALLENGED}, unless the container's public access level permits the request. Older
   * clients get "not found", as from the blob service.
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
