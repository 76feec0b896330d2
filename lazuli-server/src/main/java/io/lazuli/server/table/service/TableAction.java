package io.lazuli.server.table.service;

import static io.lazuli.server.access.Permission.CONTAINER;
import static io.lazuli.server.access.Permission.OBJECT;

import io.lazuli.server.access.Permission;

/** The actions that permissions distinguish: one for each line of the tables in auth 4.5 and 5. */
public enum TableAction {
  QUERY_TABLES(Permission.ofAccount(CONTAINER, "l").byRole("tables/read")),
  FIND_TABLE(Permission.ofAccount(CONTAINER, "l", "r").byRole("tables/read")),
  CREATE_TABLE(Permission.ofAccount(CONTAINER, "c", "w").byRole("tables/write")),
  DELETE_TABLE(Permission.ofAccount(CONTAINER, "d").byRole("tables/delete")),
  READ(Permission.ofResource(OBJECT, "r").byRole("entities/read")),
  INSERT(Permission.ofResource(OBJECT, "a").byRole("entities/write").byRole("entities/add/action")),
  UPDATE(
      Permission.ofResource(OBJECT, "u").byRole("entities/write").byRole("entities/update/action")),
  UPSERT(
      Permission.ofResource(OBJECT, "au")
          .byRole("entities/write")
          .byRole("entities/add/action", "entities/update/action")),
  DELETE(Permission.ofResource(OBJECT, "d").byRole("entities/delete"));

  @SuppressWarnings("ImmutableEnumChecker") // A permission copies its letters.
  private final Permission permission;

  TableAction(Permission permission) {
    this.permission = permission;
  }

  public Permission permission() {
    return permission;
  }
}
