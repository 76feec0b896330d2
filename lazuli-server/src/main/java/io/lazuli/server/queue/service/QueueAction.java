package io.lazuli.server.queue.service;

import static io.lazuli.server.access.Permission.CONTAINER;
import static io.lazuli.server.access.Permission.OBJECT;
import static io.lazuli.server.access.Permission.SERVICE;

import io.lazuli.server.access.Permission;

/** The actions that permissions distinguish (queue-rest 3). */
public enum QueueAction {
  LIST_QUEUES(Permission.ofAccount(SERVICE, "l")),
  CREATE_QUEUE(Permission.ofAccount(CONTAINER, "c", "w")),
  DELETE_QUEUE(Permission.ofAccount(CONTAINER, "d")),
  READ_METADATA(Permission.ofResource(CONTAINER, "r")),
  REPLACE_METADATA(Permission.ofAccount(CONTAINER, "w")),
  PUT_MESSAGE(Permission.ofResource(OBJECT, "a")),
  GET_MESSAGES(Permission.ofResource(OBJECT, "p")),
  PEEK_MESSAGES(Permission.ofResource(OBJECT, "r")),
  UPDATE_MESSAGE(Permission.ofResource(OBJECT, "u")),
  DELETE_MESSAGE(Permission.ofResource(OBJECT, "p")),
  CLEAR_MESSAGES(Permission.ofAccount(OBJECT, "d"));

  @SuppressWarnings("ImmutableEnumChecker") // A permission copies its letters.
  private final Permission permission;

  QueueAction(Permission permission) {
    this.permission = permission;
  }

  public Permission permission() {
    return permission;
  }
}
