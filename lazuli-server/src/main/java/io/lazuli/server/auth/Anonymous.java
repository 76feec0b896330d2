package io.lazuli.server.auth;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.ApiVersion;

/** What a service answers to a request without any credentials (auth.md 7). */
public enum Anonymous {
  /** That it is not authentic, as the table service does where no tokens are taken. */
  REFUSED {
    @Override
    ServiceError answer(Request request) {
      return CommonErrors.AUTHENTICATION_FAILED;
    }
  },
  /** That it lacks credentials, to clients that know this answer; as the queue service does. */
  CHALLENGED {
    @Override
    ServiceError answer(Request request) {
      return isOlder(request)
          ? CommonErrors.AUTHENTICATION_FAILED
          : CommonErrors.NO_AUTHENTICATION_INFORMATION;
    }
  },
  /**
   * The same unless the owner opened what it asks for to anybody; older clients learn that there is
   * nothing, as the blob service tells them.
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
