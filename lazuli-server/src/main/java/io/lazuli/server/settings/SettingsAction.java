package io.lazuli.server.settings;

import io.lazuli.server.access.Permission;

/** What an operation on settings does, as far as permissions are concerned (auth 5). */
public enum SettingsAction {
  READ_SERVICE(Permission.ofAccount(Permission.SERVICE, "r")),
  CHANGE_SERVICE(Permission.ofAccount(Permission.SERVICE, "w")),
  /** Access lists are for the holder of a key. */
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
