package io.lazuli.server.table.service;

import static io.lazuli.server.access.Permission.CONTAINER;
import static io.lazuli.server.access.Permission.OBJECT;

import io.lazuli.server.access.Permission;

/** The actions that permissions distinguish: one for each line of the tables in auth 4.5 and 5. */
public enum TableAction {
  QUERY_TABLES(Permission.ofAccount(CONTAINER, "l")),
  FIND_TABLE(Permission.ofAccount(CONTAINER, "l", "r")),
  CREATE_TABLE(Permission.ofAccount(CONTAINER, "c", "w")),
  DELETE_TABLE(Permission.ofAccount(CONTAINER, "d")),
  READ(Permission.ofResource(OBJECT, "r")),
  INSERT(Permission.ofResource(OBJECT, "a")),
  UPDATE(Permission.ofResource(OBJECT, "u")),
  UPSERT(Permission.ofResource(OBJECT, "au")),
  DELETE(Permission.ofResource(OBJECT, "d"));

  @SuppressWarnings("ImmutableEnumChecker") // A permission copies its letters.
  private final Permission permission;

  TableAction(Permission permission) {
    this.permission = permission;
  }

  public Permission permission() {
    return permission;
  }
}
