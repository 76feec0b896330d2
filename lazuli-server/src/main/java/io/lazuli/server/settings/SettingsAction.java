package io.lazuli.server.settings;

import io.lazuli.server.access.Permission;

/** The actions on settings that permissions distinguish (auth 5). */
public enum SettingsAction {
  READ_SERVICE(Permission.ofAccount(Permission.SERVICE, "r")),
  CHANGE_SERVICE(Permission.ofAccount(Permission.SERVICE, "w")),
  /** Only a caller with the account key may read or change an access list. */
  ACCESS_LIST(Permission.KEY_ONLY);

  @SuppressWarnings("ImmutableEnumChecker") // A permission copies its letters.
  private final Permission permission;

  SettingsAction(Permission permission) {
    this.permission = permission;
  }

  Permission permission() {
    return permission;
  }
}
