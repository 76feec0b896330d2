package io.lazuli.server.blob.service;

import static io.lazuli.server.access.Permission.CONTAINER;
import static io.lazuli.server.access.Permission.OBJECT;
import static io.lazuli.server.access.Permission.SERVICE;

import io.lazuli.server.access.Permission;

/** The actions that permissions distinguish (blob-rest 7). */
public enum BlobAction {
  LIST_CONTAINERS(Permission.ofAccount(SERVICE, "l").byRole("containers/read")),
  CREATE_CONTAINER(Permission.ofAccount(CONTAINER, "c", "w").byRole("containers/write")),
  DELETE_CONTAINER(Permission.ofAccount(CONTAINER, "d").byRole("containers/delete")),
  /** Never allowed by a service SAS (blob-features 2.6). */
  RESTORE_CONTAINER(Permission.ofAccount(CONTAINER, "w").byRole("containers/write")),
  READ_CONTAINER(Permission.ofAccount(CONTAINER, "r").byRole("containers/read")),
  CHANGE_CONTAINER(Permission.ofAccount(CONTAINER, "w").byRole("containers/write")),
  /** Permission to delete also allows breaking a lease. */
  BREAK_CONTAINER_LEASE(Permission.ofAccount(CONTAINER, "w", "d").byRole("containers/write")),
  READ_CONTAINER_ACCESS(Permission.NO_SAS.byRole("containers/getAcl/action")),
  CHANGE_CONTAINER_ACCESS(Permission.NO_SAS.byRole("containers/setAcl/action")),
  LIST_BLOBS(Permission.ofResource(CONTAINER, "l").byRole("blobs/read")),
  /** Lists blobs with their tags (blob-features 1.7). */
  LIST_TAGS(Permission.ofResource(CONTAINER, "lt").byRole("blobs/read", "blobs/tags/read")),
  /** An account SAS may be for the service or for objects (blob-features 1.4). */
  FIND_BLOBS(Permission.ofAccount(SERVICE, "f").orType(OBJECT).byRole("blobs/filter/action")),
  FIND_BLOBS_IN_CONTAINER(Permission.ofResource(CONTAINER, "f").byRole("blobs/filter/action")),
  READ_BLOB(Permission.ofResource(OBJECT, "r").byRole("blobs/read")),
  /** Creates a blob or a block of it. An existing blob also needs {@link #CHANGE_BLOB}. */
  CREATE_BLOB(
      Permission.ofResource(OBJECT, "c", "w").byRole("blobs/write").byRole("blobs/add/action")),
  CHANGE_BLOB(Permission.ofResource(OBJECT, "w").byRole("blobs/write")),
  APPEND_BLOCK(
      Permission.ofResource(OBJECT, "a", "w").byRole("blobs/write").byRole("blobs/add/action")),
  TAKE_SNAPSHOT(
      Permission.ofResource(OBJECT, "c", "w").byRole("blobs/write").byRole("blobs/add/action")),
  BREAK_BLOB_LEASE(Permission.ofResource(OBJECT, "w", "d").byRole("blobs/write")),
  DELETE_BLOB(Permission.ofResource(OBJECT, "d").byRole("blobs/delete")),
  /** Deletes one version (blob-features 3.5). */
  DELETE_VERSION(Permission.ofResource(OBJECT, "x").byRole("blobs/deleteBlobVersion/action")),
  /** Erases a soft-deleted snapshot or version (blob-features 2.5). */
  ERASE(Permission.ofResource(OBJECT, "y").byRole("blobs/permanentDelete/action")),
  READ_TAGS(Permission.ofResource(OBJECT, "t").byRole("blobs/tags/read")),
  CHANGE_TAGS(Permission.ofResource(OBJECT, "t").byRole("blobs/tags/write")),
  /** Sets immutability policies and legal holds (blob-features 6.1). */
  PROTECT(
      Permission.ofResource(OBJECT, "i").byRole("blobs/immutableStorage/runAsSuperUser/action"));

  @SuppressWarnings("ImmutableEnumChecker") // A permission copies its letters.
  private final Permission permission;

  BlobAction(Permission permission) {
    this.permission = permission;
  }

  public Permission permission() {
    return permission;
  }
}
