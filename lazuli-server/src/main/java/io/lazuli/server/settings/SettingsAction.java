package io.lazuli.server.settings;

import io.lazuli.server.access.Permission;

/** The actions on settings that permissions distinguish (auth 5). */
public enum SettingsAction {
  READ_SERVICE(Permission.ofAccount(Permission.SERVICE, "r").byRole("service/read")),
  CHANGE_SERVICE(Permission.ofAccount(Permission.SERVICE, "w").byRole("service/write")),
  /** No shared access signature opens an access list. */
  READ_ACCESS_LIST(Permission.NO_SAS.byRole("getAcl/action")),
  CHANGE_ACCESS_LIST(Permission.NO_SAS.byRole("setAcl/action"));

  @SuppressWarnings("ImmutableEnumChecker") // A permission copies its letters.
  private final Permission permission;

  SettingsAction(Permission permission) {
    this.permission = permission;
  }

  public Permission permission() {
    return permission;
  }
}
