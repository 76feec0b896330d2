package io.lazuli.server.access;

import java.util.Set;

/**
 * What one role grants on one resource of an account and a service.
 *
 * @param resource the name of a table, queue or container in the catalogue; empty for all of them
 * @param actions the actions that the role allows
 */
public record RoleGrant(String resource, Set<String> actions) {
  public RoleGrant {
    actions = Set.copyOf(actions);
  }

  /**
   * Returns whether the role allows an action on a resource. A blob belongs to its container, whose
   * name comes before a slash.
   */
  boolean allows(String action, String asked) {
    boolean within =
        resource.isEmpty() || asked.equals(resource) || asked.startsWith(resource + "/");
    return within && actions.contains(action);
  }
}
