package io.lazuli.server.queue.service;

import static io.lazuli.server.access.Permission.CONTAINER;
import static io.lazuli.server.access.Permission.OBJECT;
import static io.lazuli.server.access.Permission.SERVICE;

import io.lazuli.server.access.Permission;

/** The actions that permissions distinguish (queue-rest 3). */
public enum QueueAction {
  LIST_QUEUES(Permission.ofAccount(SERVICE, "l").byRole("queues/read")),
  CREATE_QUEUE(Permission.ofAccount(CONTAINER, "c", "w").byRole("queues/write")),
  DELETE_QUEUE(Permission.ofAccount(CONTAINER, "d").byRole("queues/delete")),
  READ_METADATA(Permission.ofResource(CONTAINER, "r").byRole("queues/read")),
  REPLACE_METADATA(Permission.ofAccount(CONTAINER, "w").byRole("queues/write")),
  PUT_MESSAGE(
      Permission.ofResource(OBJECT, "a").byRole("messages/write").byRole("messages/add/action")),
  GET_MESSAGES(
      Permission.ofResource(OBJECT, "p")
          .byRole("messages/process/action")
          .byRole("messages/read", "messages/delete")),
  PEEK_MESSAGES(Permission.ofResource(OBJECT, "r").byRole("messages/read")),
  UPDATE_MESSAGE(Permission.ofResource(OBJECT, "u").byRole("messages/write")),
  DELETE_MESSAGE(
      Permission.ofResource(OBJECT, "p")
          .byRole("messages/delete")
          .byRole("messages/process/action")),
  CLEAR_MESSAGES(Permission.ofAccount(OBJECT, "d").byRole("messages/delete"));

  @SuppressWarnings("ImmutableEnumChecker") // A permission copies its letters.
  private final Permission permission;

  QueueAction(Permission permission) {
    this.permission = permission;
  }

  public Permission permission() {
    return permission;
  }
}
