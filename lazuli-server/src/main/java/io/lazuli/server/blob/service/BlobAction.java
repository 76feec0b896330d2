package io.lazuli.server.blob.service;

import static io.lazuli.server.access.Permission.CONTAINER;
import static io.lazuli.server.access.Permission.OBJECT;
import static io.lazuli.server.access.Permission.SERVICE;

import io.lazuli.server.access.Permission;

/** The actions that permissions distinguish (blob-rest 7). */
public enum BlobAction {
  LIST_CONTAINERS(Permission.ofAccount(SERVICE, "l")),
  CREATE_CONTAINER(Permission.ofAccount(CONTAINER, "c", "w")),
  DELETE_CONTAINER(Permission.ofAccount(CONTAINER, "d")),
  /** Never allowed by a service SAS (blob-features 2.6). */
  RESTORE_CONTAINER(Permission.ofAccount(CONTAINER, "w")),
  READ_CONTAINER(Permission.ofAccount(CONTAINER, "r")),
  CHANGE_CONTAINER(Permission.ofAccount(CONTAINER, "w")),
  /** Permission to delete also allows breaking a lease. */
  BREAK_CONTAINER_LEASE(Permission.ofAccount(CONTAINER, "w", "d")),
  CONTAINER_ACCESS(Permission.KEY_ONLY),
  LIST_BLOBS(Permission.ofResource(CONTAINER, "l")),
  /** Lists blobs with their tags (blob-features 1.7). */
  LIST_TAGS(Permission.ofResource(CONTAINER, "lt")),
  /** An account SAS may be for the service or for objects (blob-features 1.4). */
  FIND_BLOBS(Permission.ofAccount(SERVICE, "f").orType(OBJECT)),
  FIND_BLOBS_IN_CONTAINER(Permission.ofResource(CONTAINER, "f")),
  READ_BLOB(Permission.ofResource(OBJECT, "r")),
  /** Creates a blob or a block of it. An existing blob also needs {@link #CHANGE_BLOB}. */
  CREATE_BLOB(Permission.ofResource(OBJECT, "c", "w")),
  CHANGE_BLOB(Permission.ofResource(OBJECT, "w")),
  APPEND_BLOCK(Permission.ofResource(OBJECT, "a", "w")),
  TAKE_SNAPSHOT(Permission.ofResource(OBJECT, "c", "w")),
  BREAK_BLOB_LEASE(Permission.ofResource(OBJECT, "w", "d")),
  DELETE_BLOB(Permission.ofResource(OBJECT, "d")),
  /** Deletes one version (blob-features 3.5). */
  DELETE_VERSION(Permission.ofResource(OBJECT, "x")),
  /** Erases a soft-deleted snapshot or version (blob-features 2.5). */
  ERASE(Permission.ofResource(OBJECT, "y")),
  TAGS(Permission.ofResource(OBJECT, "t")),
  /** Sets immutability policies and legal holds (blob-features 6.1). */
  PROTECT(Permission.ofResource(OBJECT, "i"));

  @SuppressWarnings("ImmutableEnumChecker") // A permission copies its letters.
  private final Permission permission;

  BlobAction(Permission permission) {
    this.permission = permission;
  }

  public Permission permission() {
    return permission;
  }
}
