package io.lazuli.server.auth;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Identity;

/** Finds the access that the roles of an identity grant. */
@FunctionalInterface
public interface RoleLookup {
  /**
   * Returns what the identity may do now; an access that refuses everything if it has no role.
   *
   * @param service the label of the service: {@code blob}, {@code queue} or {@code table}
   */
  Access access(String account, String service, Identity identity);
}
